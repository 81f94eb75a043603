import pg from 'pg';
import { QueryFailedError } from 'typeorm';
import { createLogger, NestLogger, safeError } from './logger.js';

const PHONE = '+50255551234';

/** An error of PostgreSQL with a person's data wherever there may be some. */
function databaseError(message = `invalid input syntax for type uuid: "${PHONE}"`): Error {
  return Object.assign(new pg.DatabaseError(message, 1, 'error'), {
    ...{ severity: 'ERROR', code: '22P02', detail: `Failing row contains (${PHONE}).`, hint: PHONE },
    ...{ where: `COPY guias, line 1: "${PHONE}"`, internalQuery: `select '${PHONE}'`, dataType: PHONE },
    ...{ table: 'guias', constraint: 'guias_telefono_check' },
  });
}

const queryError = () =>
  new QueryFailedError(`insert into guias values ('${PHONE}')`, [PHONE], databaseError());

/** An error whose stack has no frames, as from a worker or under `--stack-trace-limit=0`. */
function withoutFrames(error: Error): Error {
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

const LEAKY: [what: string, make: () => Error][] = [
  ['a database error', () => databaseError()],
  ['a database error that TypeORM wrapped', () => queryError()],
  ['one wrapped twice', () => new QueryFailedError(PHONE, [PHONE], queryError())],
  ['a database error with line breaks in its message', () => databaseError(`bad value "a\n${PHONE}"`)],
  ['a value that looks like a stack frame', () => databaseError(`bad value "a\n    at ${PHONE}"`)],
  ['a database error without stack frames', () => withoutFrames(databaseError())],
  ['an error caused by a database error', () => new Error('failed', { cause: databaseError() })],
  ['an error caused by one that TypeORM wrapped', () => new Error('failed', { cause: queryError() })],
  ['several errors in one', () => new AggregateError([databaseError(), queryError()], 'failed')],
];

describe('safeError', () => {
  it.each(LEAKY)('leaves out the data of %s', (_what, make) => {
    expect(JSON.stringify(safeError(make()))).not.toContain(PHONE.slice(1));
  });

  it.each([
    ['a database error', () => databaseError()],
    ['one that TypeORM wrapped', () => queryError()],
  ])('keeps code, table, constraint and stack of %s', (_what, make) => {
    expect(safeError(make())).toMatchObject({
      type: 'DatabaseError',
      code: '22P02',
      table: 'guias',
      constraint: 'guias_telefono_check',
      stack: expect.stringMatching(/\n {4}at .*logger\.spec/),
    });
  });

  it('keeps type, message, code and stack of any other error', () => {
    expect(safeError(Object.assign(new TypeError('x is not a function'), { code: 'E_X' }))).toMatchObject({
      type: 'TypeError',
      code: 'E_X',
      message: 'x is not a function',
      stack: expect.stringContaining('logger.spec'),
    });
  });

  it('leaves out other properties of an error', () => {
    const error = Object.assign(new Error('failed'), {
      request: { body: PHONE },
      parameters: [PHONE],
      query: PHONE,
    });
    expect(JSON.stringify(safeError(error))).not.toContain(PHONE);
  });

  it.each([undefined, null, PHONE, 5, { telefono: PHONE }, [PHONE]])(
    'gives only the type of %j, which is no error',
    (thrown) => {
      expect(safeError(thrown)).toEqual({ type: typeof thrown });
    },
  );

  it('ends for an error that is its own cause', () => {
    const error = new Error('failed') as Error & { driverError?: unknown };
    error.cause = error;
    error.driverError = error;
    expect(safeError(error)).toMatchObject({ type: 'Error', message: 'failed' });
  });
});

describe('createLogger', () => {
  it('writes one line of JSON for each message, whatever its text', () => {
    const lines: string[] = [];
    const logger = createLogger({ logLevel: 'info' }, { write: (text: string) => void lines.push(text) });
    logger.info({ value: 'a\r\n{"level":60}\u001b[31m\u2028' }, 'first\nsecond');
    logger.debug('below the level');
    expect(lines).toHaveLength(1);
    expect(lines[0]!.trimEnd()).not.toMatch(/\p{Cc}/u);
    expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'first\nsecond' });
  });

  it("serialises Nest's errors in the same way", () => {
    const lines: string[] = [];
    const logger = createLogger({ logLevel: 'trace' }, { write: (text: string) => void lines.push(text) });
    new NestLogger(logger).error(queryError());
    expect(JSON.parse(lines[0]!)).toMatchObject({ err: { code: '22P02' } });
    expect(lines.join()).not.toContain(PHONE.slice(1));
  });
});
