import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { QueueStore } from './queue-store.js';

describe('an error of a queue or worker', () => {
  const OUTAGES = [
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' }),
    new Error('Connection is closed.'),
    new Error('All sentinels are unreachable. Retrying from scratch after 200ms.'),
    Object.assign(new Error('LOADING Redis is loading the dataset in memory'), { name: 'ReplyError' }),
    Object.assign(new Error('terminating connection'), { code: '57P01', severity: 'FATAL' }),
  ];
  const FAULTS = [
    new Error('could not renew lock for job 7'),
    Object.assign(new Error('ERR user_script:1: Script attempted to access nonexistent global variable'), {
      name: 'ReplyError',
    }),
  ];
  const OUTAGE = 'queue store unreachable; trying again';
  const FAULT = 'queue error';

  /** What is logged for errors that come at once. */
  function logsOf(errors: Error[]): string[] {
    const logs: string[] = [];
    const logger = pino({}, { write: (line) => void logs.push((JSON.parse(line) as { msg: string }).msg) });
    const source = new EventEmitter();
    new QueueStore(undefined, 'postgres://localhost/guias', logger).reportErrors(source, 'prueba');
    for (const error of errors) source.emit('error', error);
    return logs;
  }

  it.each(OUTAGES)('is logged as an outage of the store: %s', (error) =>
    expect(logsOf([error])).toEqual([OUTAGE]),
  );

  it.each(FAULTS)('is logged as an error otherwise: %s', (error) => expect(logsOf([error])).toEqual([FAULT]));

  it('is logged once in a while, whatever came of the other kind', () =>
    expect(logsOf([...OUTAGES, ...FAULTS, ...OUTAGES, ...FAULTS])).toEqual([OUTAGE, FAULT]));
});
