import type { QueryConfig, QueryResultRow } from 'pg';
import { WORK } from '../../src/app.module.js';
import { LINKS } from '../../src/guias/links/links.work.js';
import { INBOUND_EVENTS } from '../../src/notifications/inbound/inbound.work.js';
import { MESSAGES } from '../../src/notifications/notifications.work.js';
import { SIMULATIONS } from '../../src/pruebas/simulaciones.work.js';
import { pageOfDeliveries } from '../../src/webhooks/deliveries/delivery-log.queries.js';
import type { EntregaEstado } from '../../src/webhooks/deliveries/webhook-entrega.entity.js';
import { dueDeliveries, overdueEndpoints } from '../../src/webhooks/deliveries/deliveries.queries.js';
import type { WorkKind } from '../../src/platform/work/work-kind.js';
import { findOverdue, findResolved, startNextRound } from '../../src/platform/work/work.queries.js';
import { MAILS } from '../../src/correos/correos.work.js';
import { BULK_ACTIONS } from '../../src/support/bulk/bulk.work.js';
import { JOB_NAMES } from '../../src/web/console/texts.js';
import { guiaBody } from '../support/test-app.js';
import { makeDeliveries, PATH, type Endpoint } from '../support/webhooks.js';
import { rowsReadOf, type PlanNode } from '../support/rows-read.js';
import { useTestApp } from '../support/use.js';

const COUNT = 5;

