import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '../platform/errors/startup-error.js';
import { generateApiKey, type KeyMode } from './keys/api-key.js';
import { ensureDemoKeys } from './demo-merchant.js';

const never = () => {
  throw new Error('the database was asked');
};

describe('ensureDemoKeys', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'guias-demo-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** With a merchant whose stored keys all work. */
  const ensure = () => {
    const services = {
      merchants: { create: never, find: never, testTwinOf: never },
      keys: { findByIdentifier: () => ({ comercio_id: 'm', revocada_en: null }), create: never },
      authentication: { authenticate: () => true },
    };
    return ensureDemoKeys(folder, 'GT', services as unknown as Parameters<typeof ensureDemoKeys>[2]);
  };
  const write = (name: string, content: string) => writeFileSync(join(folder, name), `${content}\n`);

  it('returns the stored keys', async () => {
    const [live, test] = [generateApiKey('live'), generateApiKey('test')];
    write('demo-key', live);
    write('demo-test-key', test);
    await expect(ensure()).resolves.toEqual({ live, test });
  });

  describe.each<[file: string, mode: KeyMode]>([
    ['demo-key', 'live'],
    ['demo-test-key', 'test'],
  ])('refuses %s in one line that says how to mend it', (file, mode) => {
    it.each<[what: string, damage: (key: string) => string]>([
      ['holds a word', () => 'hola'],
      ['holds a key that is cut', (key) => key.slice(0, 20)],
      ['holds a key with a wrong checksum', (key) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')],
    ])('when it %s', async (_what, damage) => {
      write('demo-key', generateApiKey('live'));
      write(file, damage(generateApiKey(mode)));
      const fault = await ensure().catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(StartupError);
      expect((fault as Error).message).toBe(
        `DATA_DIR: ${join(folder, file)} holds no API key; put its content back, or delete it to have a new one`,
      );
    });
  });
});
