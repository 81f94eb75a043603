import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '../errors/startup-error.js';
import { loadConfig } from './env.js';
import { loadSecrets, Secrets } from './secrets.js';

const ROOT = 'a root secret of thirty-two bytes or more';
const keysOf = (secrets: Secrets) => Object.values(secrets).map((key: Buffer) => key.toString('hex'));

describe('Secrets', () => {
  it('are 32 bytes each and differ by purpose', () => {
    const keys = keysOf(new Secrets(ROOT));
    expect(keys.length).toBeGreaterThanOrEqual(3);
    expect(keys.filter((key) => !/^[0-9a-f]{64}$/.test(key))).toEqual([]);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('are the same in every process with the same root', () => {
    expect(keysOf(new Secrets(ROOT))).toEqual(keysOf(new Secrets(ROOT)));
  });

  it('differ from those of another root', () => {
    const others = keysOf(new Secrets(`${ROOT}.`));
    expect(keysOf(new Secrets(ROOT)).filter((key) => others.includes(key))).toEqual([]);
  });

  it('do not contain the root', () => {
    expect(keysOf(new Secrets(ROOT)).join().includes(Buffer.from(ROOT).toString('hex').slice(0, 16))).toBe(
      false,
    );
  });
});

describe('loadSecrets', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'guias-secrets-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('derives from APP_SECRET where it is set, and writes nothing', () => {
    const secrets = loadSecrets(loadConfig({ APP_SECRET: ROOT, DATA_DIR: folder }));
    expect(keysOf(secrets)).toEqual(keysOf(new Secrets(ROOT)));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('generates a root into DATA_DIR once, and finds it again', () => {
    const config = loadConfig({ DATA_DIR: join(folder, 'data') });
    const first = keysOf(loadSecrets(config));
    expect(existsSync(join(folder, 'data', 'app-secret'))).toBe(true);
    expect(keysOf(loadSecrets(config))).toEqual(first);
  });

  describe('refuses a secret that was lost, in one line that says what another one costs', () => {
    const REMEDY =
      'put it back from the backup, or set APP_SECRET to a new value to give up all API keys, links and webhook secrets';
    const load = (environment = {}) => loadSecrets(loadConfig({ DATA_DIR: folder, ...environment }));
    const faultOf = (action: () => unknown) => {
      try {
        action();
      } catch (error) {
        expect(error).toBeInstanceOf(StartupError);
        return (error as Error).message;
      }
      return undefined;
    };
    const makeCluster = () => {
      mkdirSync(join(folder, 'postgres'));
      writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '18\n');
    };

    it('when its file is shorter than 32 bytes', () => {
      writeFileSync(join(folder, 'app-secret'), 'x'.repeat(31));
      expect(faultOf(load)).toBe(
        `DATA_DIR: ${join(folder, 'app-secret')} has fewer than 32 bytes; ${REMEDY}`,
      );
    });

    it('when its file is missing or empty beside a cluster, and makes none', () => {
      makeCluster();
      const fault = `DATA_DIR: ${join(folder, 'app-secret')} is missing or empty; ${REMEDY}`;
      expect(faultOf(load)).toBe(fault);
      expect(readdirSync(folder)).toEqual(['postgres']);
      writeFileSync(join(folder, 'app-secret'), '\n');
      expect(faultOf(load)).toBe(fault);
    });

    it('but says that an empty file can be deleted where no cluster needs it, and that works', () => {
      const file = join(folder, 'app-secret');
      writeFileSync(file, '');
      expect(faultOf(load)).toBe(`DATA_DIR: ${file} is empty; delete it to generate a new one`);
      rmSync(file);
      expect(faultOf(load)).toBeUndefined();
    });

    it('but not when APP_SECRET is set', () => {
      makeCluster();
      expect(keysOf(load({ APP_SECRET: ROOT }))).toEqual(keysOf(new Secrets(ROOT)));
    });

    it('nor after a start that was cut off before its cluster was complete', () => {
      const first = keysOf(load());
      mkdirSync(join(folder, 'postgres'));
      expect(keysOf(load())).toEqual(first);
    });
  });
});
