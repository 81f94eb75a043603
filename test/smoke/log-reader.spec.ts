import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from '../support/service-process.js';

/** A process that logs a line, and ends, once its standard input has something to read. */
const program = (end: string) => `
  import { createLogger, flushLogs } from '${ROOT}/dist/src/platform/logging/logger.js';
  const logger = createLogger({ logLevel: 'info' });
  process.on('uncaughtException', (err) => {
    logger.fatal({ err }, 'defect');
    process.exit(1);
  });
  process.stdin.once('data', async () => {
    logger.info('last');
    ${end}
  });
  process.stderr.write('ready');`;

describe('a process whose log is no longer read', () => {
  /** Its reader goes before the last line is written. */
  const endOf = async (end: string) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program(end)]);
    const exited = once(child, 'exit') as Promise<[number | null]>;
    const [first] = await once(child.stderr, 'data');
    expect(String(first)).toBe('ready');
    const closed = once(child.stdout, 'close');
    child.stdout.destroy();
    await closed;
    child.stdin.write('end');
    return (await exited)[0];
  };

  it('exits with 0 on a graceful stop', async () =>
    expect(await endOf('await flushLogs(logger); process.exit(0);')).toBe(0));

  it('exits with a non-zero code on a failure', async () =>
    expect(await endOf(`throw new Error('defect');`)).toBeGreaterThan(0));
});
