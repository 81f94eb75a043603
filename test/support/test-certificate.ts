import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DATA = join(import.meta.dirname, '..', 'data');
const read = (name: string) => readFileSync(join(DATA, `test-only-map-hosts.${name}.pem`), 'utf8');

/** For TLS servers on loopback named maps.app.goo.gl or maps.apple; only tests trust it. */
export const TEST_CERTIFICATE = { key: read('key'), cert: read('cert') };
