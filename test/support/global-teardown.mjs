import { rmSync } from 'node:fs';

export default async function teardown() {
  const { postgres, dataDir } = globalThis.guiasTest;
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
