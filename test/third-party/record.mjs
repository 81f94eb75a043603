import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);

/** The files on which the findings of the tools depend. */
const FILES = [
  'openapi.json',
  'clients/guias.postman_collection.json',
  'test/third-party/package-lock.json',
  'test/third-party/spectral.json',
  'test/third-party/tools.mjs',
];

export const RECORD = fileURLToPath(new URL('passed.json', import.meta.url));

/** SHA-256 of the files, in hexadecimal. */
export function fingerprint() {
  const hash = createHash('sha256');
  for (const file of FILES) hash.update(readFileSync(new URL(file, ROOT)));
  return hash.digest('hex');
}
