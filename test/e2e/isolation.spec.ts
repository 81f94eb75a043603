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

/** A thing of a merchant that a path names by `:id`. */
type Things = { guia: { id: string; guia: string }; webhook: { id: string } };

interface Door {
  /** Whose keys open it. */
  para: 'comercio' | 'operador';
  /** What its path names; none where it is about all that the caller has. */
  names?: keyof Things;
  /** A valid body. */
  body?: (things: Things) => unknown;
}

const URL_OF_A = 'https://tienda.example/avisos';

/** Every route below /api/v1. Whoever adds one says here whose it is, and what it names. */
const DOORS: Record<string, Door> = {
  'GET /api/v1/guias': { para: 'comercio' },
  'POST /api/v1/guias': { para: 'comercio', body: () => guiaBody({ external_ref: 'de-a' }) },
  'GET /api/v1/guias/:id': { para: 'comercio', names: 'guia' },
  'PATCH /api/v1/guias/:id': { para: 'comercio', names: 'guia', body: () => ({ notas: 'de otro' }) },
  'POST /api/v1/guias/:id/cancelar': { para: 'comercio', names: 'guia', body: () => ({ nota: 'de otro' }) },
  'GET /api/v1/guias/:id/eventos': { para: 'comercio', names: 'guia' },
  'GET /api/v1/webhooks': { para: 'comercio' },
  'POST /api/v1/webhooks': { para: 'comercio', body: () => ({ url: URL_OF_A }) },
  'GET /api/v1/webhooks/:id': { para: 'comercio', names: 'webhook' },
  'PATCH /api/v1/webhooks/:id': { para: 'comercio', names: 'webhook', body: () => ({ activo: false }) },
  'DELETE /api/v1/webhooks/:id': { para: 'comercio', names: 'webhook' },
  'POST /api/v1/webhooks/:id/rotar': { para: 'comercio', names: 'webhook' },
  'POST /api/v1/webhooks/:id/probar': { para: 'comercio', names: 'webhook' },
  'POST /api/v1/webhooks/:id/reenviar': {
    para: 'comercio',
    names: 'webhook',
    body: () => ({ desde: '2020-01-01' }),
  },
  'GET /api/v1/webhooks/:id/entregas': { para: 'comercio', names: 'webhook' },
  'GET /api/v1/webhooks/:id/entregas/:entrega': { para: 'comercio', names: 'webhook' },
  'POST /api/v1/operaciones/guias/:id/eventos': {
    para: 'operador',
    names: 'guia',
    body: () => ({ estado: 'en_camino_a_recoger' }),
  },
  'POST /api/v1/operaciones/eventos': {
    para: 'operador',
    body: ({ guia }) => ({ eventos: [{ guia: guia.id, estado: 'en_camino_a_recoger' }] }),
  },
};
const of = (para: Door['para']) => Object.entries(DOORS).filter(([, door]) => door.para === para);

