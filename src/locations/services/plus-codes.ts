import { isShortPlusCode, readPlusCode } from '../formats/plus-code.js';
import { UNKNOWN_FORM, type MapLink } from '../reading.js';
import { decoded } from './url-parts.js';

/** `plus.codes/765CWVRM+9F`; a short code needs a reference place. */
export function readPlusCodes(url: URL): MapLink {
  const code = decoded(url.pathname.slice(1));
  return (
    readPlusCode(code) ?? (isShortPlusCode(code) ? { kind: 'unknown', reason: 'short_code' } : UNKNOWN_FORM)
  );
}
