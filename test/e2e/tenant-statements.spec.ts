import pg, { type QueryConfig } from 'pg';
import { DeliveryLimits } from '../../src/webhooks/deliveries/delivery-limits.js';
import { crossing } from '../support/distribution.js';
import { Lives } from '../support/lives.js';
import { makeOwned, OPERATIONS, type Operation } from '../support/operations.js';
import { loadParser } from '../support/statement-sources.js';
import { sharedApp } from '../support/test-app.js';
import { opened } from '../support/use.js';
import { quiet } from '../support/visits.js';

const UNKNOWN_ID = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';

/** Queries that change a list's statement. */
const QUERIES = [
  '',
  '?limit=1',
  '?estado=aceptado',
  '?estado=aceptado,en_ruta',
  '?advertencia=cualquiera',
  '?telefono=55551234&direccion_confirmada=false',
  '?external_ref=a',
  '?actualizada_desde=2026-01-01&estado=aceptado&desde=2026-01-01',
];

/** Statements that name no merchant, by a part of their text, and why they may. */
const ALLOWED: Record<string, string> = {
  'update webhooks set prueba_id': 'Tests one endpoint, after a statement that found it by its merchant.',
  'from cobros where liquidacion_id =':
    'Amounts of one settlement, after a statement that found it by its merchant.',
  'from webhook_entregas': 'Deliveries of one endpoint, after a statement that found it by its merchant.',
};

/** The only part of such a statement that is about no merchant: whether an operator wants events of all guides. */
const OF_OPERATORS = 'from webhooks where operador_id is not null';

/** Those of them, and others, that one server alone cannot answer once guides live on several: see `distribution.ts`. */
const CROSSING = [
  ...Object.keys(ALLOWED),
  // Guides created at the same time are written together.
  'insert into guias',
  // The labels of one PDF are of several merchants where the courier prints them.
  'insert into impresiones',
];

/** Read nothing: they are the same for all merchants of a country. */
const SAME_FOR_ALL = ['GET /api/v1/guias/lote/plantilla.csv', 'GET /api/v1/lugares'];

/** What ends a thing comes after what else may be done with it. */
const ORDER = ['GET', 'PATCH', 'POST', 'DELETE'];
const inOrder = OPERATIONS.filter(({ role }) => role !== 'operator').sort(
  (a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method),
);

/** The second wall behind `isolation.spec.ts`: a statement that forgets its merchant is found before it leaks. */
describe("a statement of a merchant's request", () => {
  const test = opened(async () => quiet(await sharedApp()));
  /** A merchant, and one with a test key, each with what it owns. */
  let keys: Record<string, { key: string; owned: Record<string, string[]> }>;
  /** Tables of which each row belongs to a merchant. */
  let tables: string;

  beforeAll(async () => {
    await loadParser();
    // ms; no worker delivers a test.
    test.app.get(DeliveryLimits).testWaitMs = 100;
    const [merchant, tester] = [await test.merchant(), await test.tester()];
    const { id, guia } = await new Lives(test, tester).create();
    keys = {
      merchant: {
        key: merchant.key,
        owned: { ...(await makeOwned(test, merchant)), solicitudes: ['sin-registro'] },
      },
      test: { key: tester.key, owned: { guias: [id, guia] } },
    };
    const rows = await test.database.query<{ name: string }>(
      // Keys are looked up before their merchant is known.
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'comercio_id' and table_name <> 'claves_api'`,
    );
    tables = rows.map(({ name }) => name).join('|');
  });
  afterAll(() => Object.assign(test.app.get(DeliveryLimits), new DeliveryLimits()));

  /** Sends each of the operation's bodies, or each query, for what the merchant owns; the statements that were sent. */
  async function statementsOf({ role, method, path, kind, bodies }: Operation): Promise<string[]> {
    const { key, owned } = keys[role]!;
    const spy = jest.spyOn(pg.Client.prototype, 'query');
    try {
      for (const name of owned[kind ?? ''] ?? [''])
        for (const body of bodies)
          for (const query of method === 'GET' ? QUERIES : [''])
            await test.request(path.replace(':id', name).replace(/:\w+/, UNKNOWN_ID) + query, {
              method,
              headers: {
                authorization: `Bearer ${key}`,
                ...(body !== undefined && { 'content-type': 'application/json' }),
              },
              ...(body !== undefined && { body: JSON.stringify(body) }),
            });
      const queries = spy.mock.calls as unknown as [string | QueryConfig][];
      return [...new Set(queries.map(([query]) => (typeof query === 'string' ? query : query.text)))];
    } finally {
      spy.mockRestore();
    }
  }

  /** Whether fewer of a statement's sources are compared by their merchant than there are. */
  function forgetsMerchant(text: string): boolean {
    const own = text.replace(OF_OPERATORS, '');
    const count = (pattern: string) => [...own.matchAll(new RegExp(pattern, 'gi'))].length;
    return count(`\\b(from|join|update|using)\\s+"?(${tables})\\b`) > count(`\\bcomercio_id"? = `);
  }

  it.each(inOrder)('of $name compares the comercio_id of each table it reads', async (operation) => {
    const statements = await statementsOf(operation);
    const isReading = statements.some((text) => new RegExp(`\\b(${tables})\\b`).test(text));
    expect(isReading).toBe(!SAME_FOR_ALL.includes(operation.name));
    const allowed = Object.keys(ALLOWED);
    expect(
      statements.filter((text) => forgetsMerchant(text) && !allowed.some((part) => text.includes(part))),
    ).toEqual([]);
    expect(crossing(statements, CROSSING)).toEqual([]);
  });

  it('is detected if it does not compare comercio_id', () => {
    expect(forgetsMerchant('select * from guias where id = $1')).toBe(true);
    expect(
      forgetsMerchant('select * from guias g join eventos e on e.guia_id = g.id where g.comercio_id = $1'),
    ).toBe(true);
    expect(forgetsMerchant('select * from "webhooks" "w" where "w"."comercio_id" = $1')).toBe(false);
  });
});
