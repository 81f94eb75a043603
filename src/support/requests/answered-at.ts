/** When a request was answered, in ISO 8601: its id (UUID version 7) begins with the time. */
export function answeredAt(id: string): string {
  return new Date(parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
}
