/**
 * The URL, or undefined if the text is not one. `URL.canParse` is not enough: once optimised, Node 20's version
 * rejects URLs with non-ASCII letters, so after some thousand requests links with street names would fail.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
