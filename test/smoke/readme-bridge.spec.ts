import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { NODE_RELEASES } from '../support/node-releases.js';
import { createTestApp, guiaBody } from '../support/test-app.js';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/messaging.md'), 'utf8');
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

describe.each(NODE_RELEASES)('the bridge that docs/messaging.md shows, on $release', ({ path: node }) => {
  it('takes a message, once, and refuses what is not signed', async () => {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'guias-bridge-'));
    const source = PAGE.split('## Any other channel: the bridge')[1]!.split('```js\n')[1]!.split('```')[0]!;
    writeFileSync(join(folder, 'bridge.mjs'), source);
    const bridge = spawn(node, [join(folder, 'bridge.mjs')], {
      env: { PATH: process.env.PATH, MESSAGING_WEBHOOK_SECRET: SECRET, PORT: String(port) },
    });
    let output = '';
    bridge.stdout.on('data', (data: Buffer) => (output += data.toString()));
    const test = await createTestApp({
      env: {
        MESSAGING_PROVIDER: 'webhook',
        MESSAGING_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
        MESSAGING_WEBHOOK_SECRET: SECRET,
      },
    });
    try {
      const forged = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
      await eventually(async () => expect((await forged().catch(() => undefined))?.status).toBe(401));
      const merchant = await test.merchant();
      const { body } = await merchant.post('/api/v1/guias', guiaBody());
      await eventually(() => expect(output).toContain(body.guia));
      expect(output).toMatch(/^to \+50255551234: Hola: Tienda te envía/);
      await eventually(async () => {
        const rows = await test.database.query<{ estado: string }>(
          'select estado, proveedor_id, id from mensajes',
        );
        expect(rows).toEqual([expect.objectContaining({ estado: 'aceptado' })]);
      });
      expect(output.trim().split('\n')).toHaveLength(1);
    } finally {
      await test.close();
      bridge.kill();
      rmSync(folder, { recursive: true });
    }
  });
});
