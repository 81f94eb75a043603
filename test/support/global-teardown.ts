import { rmSync } from 'node:fs';
import type { TestGlobals } from './global-setup.js';

export default async function teardown(): Promise<void> {
  const { postgres, dataDir } = (globalThis as unknown as { guiasTest: TestGlobals }).guiasTest;
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
