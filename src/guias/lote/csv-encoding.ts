import { setImmediate as nextTurn } from 'node:timers/promises';

/** The bytes of `áéíóúüñÁÉÍÓÚÜÑ` in each encoding. Of two encodings that fit as well, the first is meant. */
const ENCODINGS: [name: string, bytes: number[]][] = [
  ['Windows-1252', [0xe1, 0xe9, 0xed, 0xf3, 0xfa, 0xfc, 0xf1, 0xc1, 0xc9, 0xcd, 0xd3, 0xda, 0xdc, 0xd1]],
  ['Mac Roman', [0x87, 0x8e, 0x92, 0x97, 0x9c, 0x9f, 0x96, 0xe7, 0x83, 0xea, 0xee, 0xf2, 0x86, 0x84]],
  ['DOS (CP850)', [0xa0, 0x82, 0xa1, 0xa2, 0xa3, 0x81, 0xa4, 0xb5, 0x90, 0xd6, 0xe0, 0xe9, 0x9a, 0xa5]],
];

/** Lower-case letters among them. */
const LOWER = 7;

type Case = 'lower' | 'upper' | undefined;

/** The case of each byte's letter; undefined where it is none. */
const ASCII: Case[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (/[a-z]/.test(character)) return 'lower';
  return /[A-Z]/.test(character) ? 'upper' : undefined;
});

/** The same by encoding. */
const CASES = ENCODINGS.map(([, bytes]) =>
  bytes.reduce((cases, byte, i) => cases.with(byte, i < LOWER ? 'lower' : 'upper'), ASCII),
);

/**
 * Marks that stand beside letters in Windows-1252, too: `d’oro`, `casa–oficina`, a blank that breaks no line, `„`, `µg`.
 * By byte: the letters around it, with `@` in its place, between which it is none.
 */
const NO_MARK: Partial<Record<number, RegExp>> = {
  0x84: /[A-Z]@/,
  0x92: /(?:\w\w|\b[^\WDLOdlo])@(?!s\b)[a-z]/,
  0x96: /[aeioun]@[aeiou]/,
  0x97: /[A-Za-z]@[a-z]/,
  0xa0: /\b[bcdfgj-np-tv-xz]@[a-z]/i,
  0xb5: /@(?:[A-Z]|[a-z]{2})/,
};

/** Bytes beyond ASCII that are looked at: more than tell an encoding. */
const SAMPLE = 10_000;

/** `€` in Windows-1252. In the other encodings it is a letter, which stands in a word. */
const EURO = 0x80;

/** `‘’“”•–—…` in Windows-1252, as programs write them in place of plain marks. */
const MARKS = new Set([0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, EURO]);

/** Whether nothing but marks is beyond ASCII, and a `€` stands where no letter can: beside an amount, or alone. */
function hasMarksOnly(bytes: Buffer): boolean {
  let euros = 0;
  let seen = 0;
  for (let i = 0; i < bytes.length && seen < SAMPLE; i++) {
    const byte = bytes[i]!;
    if (byte < 0x80) continue;
    seen++;
    if (!MARKS.has(byte)) return false;
    if (byte === EURO && ASCII[bytes[i - 1] ?? 0] === undefined && ASCII[bytes[i + 1] ?? 0] === undefined)
      euros++;
  }
  return euros > 0;
}

/** Bytes that are looked at before other requests run, and of those beyond ASCII. */
const PART = 64 * 1024;
const PART_SAMPLE = 500;

/** The encoding in which most of a file's letters with accents stand in words as in Spanish. @param bytes not UTF-8. */
export async function guessEncoding(bytes: Buffer): Promise<string> {
  if (hasMarksOnly(bytes)) return ENCODINGS[0]![0];
  const votes = ENCODINGS.map(() => 0);
  let left = SAMPLE;
  for (let at = 0; at < bytes.length && left > 0; await nextTurn()) {
    const part = count(bytes, at, votes);
    at = part.end;
    left -= part.seen;
  }
  return ENCODINGS[votes.indexOf(Math.max(...votes))]![0];
}

/** Counts the votes of a part. @returns where it ends, and the bytes beyond ASCII in it */
function count(bytes: Buffer, start: number, votes: number[]): { end: number; seen: number } {
  const end = Math.min(start + PART, bytes.length);
  let seen = 0;
  let at = start;
  for (; at < end && seen < PART_SAMPLE; at++) {
    if (bytes[at]! < 0x80) continue;
    seen++;
    for (const [n, cases] of CASES.entries()) votes[n]! += Number(isInWord(cases, bytes, at));
  }
  return { end: at, seen };
}

function isInWord(cases: Case[], bytes: Buffer, at: number): boolean {
  const own = cases[bytes[at]!];
  if (own === undefined) return false;
  const [before = 0, after = 0] = [bytes[at - 1], bytes[at + 1]];
  if (!ASCII[before] && !ASCII[after]) return false;
  // No word goes on in upper case after a lower-case letter. Few begin with an accent in lower case.
  const fits =
    own === 'lower'
      ? cases[after] !== 'upper' && (cases[before] !== undefined || cases === CASES[0])
      : cases[before] !== 'lower';
  const pattern = NO_MARK[bytes[at]!];
  if (!fits || !pattern) return fits;
  const around = `${bytes.toString('latin1', Math.max(0, at - 2), at)}@${bytes.toString('latin1', at + 1, at + 3)}`;
  return pattern.test(around);
}
