import { prefersCsv } from './csv-answer.js';

describe('prefersCsv', () => {
  it.each([
    'text/csv',
    'TEXT/CSV',
    'text/csv; charset=utf-8',
    'text/csv;q=0.5',
    'application/json, text/csv',
    'text/csv, application/json;q=0.5',
    'text/html, text/csv;q=0.8, */*;q=0.1',
  ])('asks for CSV with %j', (accept) => expect(prefersCsv(accept)).toBe(true));

  it.each([
    undefined,
    '',
    '*/*',
    'text/*',
    'application/json',
    'text/csv;q=0',
    'text/csv; q=0.5, application/json',
    'application/json;q=0.9, text/csv;q=0.8',
    'text/csv;q=x',
    'text/csvx',
  ])('asks for JSON with %j', (accept) => expect(prefersCsv(accept)).toBe(false));
});
