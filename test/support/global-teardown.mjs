import { rmSync } from 'node:fs';

export default async function teardown() {
  const { postgres, folders } = globalThis.guiasTest;
  await postgres.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
