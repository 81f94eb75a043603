import { parseUrl } from '../validation/parse-url.js';

/** What DATABASE_READ_URL must look like, for error messages. */
export const REPLICA_URLS_RULE =
  'must be one URL for each replica, separated by spaces or commas: postgres://user:password@host:port/database';

/**
 * The URLs in a DATABASE_READ_URL; undefined if one of them is none. Each names one server: what is known of a replica
 * is known of that server, so several hosts in one URL are refused.
 */
export function readReplicaUrls(text: string): readonly string[] | undefined {
  // A password may contain commas; only one in front of the next URL ends it.
  const urls = text.split(/[\s,](?=postgres(?:ql)?:\/\/)/i).map(withoutSeparators);
  const isEach = urls.every((url) => /^postgres(ql)?:\/\/./i.test(url) && !/\s/.test(url) && parseUrl(url));
  return isEach && new Set(urls).size === urls.length ? urls : undefined;
}

/** Without the separators at its end that are not the last one before the next URL. */
function withoutSeparators(text: string): string {
  let url = text.trim();
  while (url.endsWith(',')) url = url.slice(0, -1).trimEnd();
  return url;
}
