import { parseUrl } from './parse-url.js';

/** The form of DATABASE_READ_URL, for error messages. */
export const REPLICA_URLS_RULE =
  'must be one URL for each replica, separated by spaces or commas: postgres://user:password@host:port/database';

/** The URLs in a DATABASE_READ_URL; undefined if one is no URL. Each names one server, whose lag is tracked. */
export function readReplicaUrls(text: string): readonly string[] | undefined {
  // A password may contain commas, so that only a comma in front of a URL separates.
  const urls = text.split(/[\s,](?=postgres(?:ql)?:\/\/)/i).map(withoutSeparators);
  const isEach = urls.every((url) => /^postgres(ql)?:\/\/./i.test(url) && !/\s/.test(url) && parseUrl(url));
  return isEach && new Set(urls).size === urls.length ? urls : undefined;
}

/** Removes separators from the end of a URL: the split takes only one of several. */
function withoutSeparators(text: string): string {
  let url = text.trim();
  while (url.endsWith(',')) url = url.slice(0, -1).trimEnd();
  return url;
}
