/** A guide's ETag (RFC 9110): strong, and different after each change. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** Whether an `If-Match` header matches this version. Weak tags never match. */
export function matchesVersion(ifMatch: string, version: number): boolean {
  return ifMatch.split(',').some((tag) => ['*', etagOf(version)].includes(tag.trim()));
}
