import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { NODE_RELEASES } from '../support/node-releases.js';
import { environment } from '../support/service-process.js';

const CHILD = join(import.meta.dirname, '../support/proxied-child.mjs');

/** Node 20 has no proxies. */
const knowsProxies = (release: string) => Number(release.replace(/\D/g, '')) >= 22;

describe('with NODE_USE_ENV_PROXY', () => {
  it.each(NODE_RELEASES)(
    '$release asks map services and providers through the proxy, and webhooks without it',
    async ({ release, path }) => {
      const child = spawn(path, [CHILD], {
        env: environment({ NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: 'http://127.0.0.1:18181' }),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout.on('data', (data: Buffer) => (output += data.toString()));
      await once(child, 'close');
      const { seen, provider } = JSON.parse(output) as { seen: string[]; provider: object };
      // A tunnel's socket arrives connected: the message may have been sent, so it must not be sent again.
      expect({ seen, provider }).toEqual(
        knowsProxies(release)
          ? {
              seen: ['maps.app.goo.gl:443', 'maps.apple:443'],
              provider: { hasLeft: true, code: 'ECONNRESET' },
            }
          : { seen: [], provider: { hasLeft: false, code: expect.any(String) } },
      );
    },
  );
});
