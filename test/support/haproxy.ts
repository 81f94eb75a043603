import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { ROOT } from './service-process.js';
import { describeWithProgram } from './skipping.js';

/** Debian's place, which is not in every PATH. */
export const HAPROXY = '/usr/sbin/haproxy';

export const describeWithHaproxy = describeWithProgram(HAPROXY);

export interface Haproxy {
  url: string;
  stop(): Promise<void>;
}

/** HAProxy with the configuration of the documentation, in front of two ports of this machine. */
export async function startHaproxy(ports: readonly [number, number]): Promise<Haproxy> {
  const folder = mkdtempSync(join(tmpdir(), 'guias-haproxy-'));
  const config = join(folder, 'haproxy.cfg');
  const port = await freePort();
  let server = 0;
  const text = readFileSync(join(ROOT, 'docs/scaling/haproxy.cfg'), 'utf8')
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    .replace(/10\.0\.0\.\d:3000/g, () => `127.0.0.1:${ports[server++]}`);
  writeFileSync(config, text);
  const child = spawn(HAPROXY, ['-f', config], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const refused = ended.then(() => {
    throw new Error(`haproxy ended before it listened; try: ${HAPROXY} -d -f docs/scaling/haproxy.cfg`);
  });
  refused.catch(() => undefined);
  await Promise.race([eventually(() => fetch(url)), refused]);
  return {
    url,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
