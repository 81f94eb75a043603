import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  it('generates another root for another DATA_DIR', () => {
    const [a, b] = ['a', 'b'].map((name) =>
      keysOf(loadSecrets(loadConfig({ DATA_DIR: join(folder, name) }))),
    );
    expect(a!.filter((key) => b!.includes(key))).toEqual([]);
  });
});
