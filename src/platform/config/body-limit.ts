/** Bytes. */
export const KIB = 1024;
export const MIB = 1024 * KIB;

/** Bytes of bodies on routes without a limit of their own; the largest valid guide is below it. */
export const BODY_LIMIT = 32 * KIB;

/** Type of a body of partial changes (RFC 7396): how each PATCH reads its JSON, under this name or as `application/json`. */
export const MERGE_PATCH = 'application/merge-patch+json';
