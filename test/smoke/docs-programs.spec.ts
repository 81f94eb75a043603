import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { NODE_RELEASES } from '../support/node-releases.js';
import { createTestApp, guiaBody, type TestApp } from '../support/test-app.js';
import { ALLOW_PRIVATE, PATH } from '../support/webhooks.js';

const ROOT = resolve(import.meta.dirname, '../..');
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

/** The program that a page of docs/ shows below a heading. */
function programOf(page: string, heading: string): string {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  return text.split(`\n${heading}\n`)[1]!.split('```js\n')[1]!.split('```')[0]!;
}

interface Program {
  url: string;
  output(): string;
  end(): Promise<void>;
}

/** Runs a program on a port until it refuses a request that is not signed. */
async function runProgram(
  source: string,
  port: number,
  env: Record<string, string>,
  node: string,
): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'guias-program-'));
  writeFileSync(join(folder, 'program.mjs'), source);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const child = spawn(node, [join(folder, 'program.mjs')], {
    env: { PATH: process.env.PATH, PORT: String(port), ...env },
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  const url = `http://127.0.0.1:${port}/`;
  const exited = once(child, 'exit');
  const end = async () => {
    child.kill();
    await exited;
    rmSync(folder, { recursive: true });
  };
  const forged = () => fetch(url, { method: 'POST', body: '{}' });
  try {
    await eventually(async () => expect((await forged().catch(() => undefined))?.status).toBe(401));
  } catch (error) {
    await end();
    throw error;
  }
  return { url, output: () => output, end };
}

describe('the programs that docs/ shows', () => {
  let bridgePort: number;
  let test: TestApp;

  beforeAll(async () => {
    bridgePort = await freePort();
    test = await createTestApp({
      env: {
        ...ALLOW_PRIVATE,
        MESSAGING_PROVIDER: 'webhook',
        MESSAGING_WEBHOOK_URL: `http://127.0.0.1:${bridgePort}/`,
        MESSAGING_WEBHOOK_SECRET: SECRET,
      },
    });
  });
  afterAll(() => test.close());

  it.each(NODE_RELEASES)(
    'the bridge of messaging.md takes a message, once, and refuses what is not signed, on $release',
    async ({ path: node }) => {
      const source = programOf('messaging.md', '## Webhook: your own bridge');
      const bridge = await runProgram(source, bridgePort, { MESSAGING_WEBHOOK_SECRET: SECRET }, node);
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

  it.each(NODE_RELEASES)(
    'the receiver of webhooks.md takes what is signed, once, and nothing else, on $release',
    async ({ path: node }) => {
      const port = await freePort();
      const merchant = await test.merchant();
      const { webhook, secreto } = (await merchant.post(PATH, { url: `http://127.0.0.1:${port}/` })).body;
      const source = programOf('webhooks.md', '## Receive');
      const receiver = await runProgram(source, port, { WEBHOOK_SECRET: secreto }, node);
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
});
