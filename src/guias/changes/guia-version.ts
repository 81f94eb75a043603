/** SQL assignments of a change that records one event: the next version, and the time of the change. */
export const TOUCH = touch(1);

/**
 * SQL assignments of a change that records several events, each with a version of its own.
 * @param versions how many, as a number or as SQL.
 */
export function touch(versions: number | string): string {
  // Not `now()`: that is the start of the transaction, which may be before a change that this one waited for.
  return `version = version + ${versions}, actualizada_en = greatest(actualizada_en, clock_timestamp())`;
}

/** A guide's ETag (RFC 9110): strong, and different after each change. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** Whether an `If-Match` header matches this version. Weak tags never match. */
export function matchesVersion(ifMatch: string, version: number): boolean {
  return ifMatch.split(',').some((tag) => ['*', etagOf(version)].includes(tag.trim()));
}
