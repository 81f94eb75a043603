import { RelayService } from '../../src/events/relay.service.js';
import { Lives } from '../support/lives.js';
import { expectProblem } from '../support/problem.js';
import { routesOf, type Route } from '../support/routes.js';
import {
  createTestApp,
  guiaBody,
  type Answer,
  type TestApp,
  type TestMerchant,
  type TestOperator,
} from '../support/test-app.js';

/** What merchant A owns, by the kind that a path names with `:id`. */
type Owned = { guia: { id: string; guia: string }; webhook: { id: string } };

interface RouteAccess {
  /** Whose keys may use it. */
  role: 'merchant' | 'operator';
  /** What `:id` names, if the path has one. */
  names?: keyof Owned;
  /** A valid body. */
  body?: (owned: Owned) => unknown;
}

const URL_OF_A = 'https://tienda.example/avisos';

/** Every route below /api/v1. A new route is added here. */
const ROUTES: Record<string, RouteAccess> = {
  'GET /api/v1/guias': { role: 'merchant' },
  'POST /api/v1/guias': { role: 'merchant', body: () => guiaBody({ external_ref: 'de-a' }) },
  'GET /api/v1/guias/:id': { role: 'merchant', names: 'guia' },
  'PATCH /api/v1/guias/:id': { role: 'merchant', names: 'guia', body: () => ({ notas: 'de otro' }) },
  'POST /api/v1/guias/:id/cancelar': { role: 'merchant', names: 'guia', body: () => ({ nota: 'de otro' }) },
  'GET /api/v1/guias/:id/eventos': { role: 'merchant', names: 'guia' },
  'GET /api/v1/webhooks': { role: 'merchant' },
  'POST /api/v1/webhooks': { role: 'merchant', body: () => ({ url: URL_OF_A }) },
  'GET /api/v1/webhooks/:id': { role: 'merchant', names: 'webhook' },
  'PATCH /api/v1/webhooks/:id': { role: 'merchant', names: 'webhook', body: () => ({ activo: false }) },
  'DELETE /api/v1/webhooks/:id': { role: 'merchant', names: 'webhook' },
  'POST /api/v1/webhooks/:id/rotar': { role: 'merchant', names: 'webhook' },
  'POST /api/v1/webhooks/:id/probar': { role: 'merchant', names: 'webhook' },
  'POST /api/v1/webhooks/:id/reenviar': {
    role: 'merchant',
    names: 'webhook',
    body: () => ({ desde: '2020-01-01' }),
  },
  'GET /api/v1/webhooks/:id/entregas': { role: 'merchant', names: 'webhook' },
  'GET /api/v1/webhooks/:id/entregas/:entrega': { role: 'merchant', names: 'webhook' },
  'POST /api/v1/operaciones/guias/:id/eventos': {
    role: 'operator',
    names: 'guia',
    body: () => ({ estado: 'en_camino_a_recoger' }),
  },
  'POST /api/v1/operaciones/eventos': {
    role: 'operator',
    body: ({ guia }) => ({ eventos: [{ guia: guia.id, estado: 'en_camino_a_recoger' }] }),
  },
};
const routesFor = (role: RouteAccess['role']) =>
  Object.entries(ROUTES).filter(([, access]) => access.role === role);

