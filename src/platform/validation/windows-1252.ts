/** Windows-1252 from 0x80 to 0x9F. Some releases of Node decode it as ISO 8859-1, which has control characters there. */
export const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
