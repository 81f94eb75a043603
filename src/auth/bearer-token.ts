/** The token of an `Authorization: Bearer` header; undefined where there is none. HTTP compares schemes without case. */
export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(header)?.[1];
}
