import { overdueMensajes, type OverdueRow } from '../../src/notifications/messages/messages.queries.js';
import { InboundService } from '../../src/inbound/inbound.service.js';
import { LinkExpansionService } from '../../src/guias/links/link-expansion.service.js';
import { overdueDeliveries, type OverdueDelivery } from '../../src/webhooks/deliveries/deliveries.queries.js';
import { createTestApp, guiaBody, type TestApp } from '../support/test-app.js';
import { makeDeliveries, PATH } from '../support/webhooks.js';

const COUNT = 5;

/** Pages shorter than what is overdue, all of it due at the same moment. */
describe('what is overdue is listed a page at a time, each row once:', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await createTestApp({ env: { ROLE: 'api' } });
  });
  afterAll(() => app.close());

  async function expectEachOnce<Row>(
    page: (last: Row | undefined, limit: number) => Promise<Row[]>,
    idOf: (row: Row) => string,
  ): Promise<void> {
    const ids: string[] = [];
    let rows = await page(undefined, 2);
    while (rows.length > 0) {
      ids.push(...rows.map(idOf));
      rows = await page(rows.at(-1), 2);
    }
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
    await expectEachOnce<OverdueRow>(
      async (last, limit) => {
        const { text, values } = overdueMensajes(false, last, limit);
        return app.database.query(text, values);
      },
      ({ id }) => id,
    );
  });

  it('deliveries', async () => {
    const merchant = await app.merchant();
    const { body } = await merchant.post(PATH, { url: 'https://example.com/avisos' });
    const endpoint = { id: body.webhook.id, merchant, secreto: '', at: '', path: '' };
    await makeDeliveries(app.database, endpoint, { count: COUNT, estado: 'pendiente' });
    await expectEachOnce<OverdueDelivery>(
      async (last, limit) => {
        const { text, values } = overdueDeliveries(true, last, limit);
        return app.database.query(text, values);
      },
      ({ mensaje_id }) => mensaje_id,
    );
  });

  it('incoming messages', async () => {
    await app.database.query(
      `insert into entrantes (id, clave, cuerpo, recibido_en)
       select gen_random_uuid(), n::text, '{}', now() - interval '1 hour' from generate_series(1, $1) n`,
      [COUNT],
    );
    await expectEachOnce(
      (last: { id: string; recibido_en: string } | undefined, limit) =>
        app.app.get(InboundService).overdue(last, limit),
      ({ id }) => id,
    );
  });

  it('guides with map links to be read', async () => {
    const merchant = await app.merchant();
    for (let n = 0; n < COUNT; n++) await merchant.post('/api/v1/guias', guiaBody());
    await app.database.query(
      `update guias set enlaces_pendientes = '{recogida}', creada_en = now() - interval '1 hour'`,
    );
    await expectEachOnce(
      (last: { comercioId: string; guiaId: string; guia: string } | undefined, limit) =>
        app.app.get(LinkExpansionService).overdue(last, limit),
      ({ guiaId }) => guiaId,
    );
  });
});
