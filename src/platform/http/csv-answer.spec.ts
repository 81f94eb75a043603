import { csvLines, prefersCsv } from './csv-answer.js';

describe('prefersCsv', () => {
  it.each([
    ...['text/csv', 'TEXT/CSV', 'text/csv; charset=utf-8', 'text/csv;q=0.5', 'application/json, text/csv'],
    ...['text/csv, application/json;q=0.5', 'text/html, text/csv;q=0.8, */*;q=0.1'],
  ])('asks for CSV with %j', (accept) => expect(prefersCsv(accept)).toBe(true));

  it.each([
    ...[undefined, '', '*/*', 'text/*', 'application/json', 'text/csv;q=0'],
    ...['text/csv; q=0.5, application/json', 'application/json;q=0.9, text/csv;q=0.8', 'text/csv;q=x'],
    'text/csvx',
  ])('asks for JSON with %j', (accept) => expect(prefersCsv(accept)).toBe(false));
});

describe('csvLines', () => {
  it.each([
    ['a line break', 'Timbre roto\nLlamar antes', '"Timbre roto\nLlamar antes"'],
    ['a carriage return', 'a\rb', '"a\rb"'],
    ['a comma', 'a,b', '"a,b"'],
    ['a quote', 'a"b', '"a""b"'],
    ['none of them', 'a b', 'a b'],
    ['a formula', '=1', "'=1"],
    ['a formula behind a semicolon', ';=1', "';'=1"],
    ['a formula behind a tab', '\t=1', "'\t'=1"],
    ['a formula behind a blank', ' @a', "' @a"],
    ['a formula within it', 'Casa 3;+1; -2\t@a', "Casa 3;'+1; '-2\t'@a"],
    ['a negative number', -1, '-1'],
  ])('writes a cell with %s', (_what, nota, cell) => {
    expect(csvLines([{ nota, fin: 'x' }], ['nota', 'fin'], true)).toBe(`nota,fin\r\n${cell},x\r\n`);
  });
});
