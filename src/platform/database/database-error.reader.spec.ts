import pg from 'pg';
import { QueryFailedError } from 'typeorm';
import { ERRORS } from '../errors/error-codes.js';
import { readDatabaseError } from './database-error.reader.js';

const PHONE = '+50255551234';

/** As PostgreSQL answers, with a person's data wherever it puts them. */
function answered(code: string): Error {
  const error = new pg.DatabaseError(`invalid value: "${PHONE}"`, 1, 'error');
  return Object.assign(error, { code, severity: 'ERROR', detail: `Failing row contains (${PHONE})` });
}

describe('readDatabaseError', () => {
  it.each([
    ['22P02', 'validacion', 400],
    ['08006', 'no_disponible', 503],
    ['57P01', 'no_disponible', 503],
  ] as const)('answers SQLSTATE %s with %s', (code, codigo, status) => {
    const error = answered(code);
    const wrapped = new QueryFailedError('insert', [PHONE], error);
    expect(readDatabaseError(error)).toMatchObject({ codigo, cause: error });
    expect(readDatabaseError(wrapped)).toMatchObject({ codigo, cause: wrapped });
    expect(ERRORS[codigo].status).toBe(status);
  });

  it.each(['22P02', '57P01'])('sends nothing of the database error %s', (code) => {
    const { detail, errores, headers, message } = readDatabaseError(answered(code))!;
    expect(JSON.stringify({ detail, errores, headers, message })).not.toContain(PHONE);
  });

  it.each([
    ['a unique violation that nobody expected', answered('23505')],
    ['a statement that is wrong', answered('42601')],
    ['a defect', new TypeError('x is not a function')],
    ['nothing', undefined],
    ['a text', 'ECONNREFUSED'],
  ])('leaves %s to others', (_what, error) => {
    expect(readDatabaseError(error)).toBeUndefined();
  });
});
