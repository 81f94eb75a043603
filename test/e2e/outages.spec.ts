import { NOTIFICACIONES } from '../../src/notifications/notifications.queue.js';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { setClocksAhead } from '../support/clock-ahead.js';
import { Console, CONSOLE_USERS } from '../support/console.js';
import { withClient } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import type { MadeGuia } from '../support/messaging.js';
import type { TestMerchant } from '../support/test-app.js';
import { useBridgedApp } from '../support/use.js';

const PHONE = '+502 5555-1234';

describe('a bridge that fails for everybody', () => {
  const app = useBridgedApp({ env: { BOARD_USERS: CONSOLE_USERS } });
  let ana: Console;
  let merchant: TestMerchant;

  beforeAll(async () => {
    ana = new Console(app.test);
    merchant = await app.test.merchant();
  });

  const outages = async (): Promise<Record<string, unknown>[]> =>
    (await app.test.request('/readyz')).body.pausas ?? [];
  const make = (count: number) =>
    Promise.all(Array.from({ length: count }, () => app.messaging.create(merchant)));
  const estados = async (guias: MadeGuia[]) =>
    (await Promise.all(guias.map((guia) => app.messaging.of(guia)))).flat().map(({ estado }) => estado);
  const probeIn = (time: string) =>
    app.test.database.query('update pausas set prueba_en = now() + $1::interval', [time]);
  /** Lets one probe fail, and puts off the next; returns its phone. */
  const failedProbe = async (): Promise<string> => {
    const [{ now } = { now: new Date() }] = await app.test.database.query<{ now: Date }>('select now()');
    const { length } = app.bridge.requests;
    await probeIn('0');
    await eventually(async () => {
      const answered = `select from mensajes m join pausas p on m.id = p.prueba_id where m.actualizado_en > $1`;
      expect(app.bridge.requests.length).toBeGreaterThan(length);
      expect(await app.test.database.query(answered, [now])).toHaveLength(1);
    });
    await probeIn('1 hour');
    return app.bridge.requests[length]!.json.telefono as string;
  };

  it('is out: it is seen everywhere, messages wait without using up tries, and leave once when it answers', async () => {
    app.bridge.otherwise({ status: 500, json: { detail: `upstream timed out for ${PHONE}` } });
    const early = await make(8);
    const [outage] = await eventually(async () => {
      const list = await outages();
      expect(list).toHaveLength(1);
      return list;
    });
    await probeIn('1 hour');
    expect(outage).toMatchObject({
      proveedor: 'webhook',
      codigo: 'HTTP 500',
      respuesta: 'upstream timed out for …',
    });
    expect((await app.test.request('/readyz')).status).toBe(200);
    for (const path of [
      '/admin',
      '/admin/auditoria',
      `/admin/guias/${early[0]!.guia}`,
      '/admin/queues',
      '/admin/buscar?q=x',
    ])
      expect(await ana.page(path)).toContain('«upstream timed out for …»');
    expect((await ana.get('/admin/guias/1')).text).toContain('«upstream timed out for …»');

    // Those that come now wait without a try.
    const later = await make(3);
    await eventually(async () => expect(await estados(later)).toEqual(later.map(() => 'pendiente')));
    await eventually(async () => {
      for (const guia of later) expect((await app.messaging.of(guia))[0]!.causa).toContain('HTTP 500');
    });
    for (const guia of later) expect(app.bridge.sentTo(guia.telefono)).toEqual([]);

    // One probe at a time, each of another message.
    const sent = app.bridge.requests.length;
    expect(await failedProbe()).not.toBe(await failedProbe());
    expect(app.bridge.requests).toHaveLength(sent + 2);
    expect(await outages()).toHaveLength(1);

    // Support sends one that waits; it is a probe, too.
    const last = later[2]!;
    const pageOfLast = `/admin/guias/${last.guia}`;
    const [waiting] = await app.messaging.of(last);
    expect(await ana.submit(pageOfLast, `/mensajes/${waiting!.id}/enviar`)).toContain('va en camino');
    await eventually(() => expect(app.bridge.sentTo(last.telefono)).toHaveLength(1));
    // Its job waits again: one that still ran would not be replaced.
    const queue = app.test.app.get(QueuesService).queue(NOTIFICACIONES);
    await eventually(async () => expect(await queue.getJobCounts('active')).toEqual({ active: 0 }));

    app.bridge.otherwise({});
    app.bridge.requests.length = 0;
    await probeIn('0');
    await eventually(async () =>
      expect(await estados([...early, ...later])).toEqual(Array(11).fill('aceptado')),
    );
    const phones = app.bridge.requests.map(({ json }) => json.telefono as string);
    expect(phones.sort()).toEqual([...early, ...later].map(({ telefono }) => telefono).sort());
    await eventually(async () => expect(await app.test.database.query('select from pausas')).toEqual([]));
    // Those that waited in the queue were replaced.
    await eventually(async () =>
      expect(await queue.getJobCounts('wait', 'active', 'delayed')).toEqual({
        wait: 0,
        active: 0,
        delayed: 0,
      }),
    );
    expect(await ana.page('/admin')).not.toContain('class="outage');
    for (const guia of [...early, ...later])
      expect((await app.messaging.of(guia))[0]!.intentos).toBeLessThanOrEqual(3);
  });

  it('answers again while a message is about to wait for that: it leaves, too', async () => {
    // Nobody is out who answered in the last four seconds.
    setClocksAhead(4_000);
    app.bridge.otherwise({ status: 500 });
    const early = await make(8);
    await eventually(async () => expect(await outages()).toHaveLength(1));
    await probeIn('1 hour');
    // All of them wait: one that was still about to could be chosen as the probe below, and would be locked.
    const waits = `select from mensajes where estado = 'pendiente' and proximo_en > now() + interval '9 minutes'`;
    await eventually(async () => expect(await app.test.database.query(waits)).toHaveLength(8));
    // Whatever is to wait for long stops just before that.
    await app.test.database.query(`create function stop() returns trigger language plpgsql
      as 'begin perform pg_advisory_xact_lock_shared(1); return new; end'`);
    await app.test.database.query(`create trigger stop before update on mensajes for each row
      when (new.estado = 'pendiente' and new.proximo_en > now() + interval '9 minutes') execute function stop()`);
    await withClient(app.test.database.ownerUrl, async (client) => {
      const isTrue = (condition: string) =>
        eventually(async () => expect((await client.query(`select where ${condition}`)).rowCount).toBe(1));
      const waitsFor = (lock: string, query: string) => `exists (select from pg_stat_activity
        where datname = current_database() and wait_event = '${lock}' and query ~ '${query}')`;
      await client.query('select pg_advisory_lock(1)');
      const [late] = await make(1);
      await isTrue(waitsFor('advisory', 'update mensajes'));

      app.bridge.otherwise({});
      const probed = probeIn('0');
      await isTrue(
        `not exists (select from pausas) or ${waitsFor('transactionid', 'set responde_en = clock_timestamp')}`,
      );
      await client.query('select pg_advisory_unlock(1)');
      await probed;
      await eventually(async () =>
        expect(await estados([...early, late!])).toEqual(Array(9).fill('aceptado')),
      );
    });
    await app.test.database.query('drop trigger stop on mensajes');
    await eventually(async () => expect(await outages()).toEqual([]));
  });

  it('is not out if it refuses numbers', async () => {
    app.bridge.otherwise({ status: 404, json: { detail: 'no existe' } });
    const guias = await make(7);
    await eventually(async () => expect(await estados(guias)).toEqual(Array(7).fill('fallido')));
    expect(await outages()).toEqual([]);
  });
});
