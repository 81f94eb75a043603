import type { QueryConfig, QueryResultRow } from 'pg';
import { overdueMensajes, type OverdueRow } from '../../src/notifications/messages/messages.queries.js';
import { overdueEntrantes } from '../../src/inbound/inbound.queries.js';
import { findOverdueEnlaces } from '../../src/guias/links/link-expansion.queries.js';
import { overdueDeliveries, type OverdueDelivery } from '../../src/webhooks/deliveries/deliveries.queries.js';
import { createTestApp, guiaBody, type TestApp } from '../support/test-app.js';
import { makeDeliveries, PATH, type Endpoint } from '../support/webhooks.js';
import { rowsReadOf, type PlanNode } from '../support/rows-read.js';

const COUNT = 5;

/** Pages shorter than what is overdue, all of it due at the same moment. */
describe('what is overdue is listed a page at a time, each row once:', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await createTestApp({ env: { ROLE: 'api' } });
  });
  afterAll(() => app.close());

  async function expectEachOnce<Row extends QueryResultRow>(
    page: (last: Row | undefined, limit: number) => QueryConfig,
    idOf: (row: Row) => string,
  ): Promise<void> {
    const ids: string[] = [];
    let last: Row | undefined;
    do {
      const { text, values } = page(last, 2);
      const rows = await app.database.query<Row>(text, values);
      ids.push(...rows.map(idOf));
      last = rows.at(-1);
    } while (last);
    expect(ids).toHaveLength(COUNT);
    expect(new Set(ids).size).toBe(COUNT);
  }

  it('messages', async () => {
    await app.database.query(
      `insert into mensajes (id, tipo, estado, telefono, creado_en, actualizado_en, proximo_en)
       select gen_random_uuid(), 'ayuda', 'pendiente', '+50255551234', now(), now(), now() - interval '1 hour'
       from generate_series(1, $1)`,
      [COUNT],
    );
    await expectEachOnce<OverdueRow>(overdueMensajes, ({ id }) => id);
  });

  it('deliveries', async () => {
    await makeDeliveries(app.database, await newEndpoint(), { count: COUNT, estado: 'pendiente' });
    await expectEachOnce<OverdueDelivery>(
      (last, limit) => overdueDeliveries(true, last, limit),
      ({ mensaje_id }) => mensaje_id,
    );
  });

  it('incoming messages', async () => {
    await app.database.query(
      `insert into entrantes (id, clave, cuerpo, recibido_en)
       select gen_random_uuid(), n::text, '{}', now() - interval '1 hour' from generate_series(1, $1) n`,
      [COUNT],
    );
    await expectEachOnce(overdueEntrantes, ({ id }) => id);
  });

  it('guides with map links to be read', async () => {
    const merchant = await app.merchant();
    for (let n = 0; n < COUNT; n++) await merchant.post('/api/v1/guias', guiaBody());
    await app.database.query(
      `update guias set enlaces_pendientes = '{recogida}', creada_en = now() - interval '1 hour'`,
    );
    await expectEachOnce(findOverdueEnlaces, ({ guiaId }) => guiaId);
  });

  it('a page of messages reads only its own messages, however many are overdue', async () => {
    const merchant = await app.merchant();
    const { body } = await merchant.post('/api/v1/guias', guiaBody());
    await app.database.query(
      `insert into mensajes (id, tipo, estado, comercio_id, guia_id, telefono, creado_en, actualizado_en, proximo_en)
       select gen_random_uuid(), 'confirmacion_ubicacion', 'pendiente', $1, $2, '+50255551234', now(), now() - interval '1 hour',
         now() - interval '1 hour' + n * interval '1 millisecond'
       from generate_series(1, 20000) n`,
      [merchant.id, body.id],
    );
    await app.database.query('analyze mensajes');
    expect(await rowsRead(/^mensajes/, overdueMensajes(undefined, 10))).toBeLessThanOrEqual(20);
  });

  it('a page of quick deliveries reads no slow ones, however many are overdue', async () => {
    await makeDeliveries(app.database, await newEndpoint(), { count: 20_000, estado: 'pendiente' });
    await app.database.query('analyze webhook_entregas');
    expect(await rowsRead(/^webhook_entregas/, overdueDeliveries(false, undefined, 10))).toBe(0);
  });

  async function newEndpoint(): Promise<Endpoint> {
    const merchant = await app.merchant();
    const { body } = await merchant.post(PATH, { url: 'https://example.com/avisos' });
    return { id: body.webhook.id, merchant, secreto: '', at: '', path: '' };
  }

  async function rowsRead(tables: RegExp, { text, values }: QueryConfig): Promise<number> {
    const [explained] = await app.database.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, timing off, format json) ${text}`,
      values,
    );
    return rowsReadOf(tables, explained!['QUERY PLAN'][0].Plan);
  }
});
