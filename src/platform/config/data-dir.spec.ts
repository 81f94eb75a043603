import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StartupError } from '../errors/startup-error.js';
import { keepSecret, replaceSecret } from './data-dir.js';

/** Node runs no TypeScript. */
const BUILT = join(import.meta.dirname, '../../../dist/src/platform/config/data-dir.js');

const modeOf = (file: string) => statSync(file).mode & 0o777;
const never = () => {
  throw new Error('made again');
};

describe('data-dir', () => {
  let root: string;
  let folder: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'guias-data-'));
    folder = join(root, 'deep', 'data');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('creates folder and secret once, and returns the same value from then on', () => {
    expect(keepSecret(folder, 'name', () => 'value')).toBe('value');
    expect(keepSecret(folder, 'name', never)).toBe('value');
    expect(readFileSync(join(folder, 'name'), 'utf8').trim()).toBe('value');
  });

  it('writes one file for each, which only its owner can read, whatever the umask', () => {
    const umask = process.umask(0);
    try {
      keepSecret(folder, 'name', () => 'value');
      replaceSecret(folder, 'other', 'value');
    } finally {
      process.umask(umask);
    }
    expect([modeOf(join(folder, 'name')), modeOf(join(folder, 'other'))]).toEqual([0o600, 0o600]);
    expect(modeOf(folder) & 0o022).toBe(0);
    expect(readdirSync(folder)).toEqual(['name', 'other']);
  });

  it('keeps secrets apart by name', () => {
    expect(keepSecret(folder, 'a', () => '1')).toBe('1');
    expect(keepSecret(folder, 'b', () => '2')).toBe('2');
    expect(keepSecret(folder, 'a', never)).toBe('1');
  });

  it('reads a secret that a person wrote, without the line break', () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'name'), 'mine\r\n');
    expect(keepSecret(folder, 'name', never)).toBe('mine');
  });

  it.each(['', '\n'])('never returns a secret that is not stored, for a file with %j', (content) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'name'), content);
    const values: (string | typeof StartupError)[] = ['first', 'second'].map((value) => {
      try {
        return keepSecret(folder, 'name', () => value);
      } catch (error) {
        expect(error).toBeInstanceOf(StartupError);
        return StartupError;
      }
    });
    expect(values[1]).toBe(values[0]);
  });

  it('replaces a secret, with the same mode', () => {
    keepSecret(folder, 'name', () => 'old');
    replaceSecret(folder, 'name', 'new');
    expect(keepSecret(folder, 'name', never)).toBe('new');
    expect(modeOf(join(folder, 'name'))).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['name']);
  });

  it.each<[what: string, prepare: () => string]>([
    [
      'is a file',
      () => {
        writeFileSync(join(root, 'file'), '');
        return join(root, 'file');
      },
    ],
    [
      'lies below a file',
      () => {
        writeFileSync(join(root, 'file'), '');
        return join(root, 'file', 'data');
      },
    ],
    [
      'has a folder in the place of the secret',
      () => {
        mkdirSync(join(folder, 'name'), { recursive: true });
        return folder;
      },
    ],
    ['has a name that is too long', () => join(root, 'x'.repeat(300))],
  ])('throws a StartupError of one line when DATA_DIR %s', (_what, prepare) => {
    const unusable = prepare();
    for (const use of [
      () => keepSecret(unusable, 'name', () => 'v'),
      () => replaceSecret(unusable, 'name', 'v'),
    ]) {
      expect(use).toThrow(StartupError);
      expect(use).toThrow(/^DATA_DIR: .+ cannot be used \(E[A-Z_]+\); make it .+$/);
    }
  });

  it('returns the value of a process that wrote the file first', () => {
    mkdirSync(folder, { recursive: true });
    const overtaken = () => {
      writeFileSync(join(folder, 'name'), 'theirs\n');
      return 'mine';
    };
    expect(keepSecret(folder, 'name', overtaken)).toBe('theirs');
    expect(keepSecret(folder, 'name', never)).toBe('theirs');
    expect(readdirSync(folder)).toEqual(['name']);
  });

  it('returns one value to processes that start at once', async () => {
    const program = `import { keepSecret } from '${BUILT}';
      process.stdout.write(keepSecret(process.argv[1], 'name', () => String(process.pid)));`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, folder]);
    const values = (await Promise.all(Array.from({ length: 6 }, run))).map(({ stdout }) => stdout);
    expect(values[0]).toMatch(/^\d+$/);
    expect(new Set(values)).toEqual(new Set([readFileSync(join(folder, 'name'), 'utf8').trim()]));
    expect(readdirSync(folder)).toEqual(['name']);
  });
});