describe('whose key opens which door', () => {
  let test: TestApp;
  let a: TestMerchant;
  let b: TestMerchant;
  let operator: TestOperator;
  let things: Things;

  beforeAll(async () => {
    // Without workers and relay: nothing changes but by what is asked.
    test = await createTestApp({ env: { ROLE: 'api' } });
    await test.app.get(RelayService).beforeApplicationShutdown();
    [a, b] = [await test.merchant(), await test.merchant()];
    operator = await test.operator();
    const guia = await new Lives(test, a).create({ external_ref: 'de-a' });
    const { webhook } = (await a.post('/api/v1/webhooks', { url: URL_OF_A })).body;
    things = { guia, webhook: { id: webhook.id } };
    await operator.move(things.guia.id, { estado: 'en_camino_a_recoger' });
    await operator.move(things.guia.id, { estado: 'aceptado' });
  });
  afterAll(() => test.close());

  const open = (route: string, key: string, path: string): Promise<Answer> => {
    const [method = ''] = route.split(' ');
    const body = DOORS[route]!.body?.(things);
    return test.request(path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  /** The path of a route with a thing of A's in it, by each of its names. */
  const pathsOf = (route: string): string[] => {
    const path = route.split(' ')[1]!;
    const { names } = DOORS[route]!;
    return names === undefined
      ? [path]
      : Object.values(things[names]).map((name) => path.replace(':id', name));
  };
  /** Every row of a merchant's, in every table that has such rows. */
  const rowsOf = async ({ id }: TestMerchant) => {
    const tables = await test.database.query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'comercio_id' order by 1`,
    );
    const rows = tables.map(({ name }) =>
      test.database.query(
        `select $2 as tabla, to_jsonb(t) - 'ultimo_uso_en' as fila from ${name} t where comercio_id = $1 order by t::text`,
        [id, name],
      ),
    );
    return (await Promise.all(rows)).flat();
  };

  it('is said here for every route that the app has', () => {
    const isOurs = ({ method, path }: Route) => path.startsWith('/api/v1/') && method !== 'HEAD';
    const known = routesOf(test)
      .filter(isOurs)
      .map(({ method, path }) => `${method} ${path}`);
    expect(known.sort()).toEqual(Object.keys(DOORS).sort());
    expect(known.filter((route) => route.includes(':') && !DOORS[route]!.names)).toEqual([]);
  });

  it.each(of('comercio').filter(([, { names }]) => names))(
    "%s with B's key and a thing of A's: 404, and nothing has changed",
    async (route) => {
      const before = [await rowsOf(a), await rowsOf(b)];
      for (const path of pathsOf(route)) {
        const unknown = await open(
          route,
          b.key,
          route.split(' ')[1]!.replace(':id', '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57'),
        );
        const answer = await open(route, b.key, path);
        expectProblem(answer, 'no_encontrado');
        // As if it did not exist.
        expect({ ...answer.body, instance: '' }).toEqual({ ...unknown.body, instance: '' });
        // /api/v1/guias/… with the key of its owner: what was asked for is there.
        expect((await a.get(path.split('/').slice(0, 5).join('/'))).status).toBe(200);
      }
      expect([await rowsOf(a), await rowsOf(b)]).toEqual(before);
    },
  );

  it.each(of('comercio').filter(([, { names }]) => !names))(
    "%s with B's key tells and changes nothing of A's",
    async (route) => {
      const before = await rowsOf(a);
      const answer = await open(route, b.key, pathsOf(route)[0]!);
      expect([200, 201]).toContain(answer.status);
      for (const names of Object.values(things))
        for (const name of Object.values(names)) expect(answer.text).not.toContain(name);
      expect(await rowsOf(a)).toEqual(before);
    },
  );

  it.each(of('comercio'))("%s with an operator's key: 403, and nothing has changed", async (route) => {
    const before = await rowsOf(a);
    for (const path of pathsOf(route)) expectProblem(await open(route, operator.key, path), 'sin_permiso');
    expect(await rowsOf(a)).toEqual(before);
  });

  it.each(of('operador'))(
    "%s with a merchant's key, the owner's too: 403, and nothing has changed",
    async (route) => {
      const before = await rowsOf(a);
      for (const { key } of [a, b])
        for (const path of pathsOf(route)) expectProblem(await open(route, key, path), 'sin_permiso');
      expect(await rowsOf(a)).toEqual(before);
    },
  );

  it.each(of('operador'))("%s with an operator's key is open to guides of any merchant", async (route) => {
    const { id } = await new Lives(test, await test.merchant()).create();
    const body = DOORS[route]!.body!({ ...things, guia: { id, guia: id } });
    const answer = await operator.post(route.split(' ')[1]!.replace(':id', id), body);
    expect([200, 201]).toContain(answer.status);
    expect(answer.text).toContain(id);
  });

  it('a revoked key of an operator opens none', async () => {
    const ended = await test.operator('Cesada');
    await test.database.query('update claves_api set revocada_en = now() where operador_id = $1', [ended.id]);
    expectProblem(await ended.move(things.guia.id, { estado: 'en_camino_a_recoger' }), 'no_autenticado');
  });
});