describe('work that is overdue', () => {
  // Of its own: all rows that are due.
  const app = useTestApp();

  async function newEndpoint(): Promise<Endpoint> {
    const merchant = await app.merchant();
    const { body } = await merchant.post(PATH, { url: 'https://example.com/avisos' });
    return { id: body.webhook.id, merchant, secreto: '', at: '', path: '' };
  }

  const rowsOf = ({ text, values }: QueryConfig) => app.database.query<QueryResultRow>(text, values);

  /** For each kind, what inserts `$1` rows that have been due for an hour, all since the same moment. */
  const KINDS: [what: string, kind: WorkKind, insert: string][] = [
    [
      'messages',
      MESSAGES,
      `insert into mensajes (id, tipo, estado, telefono, creado_en, actualizado_en, proximo_en)
       select gen_random_uuid(), 'ayuda', 'pendiente', '+50255551234', now(), now(), now() - interval '1 hour'
       from generate_series(1, $1)`,
    ],
    [
      'incoming messages',
      INBOUND_EVENTS,
      `insert into entrantes (id, clave, cuerpo, recibido_en)
       select gen_random_uuid(), n::text, '{}', now() - interval '1 hour' from generate_series(1, $1) n`,
    ],
    [
      'map links',
      LINKS,
      `insert into enlaces (comercio_id, guia_id, lugar, creado_en, proximo_en)
       select gen_random_uuid(), gen_random_uuid(), 'destino', now(), now() - interval '1 hour'
       from generate_series(1, $1)`,
    ],
    [
      'simulations',
      SIMULATIONS,
      `insert into simulaciones (id, comercio_id, guia_id, guion, cada_segundos, pasos, estado, creada_en, proximo_en)
       select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'entrega', 0, '[]', 'en_curso', now(),
         now() - interval '1 hour'
       from generate_series(1, $1)`,
    ],
    [
      'actions on many guides',
      BULK_ACTIONS,
      `insert into masivas (id, accion, causa, usuario, creado_en, proximo_en)
       select gen_random_uuid(), 'pedir', 'intentos', 'ana', now(), now() - interval '1 hour' from generate_series(1, $1)`,
    ],
    [
      'mails',
      MAILS,
      `insert into correos (id, para, clase, asunto, proximo_en)
       select gen_random_uuid(), 'a@b.example', 'aviso', 'Hola', now() - interval '1 hour' from generate_series(1, $1)`,
    ],
  ];

  it('has rows above for every kind of app.module.ts', () => {
    expect(KINDS.map(([, { table }]) => table).sort()).toEqual(WORK.map(({ table }) => table).sort());
  });

  describe.each(KINDS)('%s:', (_, kind, insert) => {
    let found: QueryResultRow[];

    beforeAll(async () => {
      await app.database.query(insert, [COUNT]);
      found = [];
      let last: QueryResultRow | undefined;
      do {
        const page = await rowsOf(findOverdue(kind, last, 2));
        found.push(...page);
        last = page.at(-1);
      } while (last);
    });

    it('is listed a page at a time, each row once', () => {
      const ids = found.map((row) => kind.jobOf(row).id);
      expect(ids).toHaveLength(COUNT);
      expect(new Set(ids).size).toBe(COUNT);
    });

    it('has a job whose kind has a name on the board', () => {
      expect(JOB_NAMES).toHaveProperty(kind.jobOf(found[0]!).name);
    });

    it('gets a job of another id once, however often its job is found lost', async () => {
      const before = found.map((row) => kind.jobOf(row).id);
      const renewed = await rowsOf(startNextRound(kind, found));
      expect(renewed.map(({ ronda }) => ronda as number)).toEqual(Array(COUNT).fill(1));
      const ids = renewed.map((row) => kind.jobOf(row).id);
      expect(new Set([...before, ...ids]).size).toBe(2 * COUNT);
      expect(await rowsOf(startNextRound(kind, found))).toEqual([]);
    });

    it('needs a person while it is open, and a job whose row is gone needs none', async () => {
      const key = kind.keyOf(kind.jobOf(found[0]!).data);
      const gone = key.map((value, n) =>
        Object.values(kind.key)[n] === 'uuid' ? '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57' : value,
      );
      const jobs = [key, gone].map((one) => ({ key: one, ronda: null }));
      expect(await rowsOf(findResolved(kind, jobs))).toEqual([{ n: 2 }]);
    });
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
    const page = findOverdue(MESSAGES, undefined, 10);
    expect(await rowsRead(/^mensajes/, page)).toBeLessThanOrEqual(20);
  });

  it('deliveries: their endpoints are found, and what is due for each, without reading all that waits', async () => {
    const [busy, patient, done] = [await newEndpoint(), await newEndpoint(), await newEndpoint()];
    await makeDeliveries(app.database, busy, { count: 20_000, estado: 'pendiente' });
    await makeDeliveries(app.database, patient, { count: 1_000, estado: 'pendiente', daysAgo: 1 });
    await makeDeliveries(app.database, done, { count: 1_000, estado: 'entregada', daysAgo: 2 });
    await app.database.query(
      `update webhook_entregas set proximo_en = now() + interval '1 hour' where webhook_id = $1`,
      [patient.id],
    );
    await app.database.query(
      `update webhook_entregas set proximo_en = proximo_en - n * interval '1 millisecond'
       from (select mensaje_id, row_number() over () as n from webhook_entregas) m
       where webhook_entregas.mensaje_id = m.mensaje_id and webhook_id = $1`,
      [busy.id],
    );
    await app.database.query('vacuum analyze webhook_entregas');
    expect(await rowsOf(overdueEndpoints())).toEqual([{ webhook_id: busy.id, lenta: true }]);
    // One row of each partition for each endpoint with something pending.
    expect(await rowsRead(/^webhook_entregas/, overdueEndpoints())).toBeLessThan(20);
    expect(await rowsRead(/^webhook_entregas/, dueDeliveries(busy.id, true, 8))).toBeLessThan(20);
    expect(await rowsRead(/^webhook_entregas/, dueDeliveries(patient.id, true, 8))).toBeLessThan(10);
    expect(await rowsRead(/^webhook_entregas/, dueDeliveries(busy.id, false, 64))).toBe(0);
    const lists: [Endpoint, EntregaEstado[]][] = [
      [busy, ['pendiente', 'fallida']],
      [done, ['pendiente', 'fallida', 'entregada']],
    ];
    for (const [{ id }, estados] of lists)
      for (const estado of estados)
        expect(
          await rowsRead(/^webhook_entregas/, pageOfDeliveries(id, estado, { rows: 10 })),
        ).toBeLessThanOrEqual(10);
  });

  async function rowsRead(tables: RegExp, { text, values }: QueryConfig): Promise<number> {
    const [explained] = await app.database.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, timing off, format json) ${text}`,
      values,
    );
    return rowsReadOf(tables, explained!['QUERY PLAN'][0].Plan);
  }
});
