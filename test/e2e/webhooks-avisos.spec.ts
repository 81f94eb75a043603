import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { WEBHOOKS_LENTOS } from '../../src/webhooks/deliveries/deliveries.queue.js';
import { eventually } from '../support/eventually.js';
import { guiaBody } from '../support/guia-body.js';
import { expectProblem } from '../support/problem.js';
import type { TestMerchant } from '../support/test-app.js';
import { useSharedApp } from '../support/use.js';
import { makeDeliveries } from '../support/webhooks.js';

const WEBHOOKS = '/api/v1/webhooks';
const AVISOS = `${WEBHOOKS}/avisos`;
const GUIAS = '/api/v1/guias';
const PLACE = { lat: 14.6407, lng: -90.5133 };

const test = useSharedApp();

describe('GET /api/v1/webhooks/avisos', () => {
  let merchant: TestMerchant;

  beforeAll(async () => {
    merchant = await test.merchant();
  });

  const ask = async (of: TestMerchant, query: Record<string, string> = {}): Promise<any> => {
    const { status, body } = await of.get(`${AVISOS}?${new URLSearchParams(query).toString()}`);
    expect(status).toBe(200);
    return body;
  };
  const create = async (of: TestMerchant): Promise<string> => (await of.post(GUIAS, guiaBody(PLACE))).body.id;
  const cancel = (of: TestMerchant, id: string) => of.post(`${GUIAS}/${id}/cancelar`, {});
  /** Asks until `count` messages have come, as a program does. */
  const listen = async (of: TestMerchant, count: number, cursor?: string, limit = '100') => {
    const all: any[] = [];
    await eventually(async () => {
      const { avisos, siguiente_cursor } = await ask(of, { limit, ...(cursor !== undefined && { cursor }) });
      all.push(...avisos);
      cursor = siguiente_cursor as string;
      expect(all.length).toBeGreaterThanOrEqual(count);
    });
    return { all, cursor: cursor! };
  };
  const told = ({ tipo, cuerpo }: any) => [tipo, cuerpo.data.guia.id];

  it('keeps all messages from the first call on, without an endpoint, and shows each once', async () => {
    await create(merchant);
    const { avisos, siguiente_cursor } = await ask(merchant);
    expect(avisos).toEqual([]);
    const id = await create(merchant);
    // Of an edit merchants get no message.
    await merchant.patch(`${GUIAS}/${id}`, { notas: 'x' });
    await cancel(merchant, id);
    const { all, cursor } = await listen(merchant, 2, siguiente_cursor);
    expect(all.map(told)).toEqual([
      ['guia.creada', id],
      ['guia.cancelada', id],
    ]);
    expect((await ask(merchant, { cursor })).avisos).toEqual([]);
    const other = await create(merchant);
    expect((await listen(merchant, 1, cursor)).all.map(told)).toEqual([['guia.creada', other]]);
    // Without a cursor from the oldest.
    expect((await ask(merchant)).avisos.map(({ id: one }: any) => one)).toEqual(
      expect.arrayContaining(all.map(({ id: one }) => one)),
    );
  });

  it('shows each once and those of a guide in their order, while guides change and pages are small', async () => {
    const busy = await test.merchant();
    let { siguiente_cursor: cursor } = await ask(busy);
    const ids: string[] = [];
    const writing = Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let n = 0; n < 6; n++) {
          const id = await create(busy);
          ids.push(id);
          await cancel(busy, id);
        }
      }),
    );
    const { all, cursor: end } = await listen(busy, 24 * 2, cursor, '7');
    await writing;
    cursor = end;
    expect(new Set(all.map(({ id }) => id)).size).toBe(48);
    for (const id of ids)
      expect(all.filter(({ cuerpo }) => cuerpo.data.guia.id === id).map(({ tipo }) => tipo)).toEqual([
        'guia.creada',
        'guia.cancelada',
      ]);
    expect((await ask(busy, { cursor })).avisos).toEqual([]);
  });

  it('shows no messages of another merchant, of another mode, or older than 24 hours', async () => {
    const own = await test.merchant();
    const tester = await test.tester(own.id);
    for (const one of [own, tester]) await ask(one);
    const id = await create(own);
    const trial = await create(tester);
    expect((await listen(own, 1)).all.map(told)).toEqual([['guia.creada', id]]);
    expect((await listen(tester, 1)).all.map(told)).toEqual([['guia.creada', trial]]);
    const { siguiente_cursor } = await ask(own);
    expectProblem(await merchant.get(`${AVISOS}?cursor=${siguiente_cursor}`), 'cursor_invalido');
    await test.database.query(
      `update avisos set id = ('019a0000' || substr(id::text, 9))::uuid where comercio_id = $1`,
      [own.id],
    );
    expect((await ask(own)).avisos).toEqual([]);
  });

  it('shows an event that could not be dispatched for long, after those that a reader has seen', async () => {
    const own = await test.merchant();
    await ask(own);
    const id = await create(own);
    const { all, cursor } = await listen(own, 1);
    await test.database.query(
      `with evento as (
         update eventos set id = gen_random_uuid(), creado_en = now() - interval '10 minutes', secuencia = 2,
           tipo = 'guia.confirmada' where guia_id = $1
         returning id, comercio_id, guia_id
       )
       insert into eventos_pendientes (id, comercio_id, guia_id) select * from evento`,
      [id],
    );
    const { all: later } = await listen(own, 1, cursor);
    expect(later.map(({ tipo }) => tipo)).toEqual(['guia.confirmada']);
    expect(later[0].id).not.toBe(all[0].id);
  });
});

describe('deliveries that no worker runs', () => {
  it('are resent by the thousand, and the cursor continues', async () => {
    const merchant = await test.merchant();
    const { webhook } = (await merchant.post(WEBHOOKS, { url: 'https://example.com/avisos' })).body;
    await makeDeliveries(test.database, { id: webhook.id, merchant }, { count: 1_003, estado: 'entregada' });
    const resend = (body: object) => merchant.post(`${WEBHOOKS}/${webhook.id}/reenviar`, body);
    const range = { desde: new Date(Date.now() - 3_600_000).toISOString() };
    const first = (await resend(range)).body;
    expect(first).toMatchObject({ reenviadas: 1_000, siguiente_cursor: expect.any(String) });
    const cursor = first.siguiente_cursor;
    expectProblem(await resend({ ...range, estado: 'fallida', cursor }), 'cursor_invalido');
    expect((await resend({ ...range, cursor })).body).toEqual({
      ok: true,
      reenviadas: 3,
      siguiente_cursor: null,
    });
    const rows = 'select distinct estado, ronda from webhook_entregas where webhook_id = $1';
    expect(await test.database.query(rows, [webhook.id])).toEqual([{ estado: 'pendiente', ronda: 1 }]);
    const queue = test.app.get(QueuesService).queue(WEBHOOKS_LENTOS);
    const jobs = await queue.getJobs(['waiting']);
    expect(jobs.filter(({ data }) => data.webhookId === webhook.id)).toHaveLength(1);
  });
});
