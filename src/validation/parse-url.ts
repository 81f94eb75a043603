/**
 * A URL; undefined where the text is none. In place of `URL.canParse`, which Node 20 answers wrongly for letters beyond
 * ASCII once it is compiled: a street's name in a link would be refused after some thousand requests.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
