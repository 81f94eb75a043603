import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LIBRARIES = '/usr/lib';

/** Debian's `faketime`: where its library is, if it is installed. */
export const LIBFAKETIME = readdirSync(LIBRARIES)
  .map((folder) => join(LIBRARIES, folder, 'faketime/libfaketimeMT.so.1'))
  .find((path) => existsSync(path));

/** A wall clock that a test can step. A process started with `env` reads it; its timers go on in real time. */
export class SteppedClock {
  private readonly folder = mkdtempSync(join(tmpdir(), 'guias-clock-'));
  private readonly file = join(this.folder, 'offset');
  /** Environment of the process. */
  readonly env: Record<string, string>;

  /** @param library path of libfaketime. */
  constructor(library: string) {
    this.set(0);
    this.env = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: this.file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** Sets the clock to real time and so many seconds; the process sees it within a second. */
  set(seconds: number): void {
    // Renamed, so that it is never read half written.
    const next = `${this.file}.next`;
    writeFileSync(next, `${seconds < 0 ? '' : '+'}${seconds}`);
    renameSync(next, this.file);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
