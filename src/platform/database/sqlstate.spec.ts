import pg from 'pg';
import { QueryFailedError } from 'typeorm';
import { databaseFault, isFaultOfOneRow, isRetryable, sqlStateOf, uniqueViolation } from './sqlstate.js';

/** As node-postgres throws what PostgreSQL answers. */
function answered(code: string, constraint?: string): Error {
  const error = new pg.DatabaseError('message', 1, 'error');
  return Object.assign(error, { code, severity: 'ERROR', constraint });
}

const wrapped = (error: Error) => new QueryFailedError('select $1', ['x'], error);
const withCode = (code: string) => Object.assign(new Error('message'), { code });

describe('sqlStateOf', () => {
  it('reads what PostgreSQL answered, also where TypeORM wrapped it', () => {
    expect(sqlStateOf(answered('23505'))).toBe('23505');
    expect(sqlStateOf(wrapped(answered('23505')))).toBe('23505');
    expect(sqlStateOf(wrapped(wrapped(answered('23505'))))).toBe('23505');
  });

  it.each([
    ['an error of Node', withCode('ECONNREFUSED')],
    ['an error of Node, wrapped', wrapped(withCode('ECONNRESET'))],
    ['an error of a library with a code', withCode('22P02')],
    ['any other error', new Error('message')],
    ['an object', {}],
    ['a text', '23505'],
  ])('finds no SQLSTATE in %s', (_what, error) => {
    expect(sqlStateOf(error)).toBeUndefined();
  });
});

describe('databaseFault', () => {
  it.each<[code: string, fault: string | undefined]>([
    ['22001', 'bad-value'],
    ['22003', 'bad-value'],
    ['22007', 'bad-value'],
    ['22008', 'bad-value'],
    ['22021', 'bad-value'],
    ['22P02', 'bad-value'],
    ['22P05', 'bad-value'],
    ['23514', 'bad-value'],
    ['08000', 'unavailable'],
    ['08006', 'unavailable'],
    ['08P01', 'unavailable'],
    ['25006', 'unavailable'],
    ['40001', 'unavailable'],
    ['40P01', 'unavailable'],
    ['53100', 'unavailable'],
    ['53200', 'unavailable'],
    ['53300', 'unavailable'],
    ['55P03', 'unavailable'],
    ['57014', 'unavailable'],
    ['57P01', 'unavailable'],
    ['57P02', 'unavailable'],
    ['57P03', 'unavailable'],
    ['23505', undefined],
    ['23502', undefined],
    ['23503', undefined],
    ['25P02', undefined],
    ['42P01', undefined],
    ['42601', undefined],
    ['42703', undefined],
    ['P0001', undefined],
    ['XX000', undefined],
    ['00000', undefined],
  ])('classifies SQLSTATE %s as %s', (code, fault) => {
    expect(databaseFault(answered(code))).toBe(fault);
    expect(databaseFault(wrapped(answered(code)))).toBe(fault);
  });

  it.each([
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'],
    'EAI_AGAIN',
  ])('classifies a connection error %s as unavailable', (code) => {
    expect(databaseFault(withCode(code))).toBe('unavailable');
  });

  it.each([
    'timeout exceeded when trying to connect',
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Cannot use a pool after calling end on the pool',
  ])('classifies the node-postgres message "%s" as unavailable', (message) => {
    expect(databaseFault(new Error(message))).toBe('unavailable');
    expect(databaseFault(wrapped(new Error(message)))).toBe('unavailable');
  });

  it('is unavailable if all addresses of a host refuse', () => {
    expect(databaseFault(new AggregateError([withCode('ECONNREFUSED'), withCode('ETIMEDOUT')]))).toBe(
      'unavailable',
    );
    expect(databaseFault(new AggregateError([new Error('x')]))).toBeUndefined();
    expect(databaseFault(new AggregateError([]))).toBeUndefined();
  });

  it.each([
    ['a defect', new TypeError("Cannot read properties of undefined (reading 'x')")],
    ['a message that only mentions a connection', new Error('not a Connection terminated')],
    ['a missing file', withCode('ENOENT')],
    ['no error', { code: '08006', severity: 'FATAL' }],
    ['nothing', undefined],
    ['null', null],
    ['a text', 'Connection terminated'],
  ])('is undefined for %s', (_what, error) => {
    expect(databaseFault(error)).toBeUndefined();
  });
});

describe('isRetryable', () => {
  it.each([
    ['40001', true],
    ['40P01', true],
    ['40003', false],
    ['23505', false],
    ['57014', false],
    ['08006', false],
  ])('of SQLSTATE %s is %s', (code, expected) => {
    expect(isRetryable(answered(code))).toBe(expected);
    expect(isRetryable(wrapped(answered(code)))).toBe(expected);
  });
});

describe('isFaultOfOneRow', () => {
  it.each([
    ['22001', true],
    ['22P05', true],
    ['23505', true],
    ['23514', true],
    ['40P01', false],
    ['57014', false],
    ['08006', false],
    ['XX000', false],
  ])('of SQLSTATE %s is %s', (code, expected) => {
    expect(isFaultOfOneRow(answered(code))).toBe(expected);
    expect(isFaultOfOneRow(wrapped(answered(code)))).toBe(expected);
  });

  it('is false for a lost connection, after which the outcome is unknown', () => {
    expect(isFaultOfOneRow(withCode('ECONNRESET'))).toBe(false);
  });
});

describe('uniqueViolation', () => {
  it('names the constraint, also where TypeORM wrapped the error', () => {
    expect(uniqueViolation(answered('23505', 'guias_guia_key'))).toBe('guias_guia_key');
    expect(uniqueViolation(wrapped(answered('23505', 'guias_guia_key')))).toBe('guias_guia_key');
  });

  it.each([
    ['another violation', answered('23514', 'guias_guia_check')],
    ['a lost connection', withCode('ECONNRESET')],
    ['a defect', new Error('message')],
  ])('is undefined for %s', (_what, error) => {
    expect(uniqueViolation(error)).toBeUndefined();
  });
});

describe.each([
  ['sqlStateOf', sqlStateOf],
  ['databaseFault', databaseFault],
  ['isRetryable', isRetryable],
  ['isFaultOfOneRow', isFaultOfOneRow],
  ['uniqueViolation', uniqueViolation],
])('%s', (_name, read) => {
  it.each([[undefined], [null], [0], [''], ['text'], [Symbol.iterator]])(
    'does not classify %p as a database error',
    (thrown) => {
      expect(read(thrown) || undefined).toBeUndefined();
    },
  );
});
