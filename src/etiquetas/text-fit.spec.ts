import { cut, wrap } from './text-fit.js';

/** One dot to a character. */
const widthOf = (text: string) => [...text].length;

describe('wrap', () => {
  it.each([
    ['', []],
    ['uno', ['uno']],
    ['uno dos tres', ['uno dos', 'tres']],
    ['12345678 y', ['12345678', 'y']],
    ['123456789', ['12345678', '9']],
    ['a 12345678901234567 b', ['a', '12345678', '90123456', '7 b']],
    ['  a   b  ', ['a b']],
    ['a\nb\n\nc', ['a', 'b', 'c']],
    ['😀😀😀😀😀😀😀😀😀', ['😀😀😀😀😀😀😀😀', '😀']],
    ['M\u0489M\u0489M\u0489M\u0489M\u0489', ['M\u0489M\u0489M\u0489M\u0489', 'M\u0489']],
    ['1234567M\u0489', ['1234567', 'M\u0489']],
  ])('breaks %j at spaces, and within a word only if it is wider than a line', (text, lines) => {
    expect(wrap(text, 8, widthOf)).toEqual(lines);
  });

  it('makes the first line narrower by the indent', () => {
    expect(wrap('uno dos tres cuatro', 8, widthOf, 4)).toEqual(['uno', 'dos tres', 'cuatro']);
  });

  it('puts at least one character on a line, however narrow', () => {
    expect(wrap('abc', 0, widthOf)).toEqual(['a', 'b', 'c']);
  });
});

describe('cut', () => {
  const lines = ['uno dos', 'tres', 'cuatro'];

  it('leaves lines that fit alone', () => {
    expect(cut(lines, 3, 8, widthOf)).toEqual(lines);
  });

  it('ends the last line that fits in …, within the width', () => {
    expect(cut(lines, 2, 8, widthOf)).toEqual(['uno dos', 'tres…']);
    expect(cut(lines, 1, 7, widthOf)).toEqual(['uno do…']);
    expect(cut(lines, 1, 5, widthOf)).toEqual(['uno…']);
  });

  it.each([
    ['bravo. Luego', 'bravo…'],
    ['bravo, luego', 'bravo…'],
    ['calle (zona', 'calle…'],
    ['salas… o no', 'salas…'],
    ['casas ¿cuál', 'casas…'],
    ['no. 5, casa', 'no. 5…'],
    ['....... nada', '…'],
  ])('takes the punctuation before … away: %j is cut to %j', (text, line) => {
    expect(cut([text, ''], 1, 8, widthOf)).toEqual([line]);
  });
});
