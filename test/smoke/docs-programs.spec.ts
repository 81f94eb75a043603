import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { NODE_RELEASES } from '../support/node-releases.js';
import {
  callHostilely,
  forgeWithout,
  NO_SECRETS,
  startReceiverProgram,
} from '../support/receiver-programs.js';
import { createTestApp, guiaBody, type TestApp } from '../support/test-app.js';
import { ALLOW_PRIVATE, PATH } from '../support/webhooks.js';

/** The oldest and the newest. */
const RELEASES = NODE_RELEASES.filter((_, n) => n === 0 || n === NODE_RELEASES.length - 1);

const ROOT = resolve(import.meta.dirname, '../..');
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

/** The program that a page of docs/ shows below a heading. */
function programOf(page: string, heading: string): string {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  return text.split(`\n${heading}\n`)[1]!.split('```js\n')[1]!.split('```')[0]!;
}

const BRIDGE = programOf('messaging.md', '## Webhook: your own bridge');
const RECEIVER = programOf('webhooks.md', '## Recibir');

describe('the programs that docs/ shows', () => {
  let bridgePort: number;
  let folder: string;
  let test: TestApp;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'guias-program-'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'bridge.mjs'), BRIDGE);
    writeFileSync(join(folder, 'receptor.mjs'), RECEIVER);
    bridgePort = await freePort();
    test = await createTestApp({
      env: {
        ROLE: 'all',
        ...ALLOW_PRIVATE,
        MESSAGING_PROVIDER: 'webhook',
        MESSAGING_WEBHOOK_URL: `http://127.0.0.1:${bridgePort}/`,
        MESSAGING_WEBHOOK_SECRET: SECRET,
      },
    });
  });
  afterAll(async () => {
    await test.close();
    rmSync(folder, { recursive: true });
  });

  const run = (node: string, program: string, env: Record<string, string>, port?: number) =>
    startReceiverProgram(node, () => [program], { cwd: folder, env, port });

  it.each(RELEASES)(
    'the bridge of messaging.md takes a message, once, and refuses what is not signed, on $release',
    async ({ path: node }) => {
      const bridge = await run(node, 'bridge.mjs', { MESSAGING_WEBHOOK_SECRET: SECRET }, bridgePort);
      try {
        const merchant = await test.merchant();
        const { body } = await merchant.post('/api/v1/guias', guiaBody());
        await eventually(() => expect(bridge.output()).toContain(body.guia));
        expect(bridge.output()).toMatch(/^to \+50255551234: Hola: Tienda te envía/);
        await eventually(async () => {
          const rows = await test.database.query(
            'select estado, proveedor_id, id from mensajes where guia_id = $1',
            [body.id],
          );
          expect(rows).toEqual([expect.objectContaining({ estado: 'aceptado' })]);
        });
        expect(bridge.output().trim().split('\n')).toHaveLength(1);
      } finally {
        await bridge.end();
      }
    },
  );

  it.each(RELEASES)(
    'the receiver of webhooks.md takes what is signed, once, and nothing else, on $release',
    async ({ path: node }) => {
      const port = await freePort();
      const merchant = await test.merchant();
      const { webhook, secreto } = (await merchant.post(PATH, { url: `http://127.0.0.1:${port}/` })).body;
      const receiver = await run(node, 'receptor.mjs', { WEBHOOK_SECRET: secreto }, port);
      try {
        const { body } = await merchant.post(
          '/api/v1/guias',
          guiaBody({ lat: 14.64, lng: -90.51, nombre: 'Ñandú 📦' }),
        );
        await eventually(() => expect(receiver.output()).toBe(`guia.creada ${body.guia} 1: aceptado\n`));
        const answered = (statuses: number[]) =>
          eventually(async () => {
            const { entregas } = (await merchant.get(`${PATH}/${webhook.id}/entregas`)).body;
            const { entrega } = (await merchant.get(`${PATH}/${webhook.id}/entregas/${entregas[0].id}`)).body;
            expect(entrega.historial.map((one: { estado_http: number }) => one.estado_http)).toEqual(
              statuses,
            );
          });
        // A delivery is sent again only once its attempt has ended.
        await answered([204]);
        await merchant.post(`${PATH}/${webhook.id}/reenviar`, { desde: '2020-01-01' });
        await answered([204, 204]);
        const { entrega } = (await merchant.post(`${PATH}/${webhook.id}/probar`)).body;
        expect(entrega.estado).toBe('entregada');
        expect(receiver.output().match(/guia\.creada/g)).toHaveLength(1);
      } finally {
        await receiver.end();
      }
    },
  );

  describe.each([
    ['bridge.mjs', 'MESSAGING_WEBHOOK_SECRET', [202, 202]],
    ['receptor.mjs', 'WEBHOOK_SECRET', [204, 204]],
  ])('%s', (program, variable, taken) => {
    it.each(RELEASES)(
      'survives aborted requests and believes no forged one, on $release',
      async ({ path }) => {
        const receiver = await run(path, program, { [variable]: SECRET });
        try {
          const found = await callHostilely(receiver, SECRET);
          expect(found).toEqual({ notRefused: [], believed: false, taken, printed: 1 });
        } finally {
          await receiver.end();
        }
      },
    );

    it.each(Object.entries(NO_SECRETS))('believes nothing with %s, and says so', async (_, secret) => {
      const env = secret === undefined ? {} : { [variable]: secret };
      const receiver = await run(process.execPath, program, env);
      try {
        expect(await forgeWithout(receiver.url, secret)).toBeGreaterThanOrEqual(500);
        expect(receiver.errors()).toMatch(/secret/i);
        expect(receiver.isAlive()).toBe(true);
      } finally {
        await receiver.end();
      }
    });
  });
});
