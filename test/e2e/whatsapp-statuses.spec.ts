import { setTimeout as sleep } from 'node:timers/promises';
import { NotificationsProcessor } from '../../src/notifications/notifications.processor.js';
import { MESSAGES } from '../../src/notifications/notifications.work.js';
import { LostJobsService } from '../../src/platform/work/lost-jobs.service.js';
import { MessagesService } from '../../src/notifications/messages/messages.service.js';
import { SenderPausesService } from '../../src/notifications/pauses/sender-pauses.service.js';
import { setClocksAhead } from '../support/clock-ahead.js';
import type { CloudApp } from '../support/cloud.js';
import { eventually, settled } from '../support/eventually.js';
import { newPhone, type MadeGuia } from '../support/messaging.js';
import { failed, status, wamid } from '../support/whatsapp-bodies.js';
import { opened, useCloudApp } from '../support/use.js';

/** Milliseconds between a paused worker's looks at its queue. */
const LOOK_MS = 50;

type Reported = 'sent' | 'delivered' | 'read' | 'failed';

describe('a status from WhatsApp', () => {
  const app = useCloudApp();
  const merchant = opened(() => app.test.merchant());

  const asked = async (): Promise<MadeGuia & { wamid: string; mensajeId: string }> => {
    const guia = await app.messaging.create(merchant);
    const { id, proveedor_id } = await app.messaging.reached(guia, 'aceptado');
    return { ...guia, mensajeId: id, wamid: proveedor_id! };
  };
  const reports = async (...statuses: Parameters<CloudApp['reports']>) => {
    expect((await app.reports(...statuses)).status).toBe(200);
    await settled(app.test);
  };
  /** Waits until a message is in a state. */
  const estadoReached = (mensajeId: string, estado: string) =>
    eventually(async () =>
      expect(await app.test.database.query('select estado from mensajes where id = $1', [mensajeId])).toEqual(
        [{ estado }],
      ),
    );
  const estado = async (guia: MadeGuia) => (await app.messaging.of(guia)).map((message) => message.estado);
  const report = (name: Reported, id: string) => (name === 'failed' ? failed(id, 131026) : status(name, id));

  it('raises the state of a message and never lowers it', async () => {
    const guia = await asked();
    for (const [name, expected] of [
      ['sent', 'aceptado'],
      ['failed', 'fallido'],
      ['delivered', 'entregado'],
      ['failed', 'entregado'],
      ['read', 'leido'],
      ['delivered', 'leido'],
    ] as const) {
      await reports(report(name, guia.wamid));
      expect(await estado(guia)).toEqual([expected]);
    }
  });

  it('is ignored for an unknown message, and with an unknown name', async () => {
    const guia = await asked();
    await reports(status('read', wamid()), failed(wamid(), 131026), status('deleted', guia.wamid));
    expect(await estado(guia)).toEqual(['aceptado']);
  });

  it('is matched by our own id if it arrives before the answer to the send', async () => {
    const telefono = newPhone();
    const id = wamid();
    app.graph.answer(async ({ json }) => {
      await app.reports(status('delivered', id, { biz_opaque_callback_data: json.biz_opaque_callback_data }));
      await estadoReached(json.biz_opaque_callback_data, 'entregado');
      return { json: { messages: [{ id }] } };
    });
    const guia = await app.messaging.create(merchant, { telefono });
    await app.messaging.reached(guia, 'entregado');
    await settled(app.test);
    expect(await app.messaging.of(guia)).toMatchObject([{ estado: 'entregado', proveedor_id: id }]);
  });

  it('ends the wait for a message whose answer was lost, which is not sent again', async () => {
    app.graph.answer({ fault: 'reset' });
    const guia = await app.messaging.create(merchant);
    const { id: mensajeId } = await app.messaging.reached(guia, 'incierto');
    const id = wamid();
    await reports(status('sent', id, { biz_opaque_callback_data: mensajeId }));
    expect(await app.messaging.of(guia)).toMatchObject([{ estado: 'aceptado', proveedor_id: id }]);
    await (await app.messaging.job(mensajeId, 'delayed')).promote();
    await app.messaging.job(mensajeId, 'completed');
    expect(app.sentTo(guia.telefono)).toHaveLength(1);
  });

  it('is waited for before a message is resent if its worker died while sending', async () => {
    const guia = await asked();
    await app.test.database.query(
      `update mensajes set estado = 'enviando', actualizado_en = now() - interval '1 minute' where id = $1`,
      [guia.mensajeId],
    );
    await (await app.messaging.job(guia.mensajeId, 'completed')).retry('completed');
    await app.messaging.reached(guia, 'incierto');
    expect(app.sentTo(guia.telefono)).toHaveLength(1);
    await app.messaging.due({ id: guia.mensajeId });
    await app.messaging.reached(guia, 'aceptado');
    expect(app.sentTo(guia.telefono)).toHaveLength(2);
    expect(await app.messaging.tries(guia)).toMatchObject([
      { resultado: 'aceptado' },
      { resultado: 'interrumpido' },
      { resultado: 'aceptado' },
    ]);
  });

  describe('that reports a failure', () => {
    /** The only failed job that shows a message to support. */
    const shown = (mensajeId: string) =>
      eventually(async () => {
        const jobs = (await app.messaging.queue.getFailed()).filter(
          ({ data }) => data.mensajeId === mensajeId,
        );
        expect(jobs).toHaveLength(1);
        return jobs[0]!;
      });

    /** Reports a failure after which the message is to be tried again, without a warning. */
    const failedForNow = async (code: number) => {
      const guia = await asked();
      await reports(failed(guia.wamid, code));
      const [message] = await app.messaging.of(guia);
      expect(message).toMatchObject({ estado: 'pendiente', causa: expect.stringContaining(`(${code})`) });
      expect(message!.espera).toBeGreaterThan(0);
      expect((await app.messaging.detail(merchant, guia)).advertencias).toEqual([]);
      return guia;
    };
    /** Lets the time until its next try pass, and queues it. */
    const requeue = async ({ mensajeId }: { mensajeId: string }) => {
      await app.test.database.query(
        `update mensajes set proximo_en = now() - interval '1 minute' where id = $1`,
        [mensajeId],
      );
      await app.test.app.get(LostJobsService).restore(MESSAGES);
    };
    const pausas = () => app.test.database.query('select proveedor, codigo from pausas');

    it('that is temporary schedules the next try without a warning', async () => {
      const guia = await failedForNow(131000);
      expect(await pausas()).toEqual([]);
      await requeue(guia);
      await settled(app.test);
      expect(await app.messaging.of(guia)).toMatchObject([{ estado: 'aceptado', ronda: 1 }]);
    });

    it('of the account pauses all messages until one is reported as sent', async () => {
      const code = 131042;
      app.test.app.get(NotificationsProcessor).worker.opts.maximumRateLimitDelay = LOOK_MS;
      const before = await asked();
      const guia = await failedForNow(code);
      const paused = [{ proveedor: 'whatsapp', codigo: String(code) }];
      expect(await pausas()).toEqual(paused);
      // WhatsApp accepted another message before the pause.
      await app.test.app.get(SenderPausesService).end('whatsapp');
      expect(await pausas()).toEqual(paused);

      const other = await app.messaging.create(merchant);
      await requeue(guia);
      await app.messaging.reached(other, 'pendiente');
      await sleep(10 * LOOK_MS);
      for (const waiting of [guia, other])
        expect(await app.messaging.of(waiting)).toMatchObject([{ estado: 'pendiente' }]);
      expect(await app.messaging.queue.getRateLimitTtl()).toBeGreaterThan(30_000);

      await app.messaging.queue.removeRateLimitKey();
      const again = await app.messaging.reached(guia, 'aceptado');
      await app.messaging.reached(other, 'aceptado');
      await settled(app.test);
      // Each process looks for the pause every 30 s. That WhatsApp accepts messages ends the limit, but proves nothing.
      await eventually(async () => {
        setClocksAhead(60_000);
        await app.test.app.get(SenderPausesService).end('whatsapp');
        expect(await app.messaging.queue.getGlobalRateLimit()).toBeNull();
      });
      jest.restoreAllMocks();
      expect(await pausas()).toEqual(paused);

      // Neither does a report of a message that was accepted before.
      await reports(status('read', before.wamid));
      expect(await pausas()).toEqual(paused);
      await reports(failed(again.proveedor_id!, code));
      await reports(status('sent', (await app.messaging.of(other))[0]!.proveedor_id!));
      expect(await pausas()).toEqual(paused);
      await app.messaging.queue.removeRateLimitKey();
      await reports(status('sent', (await asked()).wamid));
      expect(await pausas()).toEqual([]);
      expect(app.test.logs.filter(({ msg }) => msg === 'sender resumed').length).toBeGreaterThan(0);
      await app.messaging.queue.removeRateLimitKey();
      await app.messaging.queue.removeGlobalRateLimit();
      await app.messaging.reached(guia, 'pendiente');
      await app.test.database.query(`update mensajes set estado = 'omitido' where id = $1`, [guia.mensajeId]);
    });

    describe('of the account begins a pause that', () => {
      const account = (code: number) => ({ kind: 'config' as const, message: 'La cuenta.', code: `${code}` });
      const pauses = () => app.test.app.get(SenderPausesService);
      afterEach(async () => {
        await app.test.database.query('delete from pausas');
        await app.messaging.queue.removeRateLimitKey();
        await app.messaging.queue.removeGlobalRateLimit();
      });

      it('stays on record if a request fails for the same or another reason and the next one is accepted', async () => {
        for (const code of [131042, 190]) {
          await pauses().begin('whatsapp', account(131042), 1_000, true);
          await pauses().begin('whatsapp', account(code), 1_000);
          await app.messaging.queue.removeRateLimitKey();
          setClocksAhead(60_000);
          await pauses().end('whatsapp');
          jest.restoreAllMocks();
          expect(await pausas()).toEqual([{ proveedor: 'whatsapp', codigo: `${code}` }]);
        }
      });

      it('ends only with a message that was accepted after the last report of a failure', async () => {
        await pauses().begin('whatsapp', account(131042), 1_000, true);
        await app.messaging.queue.removeRateLimitKey();
        const between = await asked();
        await pauses().begin('whatsapp', account(131042), 1_000, true);
        await app.messaging.queue.removeRateLimitKey();
        await reports(status('sent', between.wamid));
        expect(await pausas()).toHaveLength(1);
        const after = await asked();
        await reports(status('sent', after.wamid));
        expect(await pausas()).toEqual([]);
      });

      it('is logged once, however often its failure is reported', async () => {
        const paused = () =>
          app.test.logs.filter(({ msg }) => String(msg).startsWith('sender paused')).length;
        const before = paused();
        for (let i = 0; i < 3; i++) await pauses().begin('whatsapp', account(131042), 1_000, true);
        expect(paused()).toBe(before + 1);
      });
    });

    it('creates a failed job with a cause in Spanish, and a warning to the merchant', async () => {
      const guia = await asked();
      await reports(failed(guia.wamid, 131026));
      const job = await shown(guia.mensajeId);
      expect(job.failedReason).toMatch(/^El número no recibe WhatsApp \(131026\)\. .*\.$/);
      expect(job.data).toEqual({ mensajeId: guia.mensajeId, guia: guia.guia, isReported: true });
      expect(JSON.stringify(job)).not.toContain(guia.telefono.slice(1));
      expect(await app.messaging.detail(merchant, guia)).toMatchObject({ advertencias: ['mensaje_fallido'] });
      expect((await app.messaging.events(guia)).at(-1)).toEqual({
        tipo: 'guia.mensaje_fallido',
        datos: { estado: 'aceptado', codigo: '131026' },
      });
    });

    it.each([
      ['', {}],
      [
        ' with its tries reset, as the board does it',
        { resetAttemptsMade: true, resetAttemptsStarted: true },
      ],
    ])(
      'sends the message again when that job is retried%s, and warns again in another job if that fails too',
      async (_, options) => {
        const guia = await asked();
        await reports(failed(guia.wamid, 131026));
        await (await shown(guia.mensajeId)).retry('failed', options);
        const again = await app.messaging.reached(guia, 'aceptado');
        expect(app.sentTo(guia.telefono)).toHaveLength(2);
        expect(again.proveedor_id).not.toBe(guia.wamid);
        await settled(app.test);
        expect((await app.messaging.detail(merchant, guia)).advertencias).toEqual([]);
        await reports(failed(again.proveedor_id!, 131049));
        expect((await shown(guia.mensajeId)).failedReason).toContain('131049');
        expect((await app.messaging.detail(merchant, guia)).advertencias).toEqual(['mensaje_fallido']);
      },
    );

    it('does not send it again on a retry if it was delivered meanwhile', async () => {
      const guia = await asked();
      await reports(failed(guia.wamid, 131026));
      const job = await shown(guia.mensajeId);
      await reports(status('delivered', guia.wamid));
      await job.retry();
      await app.messaging.job(job.id!, 'completed');
      expect(app.sentTo(guia.telefono)).toHaveLength(1);
    });

    it('is recorded once, however often it is repeated', async () => {
      const guia = await asked();
      await Promise.all([1, 2, 3].map(() => app.reports(failed(guia.wamid, 131026))));
      await settled(app.test);
      await shown(guia.mensajeId);
      expect((await app.messaging.events(guia)).map(({ tipo }) => tipo)).toEqual([
        'guia.creada',
        'guia.mensaje_fallido',
      ]);
      expect(await app.messaging.tries(guia)).toEqual([
        { resultado: 'aceptado', causa: null, veces: 1 },
        { resultado: 'no_entregado', causa: expect.stringContaining('(131026)'), veces: 1 },
      ]);
    });

    it('creates its job again on a repeat if the queue lost the first one', async () => {
      const guia = await asked();
      const report = {
        estado: 'fallido' as const,
        mensajeId: null,
        proveedorId: guia.wamid,
        usuario: null,
        failure: {
          kind: 'permanent' as const,
          message: 'El número no recibe WhatsApp (131026).',
          code: '131026',
        },
      };
      await app.test.app.get(MessagesService).report(report);
      await (await shown(guia.mensajeId)).remove();
      await app.test.app.get(MessagesService).report(report);
      expect((await shown(guia.mensajeId)).failedReason).toBe(report.failure.message);
    });

    it('keeps its cause if the answer to the send arrives later', async () => {
      const id = wamid();
      app.graph.answer(async ({ json }) => {
        await app.reports(failed(id, 131026, { biz_opaque_callback_data: json.biz_opaque_callback_data }));
        await estadoReached(json.biz_opaque_callback_data, 'fallido');
        return { json: { messages: [{ id }] } };
      });
      const guia = await app.messaging.create(merchant);
      await app.messaging.reached(guia, 'fallido');
      await settled(app.test);
      expect(await app.messaging.of(guia)).toMatchObject([
        { estado: 'fallido', causa: expect.stringContaining('131026') },
      ]);
    });
  });
});
