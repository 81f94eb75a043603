import { MERCHANT_SCOPES } from '../../src/auth/keys/scopes.js';
import { Lives } from '../support/lives.js';
import { Money } from '../support/money.js';
import { RequestLogService } from '../../src/auth/solicitudes/request-log.service.js';
import { eventually } from '../support/eventually.js';
import { makeOwned, OPERATIONS, URL_OF_WEBHOOK, type Operation } from '../support/operations.js';
import { expectProblem } from '../support/problem.js';
import { routesOf, type Route } from '../support/routes.js';
import { createTestApp, guiaBody, type Answer, type TestMerchant } from '../support/test-app.js';
import { opened } from '../support/use.js';
import { quiet } from '../support/visits.js';

const UNKNOWN_ID = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';

/** Found nowhere but in what merchant A stored. */
const SECRETS = {
  ...{ nombre: 'Canario Nombre', telefono: '+50255550193', direccion: 'Canario Direccion' },
  ...{ referencia: 'Canario Referencia', contenido: 'Canario Contenido', notas: 'Canario Notas' },
  external_ref: 'canario-ref',
};
const merchants = OPERATIONS.filter(({ role }) => role === 'merchant');
const operators = OPERATIONS.filter(({ role }) => role === 'operator');

describe('access by key', () => {
  // Of its own: all tables are read before and after each request. Without workers, relay and sweeps only requests change them.
  const test = opened(async () => quiet(await createTestApp()));
  /** The names of what A owns, by what `:id` stands for. */
  let owned: Record<string, string[]>;

  const a = opened(() => test.merchant());
  const b = opened(() => test.merchant());
  const operator = opened(() => test.operator());

  beforeAll(async () => {
    owned = { ...(await makeOwned(test, a, SECRETS)), solicitudes: ['solicitud-de-a'] };
    await a.post('/api/v1/guias', {}, { 'x-request-id': 'solicitud-de-a' });
    const log = test.app.get(RequestLogService);
    await eventually(async () => {
      await log.beforeApplicationShutdown();
      expect((await a.get('/api/v1/solicitudes/solicitud-de-a')).status).toBe(200);
    });
    jest.spyOn(log, 'record').mockReturnValue();
  });

  const send = ({ method, bodies: [body] }: Operation, path: string, key?: string): Promise<Answer> =>
    test.request(path, {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  /** The paths of an operation to what A owns, by each of its names. */
  const pathsOf = ({ path, kind }: Operation, names = kind === undefined ? [''] : owned[kind]!): string[] =>
    names.map((name) => path.replace(':id', name).replace(/:\w+/, UNKNOWN_ID));
  /** Nothing of what A stored or was given. */
  const expectNothingOfA = ({ text, headers }: Answer) => {
    const answer = text + JSON.stringify([...headers]);
    for (const secret of [...Object.values(SECRETS), URL_OF_WEBHOOK, a.id, ...Object.values(owned).flat()])
      expect({ secret, isShown: answer.includes(secret) }).toEqual({ secret, isShown: false });
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
  const expectNoChange = async (run: () => Promise<void>) => {
    const before = [await rowsOf(a), await rowsOf(b)];
    await run();
    expect([await rowsOf(a), await rowsOf(b)]).toEqual(before);
  };

  it('is tested for every route of the app below /api/v1', () => {
    const isOurs = ({ method, path }: Route) => path.startsWith('/api/v1/') && method !== 'HEAD';
    const known = routesOf(test)
      .filter(isOurs)
      .map(({ method, path }) => `${method} ${path}`);
    expect(known.sort()).toEqual(OPERATIONS.map(({ name }) => name).sort());
    expect(OPERATIONS.filter(({ kind }) => kind !== undefined && !(kind in owned))).toEqual([]);
  });

  it.each(OPERATIONS)('$name without a key gets 401 and changes nothing', (operation) =>
    expectNoChange(async () => {
      for (const path of pathsOf(operation)) {
        const answer = await send(operation, path);
        expectProblem(answer, 'no_autenticado');
        expectNothingOfA(answer);
      }
    }),
  );

  it.each(merchants)("$name gets 403 with any of the merchant's scopes but one", async (operation) => {
    const [path] = pathsOf(operation, [UNKNOWN_ID]);
    const open: string[] = [];
    for (const scope of MERCHANT_SCOPES) {
      const { key } = await test.keyOf(b.id, { scopes: [scope] });
      const answer = await send(operation, path!, key);
      if (answer.status === 403) expectProblem(answer, 'sin_permiso');
      else open.push(scope);
    }
    expect(open).toHaveLength(1);
  });

  it.each(merchants)("$name with an operator's key gets 403 and changes nothing", (operation) =>
    expectNoChange(async () => {
      for (const path of pathsOf(operation)) {
        const answer = await send(operation, path, operator.key);
        expectProblem(answer, 'sin_permiso');
        expectNothingOfA(answer);
      }
    }),
  );

  it.each(operators)(
    "$name with a merchant's key, even the owner's, gets 403 and changes nothing",
    (operation) =>
      expectNoChange(async () => {
        for (const { key } of [a, b])
          for (const path of pathsOf(operation))
            expectProblem(await send(operation, path, key), 'sin_permiso');
      }),
  );

  it.each(merchants.filter(({ kind }) => kind !== undefined))(
    "$name with B's key and A's id gets exactly the answer to an unknown id, and changes nothing",
    (operation) =>
      expectNoChange(async () => {
        const unknown = await send(operation, pathsOf(operation, [UNKNOWN_ID])[0]!, b.key);
        expectProblem(unknown, 'no_encontrado');
        for (const path of pathsOf(operation)) {
          const answer = await send(operation, path, b.key);
          expect({ ...answer.body, instance: '' }).toEqual({ ...unknown.body, instance: '' });
          expectNothingOfA(answer);
          // /api/v1/guias/… with the key of its owner: it exists.
          expect((await a.get(path.split('/').slice(0, 5).join('/'))).status).toBe(200);
        }
      }),
  );

  it("labels name guides in their body: with B's key A's guides get 404, also beside B's own", async () => {
    const path = '/api/v1/etiquetas';
    const { body: own } = await b.post('/api/v1/guias', guiaBody());
    for (const guias of [...owned.guias!.map((guia) => [guia]), [own.id, owned.guias![0]]]) {
      const answer = await b.post(path, { guias });
      expectProblem(answer, 'no_encontrado');
      for (const secret of Object.values(SECRETS)) expect(answer.text).not.toContain(secret);
    }
    expect((await b.post(path, { guias: [own.id] })).status).toBe(200);
    for (const [by, at] of [[a, path] as const, [operator, '/api/v1/operaciones/etiquetas'] as const])
      expect((await by.post(at, { guias: owned.guias })).status).toBe(200);
  });

  it.each(merchants.filter(({ kind, name }) => kind === undefined && name !== 'POST /api/v1/etiquetas'))(
    "$name with B's key neither shows nor changes what A owns",
    async (operation) => {
      const before = await rowsOf(a);
      const answer = await send(operation, pathsOf(operation)[0]!, b.key);
      expect([200, 201]).toContain(answer.status);
      expectNothingOfA(answer);
      expect(await rowsOf(a)).toEqual(before);
    },
  );

  it("a create of B with A's external_ref makes another guide", async () => {
    const before = await rowsOf(a);
    const { external_ref } = SECRETS;
    const answer = await b.post('/api/v1/guias', guiaBody({ external_ref }));
    expect(answer.status).toBe(201);
    expect(await rowsOf(a)).toEqual(before);
  });

  // An endpoint is its operator's alone: `operator-webhooks.spec.ts`.
  it.each(
    operators.filter(({ method, kind }) => method === 'GET' && ![undefined, 'webhooks'].includes(kind)),
  )("$name with an operator's key shows what any merchant owns", async (operation) => {
    for (const path of pathsOf(operation))
      expect((await send(operation, path, operator.key)).status).toBe(200);
  });

  it("an operator's key settles the money of any merchant", async () => {
    for (const merchant of [a, b]) {
      const money = await Money.start(test, merchant);
      const { id } = await money.deliver(5);
      expect((await money.correct(id, { cod_cobrado: 4 })).status).toBe(201);
      const { liquidacion } = (await money.settle()).body;
      expect((await money.pay(liquidacion.id, { referencia_pago: 'TRF-1' })).status).toBe(200);
    }
  });

  it("an operator's key moves guides of any merchant", async () => {
    for (const merchant of [a, b]) {
      const { id } = await new Lives(test, merchant).create();
      expect((await operator.move(id, { estado: 'en_camino_a_recoger' })).status).toBe(201);
      const eventos = [{ guia: id, estado: 'aceptado' }];
      const { body } = await operator.post('/api/v1/operaciones/eventos', { eventos });
      expect(body.resultados).toMatchObject([{ ok: true, id }]);
    }
  });

  it("an operator's revoked key gets 401", async () => {
    const ended = await test.operator('Cesada');
    await test.database.query('update claves_api set revocada_en = now() where operador_id = $1', [ended.id]);
    expectProblem(await ended.move(UNKNOWN_ID, { estado: 'en_camino_a_recoger' }), 'no_autenticado');
  });
});
