/** What every change of a guide sets: its next version, and a time that never goes back. */
export const TOUCH = touch(1);

/** The same for a change that records several events, each with a version of its own. */
export function touch(versions: number | string): string {
  // Not `now()`, which is when the statement began: it may have waited for another one.
  return `version = version + ${versions}, actualizada_en = greatest(actualizada_en, clock_timestamp())`;
}

/** A guide's ETag (RFC 9110): strong, and another after each change. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** Whether an `If-Match` header means this version. Weak tags never do. */
export function matchesVersion(ifMatch: string, version: number): boolean {
  return ifMatch.split(',').some((tag) => ['*', etagOf(version)].includes(tag.trim()));
}
