import { execFileSync } from 'node:child_process';
import { constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, boundedOutput } from './logger.js';
import { eventually } from '../../../test/support/eventually.js';

const BOUND = 256 * 1024;

describe('boundedOutput', () => {
  it('drops lines beyond its bound while nobody reads, and says once how many there were', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'log-'));
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    // Neither waits for the other: a pipe that nobody reads.
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    const output = boundedOutput(writer, BOUND);
    const logger = createLogger({ logLevel: 'info' }, output);
    const sent = 5_000;
    for (let n = 0; n < sent; n++) logger.info({ filler: 'a'.repeat(500) }, 'line');
    let text = '';
    const chunk = Buffer.alloc(64 * 1024);
    const drain = () => {
      try {
        for (let read = 1; read > 0;) {
          read = readSync(reader, chunk);
          text += chunk.toString('utf8', 0, read);
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      }
    };
    await eventually(() => {
      output.flush();
      drain();
      expect(text).toContain('lines of the log were dropped');
    });
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string; lines?: number });
    const written = lines.filter(({ msg }) => msg === 'line').length;
    const said = lines.filter(({ msg }) => msg !== 'line');
    expect(said).toHaveLength(1);
    expect(written + said[0]!.lines!).toBe(sent);
    expect(written * 500).toBeLessThan(2 * BOUND);
    output.destroy();
    rmSync(folder, { recursive: true });
  });
});
