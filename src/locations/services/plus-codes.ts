import { readPlusCode } from '../formats/plus-code.js';
import { PLACE, type MapLink } from '../reading.js';
import { decoded } from './url-parts.js';

/** `plus.codes/765CWVRM+9F`; a short code needs a reference place. */
export function readPlusCodes(url: URL): MapLink {
  return readPlusCode(decoded(url.pathname.slice(1))) ?? PLACE;
}
