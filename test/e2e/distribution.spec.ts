import pg, { type QueryConfig } from 'pg';
import { SweepsService } from '../../src/platform/queues/sweeps.service.js';
import {
  crossing,
  DISTRIBUTED,
  DISTRIBUTION_COLUMN,
  MOVED,
  PLACE_OF,
  PLACES,
  staysWithMerchant,
  UNIQUE_ELSEWHERE,
} from '../support/distribution.js';
import { eventually } from '../support/eventually.js';
import { Messaging } from '../support/messaging.js';
import { loadParser } from '../support/statement-sources.js';
import { createHookedApp, FAILURE, type HookedApp } from '../support/webhooks.js';

/** Statements of the relay, of messages and of webhooks that do not stay with a merchant, by a part of their text, and why. */
const CROSSING: Record<string, string> = {
  'delete from eventos_pendientes': 'The relay takes events of all merchants, oldest first.',
  'insert into guias': 'Guides created at the same time are written together.',
  'where g.id = any ($1) and g.enlaces_pendientes': 'Which links a batch of events has set.',
  'insert into confirmaciones': 'Messages of a batch of events, with their links.',
  'select comercio_id from webhooks where comercio_id = any':
    'Which merchants of a batch of events have endpoints, or ask for their messages.',
  'as evento_id': 'A batch of events with their subscribers.',
  'insert into webhook_mensajes': 'What follows from a batch of events.',
  'insert into correo_avisos (id, comercio_id, guia_id':
    'What merchants are told by mail of a batch of events.',
  'left join lateral (\n    select mensaje_id, intentos': 'The job of an endpoint carries its id alone.',
  'with hecho as': 'Attempts that end at the same time, of deliveries or messages, by their ids.',
  'update webhooks set lento = true': 'An endpoint found slow, by its id.',
  'from mensajes m': 'Jobs of messages carry the id of the message alone.',
  'with pedido as': 'Tries to send messages that begin together, by their ids.',
};

/** Looks every few seconds whether events of any merchant wait: a quick run ends before it. */
const NOT_ALWAYS = ['as waiting,\n'];

/** `pg_catalog` of what must hold on one server: unique indexes, and foreign keys to tables that are distributed. */
const KEYS = `select c.relname as table, i.relname as name,
    array(select attname::text from pg_attribute where attrelid = c.oid and attnum = any (x.indkey)) as columns
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
  where x.indisunique and c.relnamespace = 'public'::regnamespace
  union all
  select conrelid::regclass::text, conname,
    array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any (conkey))
  from pg_constraint where contype = 'f' and confrelid::regclass::text = any ($1)`;

