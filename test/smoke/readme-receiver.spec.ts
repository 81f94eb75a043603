import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { NODE_RELEASES } from '../support/node-releases.js';
import { createTestApp, guiaBody } from '../support/test-app.js';
import { ALLOW_PRIVATE, PATH } from '../support/webhooks.js';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');

describe.each(NODE_RELEASES)('the receiver that docs/webhooks.md shows, on $release', ({ path: node }) => {
  it('takes what is signed, once, and nothing else', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const folder = mkdtempSync(join(tmpdir(), 'guias-receiver-'));
    const source = PAGE.split(/^## Receive$/m)[1]!
      .split('```js\n')[1]!
      .split('```')[0]!;
    writeFileSync(join(folder, 'receiver.mjs'), source);
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const test = await createTestApp({ env: ALLOW_PRIVATE });
    const merchant = await test.merchant();
    const { webhook, secreto } = (await merchant.post(PATH, { url })).body;
    const receiver = spawn(node, [join(folder, 'receiver.mjs')], {
      env: { PATH: process.env.PATH, WEBHOOK_SECRET: secreto, PORT: String(port) },
    });
    let output = '';
    receiver.stdout.on('data', (data: Buffer) => (output += data.toString()));
    try {
      const forged = () => fetch(url, { method: 'POST', body: '{}' });
      await eventually(async () => expect((await forged().catch(() => undefined))?.status).toBe(401));
      const { body } = await merchant.post(
        '/api/v1/guias',
        guiaBody({ lat: 14.64, lng: -90.51, nombre: 'Ñandú 📦' }),
      );
      await eventually(() => expect(output).toBe(`guia.creada ${body.guia} 1: aceptado\n`));
      const answered = (statuses: number[]) =>
        eventually(async () => {
          const { entregas } = (await merchant.get(`${PATH}/${webhook.id}/entregas`)).body;
          const { historial } = (await merchant.get(`${PATH}/${webhook.id}/entregas/${entregas[0].id}`)).body
            .entrega;
          expect(historial.map(({ estado_http }: { estado_http: number }) => estado_http)).toEqual(statuses);
        });
      // A delivery is sent again only once its attempt has ended.
      await answered([204]);
      await merchant.post(`${PATH}/${webhook.id}/reenviar`, { desde: '2020-01-01' });
      await answered([204, 204]);
      const { entrega } = (await merchant.post(`${PATH}/${webhook.id}/probar`)).body;
      expect(entrega.estado).toBe('entregada');
      expect(output.match(/guia\.creada/g)).toHaveLength(1);
    } finally {
      await test.close();
      receiver.kill();
      rmSync(folder, { recursive: true });
    }
  });
});