describe('access by key', () => {
  let test: TestApp;
  let a: TestMerchant;
  let b: TestMerchant;
  let operator: TestOperator;
  let owned: Owned;

  beforeAll(async () => {
    // Without workers and relay: only requests change anything.
    test = await createTestApp({ env: { ROLE: 'api' } });
    await test.app.get(RelayService).beforeApplicationShutdown();
    [a, b] = [await test.merchant(), await test.merchant()];
    operator = await test.operator();
    const guia = await new Lives(test, a).create({ external_ref: 'de-a' });
    const { webhook } = (await a.post('/api/v1/webhooks', { url: URL_OF_A })).body;
    owned = { guia, webhook: { id: webhook.id } };
    await operator.move(owned.guia.id, { estado: 'en_camino_a_recoger' });
    await operator.move(owned.guia.id, { estado: 'aceptado' });
  });
  afterAll(() => test.close());

  const send = (route: string, key: string, path: string): Promise<Answer> => {
    const [method = ''] = route.split(' ');
    const body = ROUTES[route]!.body?.(owned);
    return test.request(path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  /** The paths of a route to what A owns, by each of its names. */
  const pathsOf = (route: string): string[] => {
    const path = route.split(' ')[1]!;
    const { names } = ROUTES[route]!;
    return names === undefined
      ? [path]
      : Object.values(owned[names]).map((name) => path.replace(':id', name));
  };
  /** Every row of a merchant, in all tables. */
  const rowsOf = async ({ id }: TestMerchant) => {
    const tables = await test.database.query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'comercio_id' order by 1`,
    );
    const rows = tables.map(
      ({ name }) =>
        `select '${name}' as tabla, to_jsonb(t) - 'ultimo_uso_en' as fila from ${name} t where comercio_id = $1`,
    );
    return test.database.query(`${rows.join(' union all ')} order by 1, 2`, [id]);
  };

  it('is stated above for every route of the app', () => {
    const isOurs = ({ method, path }: Route) => path.startsWith('/api/v1/') && method !== 'HEAD';
    const known = routesOf(test)
      .filter(isOurs)
      .map(({ method, path }) => `${method} ${path}`);
    expect(known.sort()).toEqual(Object.keys(ROUTES).sort());
    expect(known.filter((route) => route.includes(':') && !ROUTES[route]!.names)).toEqual([]);
  });

  it.each(routesFor('merchant').filter(([, { names }]) => names))(
    "%s with B's key and A's id gets 404 and changes nothing",
    async (route) => {
      const before = [await rowsOf(a), await rowsOf(b)];
      for (const path of pathsOf(route)) {
        const unknown = await send(
          route,
          b.key,
          route.split(' ')[1]!.replace(':id', '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57'),
        );
        const answer = await send(route, b.key, path);
        expectProblem(answer, 'no_encontrado');
        // Exactly the answer to an id that does not exist.
        expect({ ...answer.body, instance: '' }).toEqual({ ...unknown.body, instance: '' });
        // /api/v1/guias/… with the key of its owner: it exists.
        expect((await a.get(path.split('/').slice(0, 5).join('/'))).status).toBe(200);
      }
      expect([await rowsOf(a), await rowsOf(b)]).toEqual(before);
    },
  );

  it.each(routesFor('merchant').filter(([, { names }]) => !names))(
    "%s with B's key neither shows nor changes what A owns",
    async (route) => {
      const before = await rowsOf(a);
      const answer = await send(route, b.key, pathsOf(route)[0]!);
      expect([200, 201]).toContain(answer.status);
      for (const names of Object.values(owned))
        for (const name of Object.values(names)) expect(answer.text).not.toContain(name);
      expect(await rowsOf(a)).toEqual(before);
    },
  );

  it.each(routesFor('merchant'))("%s with an operator's key gets 403 and changes nothing", async (route) => {
    const before = await rowsOf(a);
    for (const path of pathsOf(route)) expectProblem(await send(route, operator.key, path), 'sin_permiso');
    expect(await rowsOf(a)).toEqual(before);
  });

  it.each(routesFor('operator'))(
    "%s with a merchant's key, even the owner's, gets 403 and changes nothing",
    async (route) => {
      const before = await rowsOf(a);
      for (const { key } of [a, b])
        for (const path of pathsOf(route)) expectProblem(await send(route, key, path), 'sin_permiso');
      expect(await rowsOf(a)).toEqual(before);
    },
  );

  it.each(routesFor('operator'))(
    "%s with an operator's key accepts guides of any merchant",
    async (route) => {
      const { id } = await new Lives(test, await test.merchant()).create();
      const body = ROUTES[route]!.body!({ ...owned, guia: { id, guia: id } });
      const answer = await operator.post(route.split(' ')[1]!.replace(':id', id), body);
      expect([200, 201]).toContain(answer.status);
      expect(answer.text).toContain(id);
    },
  );

  it("an operator's revoked key gets 401", async () => {
    const ended = await test.operator('Cesada');
    await test.database.query('update claves_api set revocada_en = now() where operador_id = $1', [ended.id]);
    expectProblem(await ended.move(owned.guia.id, { estado: 'en_camino_a_recoger' }), 'no_autenticado');
  });
});