describe('the tables', () => {
  let hooked: HookedApp;

  beforeAll(async () => {
    await loadParser();
    hooked = await createHookedApp();
    await hooked.test.app.get(SweepsService).beforeApplicationShutdown();
  });
  afterAll(() => hooked.close());

  it('each have a place in docs/sharding.md', async () => {
    const tables = await hooked.test.database.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
    );
    expect(tables.map(({ name }) => name)).toEqual(Object.keys(PLACE_OF).sort());
    expect(Object.values(PLACE_OF).filter((place) => !PLACES.includes(place))).toEqual([]);
  });

  it('are moved by the commands of docs/sharding.md, unless they are local', () => {
    const toMove = Object.keys(PLACE_OF).filter((table) => PLACE_OF[table] !== 'local');
    expect([...new Set(MOVED)].sort()).toEqual(toMove.sort());
  });

  it('have the distribution column if they are distributed, unless its addition is planned', async () => {
    const having = await hooked.test.database.query<{ name: string }>(
      `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = $1`,
      [DISTRIBUTION_COLUMN],
    );
    const names = new Set(having.map(({ name }) => name));
    for (const [table, place] of Object.entries(PLACE_OF))
      if (place.startsWith('distributed'))
        expect([table, names.has(table)]).toEqual([table, place === 'distributed']);
  });

  it('have the distribution column in each unique and foreign key, unless docs/sharding.md says why', async () => {
    const keys = await hooked.test.database.query<{ table: string; name: string; columns: string[] }>(KEYS, [
      [...DISTRIBUTED],
    ]);
    const without = keys.filter(
      ({ table, columns }) => DISTRIBUTED.has(table) && !columns.includes(DISTRIBUTION_COLUMN),
    );
    expect(without.map(({ name }) => name).sort()).toEqual(UNIQUE_ELSEWHERE.sort());
  });

  it('are accessed for one merchant at a time by the relay, messages and webhooks, with listed exceptions', async () => {
    const spy = jest.spyOn(pg.Client.prototype, 'query');
    try {
      await live(hooked);
      const queries = spy.mock.calls as unknown as [string | QueryConfig][];
      const ours = queries.filter((_, i) => isOurs(spy.mock.contexts[i]));
      const statements = new Set(ours.map(([one]) => (typeof one === 'string' ? one : one.text)));
      expect(crossing(statements, [...Object.keys(CROSSING), ...NOT_ALWAYS])).toEqual([]);
      const all = crossing(statements, []);
      expect(Object.keys(CROSSING).filter((part) => !all.some((text) => text.includes(part)))).toEqual([]);
    } finally {
      spy.mockRestore();
    }
  });

  it.each<[boolean, string]>([
    [true, 'select * from guias where comercio_id = $1'],
    [true, 'select * from comercios where id = $1'],
    [true, 'select * from guias g join eventos e on e.comercio_id = g.comercio_id where g.comercio_id = $1'],
    [
      true,
      'select (select count(*) from eventos e where e.comercio_id = g.comercio_id) from guias g where g.comercio_id = $1',
    ],
    [
      true,
      'with g as (update guias set estado = $2 where comercio_id = $1 returning *) insert into eventos (comercio_id, id) select comercio_id, id from g',
    ],
    [true, 'insert into guias (id, comercio_id) values ($1, $2)'],
    [false, 'select * from guias where id = $1'],
    [false, 'select * from guias where comercio_id = $1 or id = $2'],
    [false, 'select * from guias where comercio_id = any ($1)'],
    [false, 'select * from guias where comercio_id <> $1'],
    [false, 'select * from guias g join eventos e on e.guia_id = g.id where g.comercio_id = $1'],
    [false, 'select * from guias g, eventos e where g.comercio_id = $1 and e.comercio_id = $2'],
    [false, 'select * from guias g join comercios c on c.id = g.comercio_id where g.id = $1'],
    [false, 'insert into guias (id, comercio_id) select * from unnest($1::uuid[], $2::uuid[])'],
    [false, 'delete from mensajes where id = $1'],
  ])('stay with a merchant, %s: %s', (stays, text) => {
    expect(staysWithMerchant(text)).toBe(stays);
  });
});

/** Whether a statement is the service's, and neither the test's nor a queue's. */
function isOurs(client: unknown): boolean {
  const { connectionParameters } = client as { connectionParameters?: { application_name?: string } };
  return connectionParameters?.application_name === 'guias';
}

/** Creates guides whose messages arrive, fail and are answered, and whose webhooks fail and arrive. */
async function live({ test, hooks }: HookedApp): Promise<void> {
  const messaging = new Messaging(test);
  const merchant = await test.merchant();
  const endpoint = await hooks.endpoint(merchant);
  const delivery = await hooks.delivery(endpoint, FAILURE);
  await hooks.reached(delivery, { intentos: 1 });
  await hooks.due(delivery);
  await hooks.reached(delivery, { estado: 'entregada' });
  // The sandbox answers for the first, never reaches the second, and reaches the third at a later try.
  const answered = await messaging.create(merchant, { telefono: '+50255550001' });
  await eventually(async () =>
    expect((await messaging.detail(merchant, answered)).direccion_confirmada).toBe(true),
  );
  await messaging.reached(await messaging.create(merchant, { telefono: '+50255550002' }), 'fallido');
  await messaging.waiting(await messaging.create(merchant, { telefono: '+50255550003' }));
  expect((await merchant.post(`/api/v1/guias/${answered.id}/cancelar`)).status).toBe(200);
  await eventually(async () =>
    expect(await test.database.query('select from eventos_pendientes')).toEqual([]),
  );
}
