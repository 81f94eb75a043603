import { generateApiKey } from '../../src/auth/keys/api-key.js';
import { addKeyCommands } from '../../src/commands/keys.commands.js';
import { addMerchantCommands } from '../../src/commands/merchants.commands.js';
import { NOTIFICACIONES_PRUEBA } from '../../src/notifications/notifications.queue.js';
import { OpenRequestsService } from '../../src/notifications/messages/open-requests.service.js';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { eventually } from '../support/eventually.js';
import { createBridgedApp, newPhone } from '../support/messaging.js';
import { OPERATIONS } from '../support/operations.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { runCommand } from '../support/run-command.js';
import {
  APP_SECRET,
  client,
  guiaBody,
  type Answer,
  type TestApp,
  type TestMerchant,
  type TestOperator,
} from '../support/test-app.js';
import { opened } from '../support/use.js';

const GUIAS = '/api/v1/guias';
const OPERATED = '/api/v1/operaciones/guias';
const PLACE = { lat: 14.6407, lng: -90.5133 };
const BOARD_USER = 'ana:clave-de-ana';
const UNKNOWN_ID = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';

describe('test mode', () => {
  let test: TestApp;
  let live: TestMerchant;
  let tester: TestMerchant;
  let operator: TestOperator;

  const app = opened(() =>
    createBridgedApp({ env: { MESSAGES_PER_PHONE_PER_DAY: '2', BOARD_USERS: BOARD_USER } }),
  );

  beforeAll(async () => {
    test = app.test;
    live = await test.merchant();
    tester = await test.tester(live.id);
    operator = await test.operator();
  });

  const create = async (by: TestMerchant, over: Record<string, unknown> = {}) => {
    const { status, body } = await by.post(GUIAS, guiaBody({ ...PLACE, ...over }));
    expect(status).toBe(201);
    return body as { id: string; guia: string };
  };
  const modeOf = ({ headers }: Answer) => headers.get('guias-modo');
  const messagesOf = async (by: TestMerchant, query = '') =>
    (await by.get(`/api/v1/pruebas/mensajes${query}`)).body.mensajes as any[];

  describe('keys', () => {
    const env = () => ({ DATABASE_URL: test.database.url, APP_SECRET });
    const keys = (...args: string[]) => runCommand('keys', addKeyCommands, args, env());

    it('are made by command, listed with the live ones, rotated and revoked', async () => {
      const merchant = await test.merchant();
      const made = await keys('create', '--merchant', merchant.id, '--test', '--label', 'desarrollo');
      expect(made.api_key).toMatch(/^gk_test_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
      expect(made.prefix).toBe(made.api_key.slice(0, 16));
      const next = await keys('rotate', made.key_id, '--overlap', '1h');
      expect(next.api_key).toMatch(/^gk_test_/);
      for (const { api_key } of [made, next]) {
        const answer = await client(test.request, api_key).get(GUIAS);
        expect([answer.status, modeOf(answer)]).toEqual([200, 'prueba']);
      }
      const { keys: listed } = await keys('list', '--merchant', merchant.id);
      expect(listed).toMatchObject([
        { prefix: next.prefix, mode: 'test', label: 'desarrollo' },
        { prefix: made.prefix, mode: 'test' },
        { key_id: merchant.keyId, mode: 'live' },
      ]);
      expect((await keys('revoke', made.key_id)).prefix).toBe(made.prefix);
    });

    it('make no second merchant in the list, and no other test twin', async () => {
      const merchant = await test.merchant();
      for (let i = 0; i < 3; i++) await keys('create', '--merchant', merchant.id, '--test');
      const twins = await test.database.query<{ id: string; nombre: string; moneda: string }>(
        'select id, nombre, moneda from comercios where prueba_de = $1',
        [merchant.id],
      );
      expect(twins).toMatchObject([{ nombre: 'Tienda', moneda: 'GTQ' }]);
      const list = await runCommand('merchants', addMerchantCommands, ['list'], env());
      const ids = list.merchants.map(({ merchant_id }: { merchant_id: string }) => merchant_id);
      expect(ids).toContain(merchant.id);
      expect(ids).not.toContain(twins[0]!.id);
      await expect(keys('create', '--merchant', twins[0]!.id)).rejects.toThrow('no merchant has the id');
    });

    it('cannot be created for an operator', async () => {
      await expect(keys('create', '--operator', 'Mensajeros', '--test')).rejects.toThrow('--test');
    });
  });

  describe('Guias-Modo: prueba', () => {
    it('is on every answer to a test key, errors too', async () => {
      const answers: [number, () => Promise<Answer>][] = [
        [201, () => tester.post(GUIAS, guiaBody())],
        [200, () => tester.get(GUIAS)],
        [400, () => tester.post(GUIAS, '{')],
        [400, () => tester.get(`${GUIAS}?cursor=x`)],
        [403, () => tester.get(OPERATED)],
        [404, () => tester.get(`${GUIAS}/${UNKNOWN_ID}`)],
        [404, () => tester.get('/nada')],
        [404, () => tester.get(`${GUIAS}/%ff`)],
        [405, () => tester.delete(GUIAS)],
        [413, () => tester.post(GUIAS, ' '.repeat(40_000))],
      ];
      for (const [status, send] of answers) {
        const answer = await send();
        expect([answer.status, modeOf(answer)]).toEqual([status, 'prueba']);
      }
    });

    it('is on no answer to a live key, to none, or to a test key that does not work', async () => {
      const wrong = client(test.request, generateApiKey('test'));
      for (const answer of [
        await live.get(GUIAS),
        await live.get('/nada'),
        await test.request(GUIAS),
        await wrong.get(GUIAS),
      ])
        expect(modeOf(answer)).toBeNull();
    });
  });

  describe('a test guide and a real one', () => {
    it('with the same external_ref are two, and neither key sees the other', async () => {
      const [real, trial] = [
        await create(live, { external_ref: 'pedido-1' }),
        await create(tester, { external_ref: 'pedido-1' }),
      ];
      expect(trial.id).not.toBe(real.id);
      for (const [by, own, other] of [
        [live, real, trial],
        [tester, trial, real],
      ] as const) {
        const { guias } = (await by.get(`${GUIAS}?limit=100`)).body;
        const ids = guias.map(({ id }: { id: string }) => id);
        expect([ids.includes(own.id), ids.includes(other.id)]).toEqual([true, false]);
        for (const name of [other.id, other.guia]) {
          expectProblem(await by.get(`${GUIAS}/${name}`), 'no_encontrado');
          expectProblem(await by.post(`${GUIAS}/${name}/cancelar`), 'no_encontrado');
        }
      }
    });

    it('have webhooks of their own', async () => {
      await tester.post('/api/v1/webhooks', { url: 'https://prueba.example/avisos' });
      expect((await live.get('/api/v1/webhooks')).body.webhooks).toEqual([]);
    });
  });

  describe('messages', () => {
    it('of test guides are kept for the developer and reach nobody; those of real guides leave', async () => {
      const [telefono, other] = [newPhone(), newPhone()];
      const trial = await create(tester, { telefono, lat: undefined, lng: undefined });
      await create(live, { telefono: other, lat: undefined, lng: undefined });
      const [message] = await eventually(async () => {
        const found = await messagesOf(tester, `?guia=${trial.guia}`);
        expect(found).toHaveLength(1);
        return found;
      });
      expect(message).toMatchObject({
        ...{ tipo: 'confirmacion_ubicacion', guia: trial.guia, guia_id: trial.id, telefono },
        texto: expect.stringContaining(message.enlace),
      });
      const page = await fetch(test.url + new URL(message.enlace).pathname);
      expect(page.status).toBe(200);
      await eventually(() => expect(app.bridge.sentTo(other)).toHaveLength(1));
      expect(app.bridge.sentTo(telefono)).toEqual([]);
    });

    it('of test guides that are meant to fail leave no failed job, and do not count as those of the real provider', async () => {
      const trial = await create(tester, { telefono: '+50255110002', lat: undefined, lng: undefined });
      const { id } = await app.messaging.reached(trial, 'fallido');
      const { advertencias } = (await tester.get(`${GUIAS}/${trial.id}`)).body.guia;
      expect(advertencias).toEqual(['mensaje_fallido']);
      const job = await eventually(async () => {
        const queue = test.app.get(QueuesService).queue(NOTIFICACIONES_PRUEBA);
        expect(await queue.getJobState(id)).toBe('completed');
        return (await queue.getJob(id))!;
      });
      expect(job.returnvalue).toContain('terminado en 0002 no recibe mensajes');
      const { text: metrics } = await test.request('/metrics');
      expect(metrics).toMatch(/^messages_total\{provider="sandbox",result="failed"\} [1-9]/m);
      expect(metrics).not.toMatch(/^messages_total\{provider="webhook",result="failed"\}/m);
    });

    it('use up none of a number of messages a day', async () => {
      const telefono = newPhone();
      for (let i = 0; i < 3; i++) await create(tester, { telefono, lat: undefined, lng: undefined });
      await eventually(async () => {
        const all = (await messagesOf(tester, '?limit=100')).filter((one) => one.telefono === telefono);
        expect(all).toHaveLength(3);
      });
      await create(live, { telefono, lat: undefined, lng: undefined });
      await eventually(() => expect(app.bridge.sentTo(telefono)).toHaveLength(1));
    });

    it('are listed page by page, of one guide or of all, by their merchant alone', async () => {
      const guias = [];
      for (let i = 0; i < 3; i++) guias.push(await create(tester, { lat: undefined, lng: undefined }));
      const wanted = guias.map(({ id }) => id).reverse();
      const seen = async () => {
        const found: string[] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const { body } = await tester.get(
            `/api/v1/pruebas/mensajes?limit=2${cursor && `&cursor=${cursor}`}`,
          );
          found.push(...body.mensajes.map(({ guia_id }: { guia_id: string }) => guia_id));
          cursor = body.siguiente_cursor;
        }
        return found;
      };
      await eventually(async () => expect((await seen()).slice(0, 3)).toEqual(wanted));
      expect(await messagesOf(tester, `?guia=${wanted[0]}`)).toHaveLength(1);
      expect(await messagesOf(await test.tester(), `?guia=${wanted[0]}`)).toEqual([]);
      expectFaults(await tester.get('/api/v1/pruebas/mensajes?guia=x'), ['guia: formato']);
    });
  });

  it('are not confirmed by a location that a person sends: nobody was asked about a test guide', async () => {
    const telefono = newPhone();
    const place = { telefono, lat: undefined, lng: undefined };
    const real = await create(live, place);
    const trial = await create(tester, place);
    await eventually(async () => {
      expect(app.bridge.sentTo(telefono)).toHaveLength(1);
      expect(await messagesOf(tester, `?guia=${trial.id}`)).toHaveLength(1);
    });
    const open = await test.app.get(OpenRequestsService).list({ telefono, usuario: null });
    expect(open.map(({ guia }) => guia)).toEqual([real.guia]);
  });

  it('is marked on the page of a guide for support', async () => {
    const authorization = `Basic ${Buffer.from(BOARD_USER).toString('base64')}`;
    const page = async ({ guia }: { guia: string }) =>
      (await test.request(`/admin/guias/${guia}`, { headers: { authorization } })).text;
    expect(await page(await create(tester))).toContain('prueba: nadie la recoge ni la entrega');
    expect(await page(await create(live))).not.toContain('prueba');
  });

  describe('the routes for tests', () => {
    const routes = OPERATIONS.filter(({ role }) => role === 'test');

    it.each(routes)('$name refuses live keys and those of operators', async ({ method, path, bodies }) => {
      const { id } = await create(live);
      for (const [key, codigo] of [
        [live.key, 'requiere_clave_de_prueba'],
        [operator.key, 'sin_permiso'],
      ] as const) {
        const [body] = bodies;
        const answer = await test.request(path.replace(':id', id), {
          method,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(method === 'POST' && { body: JSON.stringify(body) }),
        });
        expectProblem(answer, codigo);
      }
    });

    it.each(routes.filter(({ kind }) => kind !== undefined))(
      "$name finds no guide of another merchant, nor a real one of one's own",
      async ({ method, path, bodies }) => {
        const others = [await create(await test.tester()), await create(live)];
        for (const { id, guia } of others)
          for (const name of [id, guia]) {
            const at = path.replace(':id', name);
            expectProblem(
              method === 'GET' ? await tester.get(at) : await tester.post(at, bodies[0]),
              'no_encontrado',
            );
          }
      },
    );

    it('move a guide as operators do, with the same history', async () => {
      const { id, guia } = await create(tester, { cod_amount: 20 });
      const move = (name: string, body: object) => tester.post(`/api/v1/pruebas/guias/${name}/estado`, body);
      expectProblem(await move(id, { estado: 'recogido' }), 'transicion_invalida');
      expect((await move(id, { estado: 'en_camino_a_recoger', ref: 'r1' })).status).toBe(201);
      const again = await move(guia, { estado: 'en_camino_a_recoger', ref: 'r1' });
      expect([again.status, again.body.duplicado]).toEqual([200, true]);
      for (const estado of ['recogido', 'en_ruta']) await move(guia, { estado });
      expectFaults(await move(id, { estado: 'entregado' }), ['cod_cobrado: requerido']);
      expect((await move(id, { estado: 'entregado', cod_cobrado: 20 })).body.estado).toBe('entregado');
      const { eventos } = (await tester.get(`${GUIAS}/${id}/eventos`)).body;
      expect(eventos.map(({ actor }: { actor: string }) => actor)).toEqual([
        'comercio',
        ...Array.from({ length: 4 }, () => 'operador'),
      ]);
    });
  });
});
