import { createHmac } from 'node:crypto';
import { v7 } from 'uuid';
import { Secrets } from '../../src/platform/config/secrets.js';
import { GuiaAdvertenciasService } from '../../src/guias/changes/guia-advertencias.service.js';
import { SenderService } from '../../src/notifications/sending/sender.service.js';
import { RetryLater } from '../../src/platform/queues/job-errors.js';
import { setClocksAhead } from '../support/clock-ahead.js';
import { eventually, settled } from '../support/eventually.js';
import { failOn } from '../support/failing-statement.js';
import { dump, newPhone, type BridgedApp, type MadeGuia } from '../support/messaging.js';
import { crowdOnGuia } from '../support/row-queue.js';
import { withTestApp } from '../support/test-app.js';
import { opened, useBridgedApp } from '../support/use.js';

describe('a message that the bridge refuses', () => {
  const app = useBridgedApp({ env: { MESSAGES_PER_PHONE_PER_DAY: '1' } });
  const merchant = opened(() => app.test.merchant());

  /** Creates a guide whose message gets these answers from the bridge, then 200. */
  const create = (...answers: Parameters<BridgedApp['bridge']['answer']>) => {
    const telefono = newPhone();
    app.bridge.answerTo(telefono, ...answers);
    return app.messaging.create(merchant, { telefono });
  };
  /** How the tries of its message ended. */
  const results = async (guia: MadeGuia) =>
    (await app.messaging.tries(guia)).map(({ resultado }) => resultado);
  const ids = ({ telefono }: MadeGuia) =>
    app.bridge.sentTo(telefono).map(({ headers }) => headers['webhook-id']);

  describe('temporarily', () => {
    it.each([
      [503, '1800', 1_800],
      [500, undefined, 5],
    ])('(%s, Retry-After %s) is sent again under its id after %i seconds', async (status, after, seconds) => {
      const guia = await create({ status, headers: after === undefined ? {} : { 'retry-after': after } });
      const mensaje = await app.messaging.waiting(guia);
      expect(mensaje).toMatchObject({ intentos: 1, causa: expect.stringContaining(`HTTP ${status}`) });
      // The schedule's own delay varies by a fifth either way; what the bridge asks for is only lengthened.
      expect(mensaje.espera).toBeGreaterThanOrEqual((after === undefined ? 0.8 : 1) * seconds);
      expect(mensaje.espera).toBeLessThanOrEqual(1.2 * seconds);
      const job = await app.messaging.job(mensaje.id, 'delayed');
      expect(job.delay / 1_000).toBeCloseTo(mensaje.espera, 1);
      await app.messaging.due(mensaje);
      expect(await app.messaging.reached(guia, 'aceptado')).toMatchObject({ intentos: 2, causa: null });
      expect(ids(guia)).toEqual([mensaje.id, mensaje.id]);
      expect(await app.messaging.tries(guia)).toEqual([
        { resultado: 'reintenta', causa: mensaje.causa, veces: 1 },
        { resultado: 'aceptado', causa: null, veces: 1 },
      ]);
    });

    it('does not delay other messages', async () => {
      const slow = await create({ status: 429, headers: { 'retry-after': '3600' } });
      await app.messaging.waiting(slow);
      await app.messaging.reached(await create(), 'aceptado');
    });

    it('fails after eight tries', async () => {
      const guia = await create(...Array<{ status: number }>(8).fill({ status: 503 }));
      const { id } = (await app.messaging.of(guia))[0] ?? (await app.messaging.waiting(guia));
      for (let tries = 1; tries < 8; tries++) {
        await eventually(async () =>
          expect(await app.messaging.of(guia)).toMatchObject([{ estado: 'pendiente', intentos: tries }]),
        );
        await app.messaging.due({ id });
      }
      expect(await app.messaging.reached(guia, 'fallido')).toMatchObject({
        intentos: 8,
        causa: expect.stringContaining('8 veces'),
      });
      await app.messaging.job(id, 'failed');
      expect(ids(guia)).toEqual(Array(8).fill(id));
      expect(await results(guia)).toEqual([...Array<string>(7).fill('reintenta'), 'fallido']);
      expect(await app.messaging.detail(merchant, guia)).toMatchObject({ advertencias: ['mensaje_fallido'] });
    });
  });

  describe('permanently', () => {
    it('stays failed in the queue with a cause in Spanish, and without a phone number', async () => {
      const answer = (json: any) => ({ status: 400, json: { error: `${json.telefono} is unknown` } });
      const guia = await create(({ json }) => answer(json));
      const { id, causa } = await app.messaging.reached(guia, 'fallido');
      const job = await app.messaging.job(id, 'failed');
      const { logs } = await app.messaging.queue.getJobLogs(id);
      expect(causa).toMatch(
        /^El puente de mensajería rechazó el mensaje \(HTTP 400\)\. .*\. «… is unknown»$/,
      );
      expect(job.failedReason).toBe(causa);
      expect(job.data).toEqual({ mensajeId: id, guia: guia.guia });
      const kept = JSON.stringify([job, logs]) + (await dump(app.test.database, 'bullmq'));
      expect(kept).toContain(id);
      expect(kept).not.toContain(guia.telefono.slice(1));
      expect(kept).not.toContain(app.bridge.sentTo(guia.telefono)[0]!.json.enlace.split('/c/')[1]);
    });

    it('warns the merchant on the guide once, and is in its history', async () => {
      const guia = await create({ status: 400 }, { status: 400 });
      const { id } = await app.messaging.reached(guia, 'fallido');
      await (await app.messaging.job(id, 'failed')).retry();
      await eventually(() => expect(ids(guia)).toHaveLength(2));
      await app.messaging.job(id, 'failed');
      expect(await app.messaging.detail(merchant, guia)).toMatchObject({ advertencias: ['mensaje_fallido'] });
      expect(await app.messaging.events(guia)).toEqual([
        { tipo: 'guia.creada', datos: null },
        { tipo: 'guia.mensaje_fallido', datos: { estado: 'aceptado', codigo: 'HTTP 400' } },
      ]);
    });

    it('gets eight more tries when its job is retried, under its id and with its link', async () => {
      const guia = await create({ status: 404 }, { status: 503 });
      const { id } = await app.messaging.reached(guia, 'fallido');
      await (await app.messaging.job(id, 'failed')).retry();
      expect(await app.messaging.waiting(guia)).toMatchObject({ intentos: 1 });
      await app.messaging.due({ id });
      await app.messaging.reached(guia, 'aceptado');
      await app.messaging.job(id, 'completed');
      const [first, ...again] = app.bridge.sentTo(guia.telefono).map(({ json }) => json);
      expect(again).toEqual([first, first]);
    });

    it('is not sent by the retry of its job if the bridge has accepted it meanwhile', async () => {
      const guia = await create({ status: 404 });
      const { id } = await app.messaging.reached(guia, 'fallido');
      const job = await app.messaging.job(id, 'failed');
      await app.test.app.get(SenderService).send(id);
      expect(ids(guia)).toEqual([id, id]);
      await job.retry();
      expect((await app.messaging.job(id, 'completed')).returnvalue).toBe('No había nada que enviar.');
      expect(ids(guia)).toEqual([id, id]);
    });

    it('keeps its warning if a failure is reported while an accepted send is being recorded', async () => {
      const guia = await create({ status: 404 });
      const { id } = await app.messaging.reached(guia, 'fallido');
      await eventually(async () =>
        expect((await app.messaging.detail(merchant, guia)).advertencias).toEqual(['mensaje_fallido']),
      );
      const key = { comercioId: merchant.id, guiaId: guia.id };
      await app.test.app.get(GuiaAdvertenciasService).remove(key, ['mensaje_fallido'], id);
      expect((await app.messaging.detail(merchant, guia)).advertencias).toEqual(['mensaje_fallido']);
    });

    it('is recorded once by two processes at the same time, and raises the version of the guide once', async () => {
      const guia = await create();
      await app.messaging.reached(guia, 'aceptado');
      const key = { comercioId: merchant.id, guiaId: guia.id };
      const evento = { id: v7(), tipo: 'guia.mensaje_fallido' as const, datos: { codigo: '131026' } };
      await withTestApp({ database: app.test.database }, async (second) => {
        const workers = [app.test, second].map((test) => test.app.get(GuiaAdvertenciasService));
        await crowdOnGuia(
          app.test.database,
          guia.id,
          workers.map((worker) => () => worker.add(key, 'mensaje_fallido', v7(), evento)),
        );
      });
      expect((await app.messaging.events(guia)).map(({ tipo }) => tipo)).toEqual([
        'guia.creada',
        'guia.mensaje_fallido',
      ]);
      const { headers, body } = await merchant.get(`/api/v1/guias/${guia.id}`);
      expect([headers.get('etag'), body.guia.advertencias]).toEqual(['"2"', ['mensaje_fallido']]);
    });

    it('is sent once by concurrent jobs', async () => {
      const guia = await create({ status: 404 });
      const { id } = await app.messaging.reached(guia, 'fallido');
      const sender = app.test.app.get(SenderService);
      const jobs = await Promise.all([id, id, id].map((one) => sender.send(one)));
      const ofOthers = 'Otro proceso lo está enviando.';
      expect(jobs.sort()).toEqual(['Enviado.', ofOthers, ofOthers]);
      expect(ids(guia)).toEqual([id, id]);
    });
  });

  describe('with an unknown outcome', () => {
    it.each(['reset', 'close-mid-body'] as const)(
      '(%s) waits for its status, and is sent again under its id only after that',
      async (fault) => {
        const guia = await create({ fault, json: { id: 'x' } });
        const mensaje = await app.messaging.reached(guia, 'incierto');
        expect(mensaje.espera).toBe(90);
        await app.test.database.query(
          `update mensajes set proximo_en = now() + interval '1 hour' where id = $1`,
          [mensaje.id],
        );
        await (await app.messaging.job(mensaje.id, 'delayed')).promote();
        const job = await eventually(async () => {
          const again = await app.messaging.job(mensaje.id, 'delayed');
          expect(again.attemptsMade).toBe(2);
          return again;
        });
        expect(job.delay).toBeGreaterThan(30 * 60_000);
        expect(ids(guia)).toHaveLength(1);
        await app.messaging.due(mensaje);
        await app.messaging.reached(guia, 'aceptado');
        expect(ids(guia)).toEqual([mensaje.id, mensaje.id]);
        expect(await results(guia)).toEqual(['sin_respuesta', 'aceptado']);
      },
    );

    it('is also tried eight times at most', async () => {
      const guia = await create(...Array<{ fault: 'reset' }>(9).fill({ fault: 'reset' }));
      const { id } = await app.messaging.reached(guia, 'incierto');
      for (let tries = 1; tries < 8; tries++) {
        await eventually(async () =>
          expect(await app.messaging.of(guia)).toMatchObject([{ estado: 'incierto', intentos: tries }]),
        );
        await app.messaging.due({ id });
      }
      await app.messaging.reached(guia, 'fallido');
      await app.messaging.job(id, 'failed');
      expect(ids(guia)).toHaveLength(8);
    });

    it('is sent again under its id if its worker died while sending', async () => {
      const guia = await create();
      const { id } = await app.messaging.reached(guia, 'aceptado');
      await app.test.database.query(
        `update mensajes set estado = 'enviando', actualizado_en = now() - interval '1 minute' where id = $1`,
        [id],
      );
      await (await app.messaging.job(id, 'completed')).retry('completed');
      await app.messaging.reached(guia, 'aceptado');
      await eventually(() => expect(ids(guia)).toEqual([id, id]));
      // The time of the one that was cut off is that of its beginning, which the test set back.
      await eventually(async () =>
        expect((await results(guia)).sort()).toEqual(['aceptado', 'aceptado', 'interrumpido']),
      );
    });
  });

  it('is not sent while another process sends it, whose clock differs by a minute', async () => {
    const guia = await create();
    const { id } = await app.messaging.reached(guia, 'aceptado');
    await settled(app.test);
    await app.test.database.query(
      `update mensajes set estado = 'enviando', actualizado_en = now() where id = $1`,
      [id],
    );
    setClocksAhead(60_000);
    await expect(app.test.app.get(SenderService).send(id)).rejects.toThrow(RetryLater);
    jest.restoreAllMocks();
    expect(ids(guia)).toEqual([id]);
    await app.test.database.query(`update mensajes set estado = 'aceptado' where id = $1`, [id]);
  });

  describe('is omitted at its next try if', () => {
    it.each([
      ['the guide was cancelled', `update guias set estado = 'cancelado' where id = $1`, 'guia_id', /guía/],
      [
        'the address was confirmed',
        `update guias set direccion_confirmada = true, destino_lat = 14.6, destino_lng = -90.5 where id = $1`,
        'guia_id',
        /confirm/,
      ],
      [
        'its link has expired',
        `update mensajes set creado_en = now() - interval '7 days 1 second' where id = $1`,
        'id',
        /tiempo/,
      ],
    ] as const)('%s', async (_, change, key, causa) => {
      const guia = await create({ status: 503 });
      const mensaje = await app.messaging.waiting(guia);
      await app.test.database.query(change, [mensaje[key]]);
      await app.messaging.due(mensaje);
      expect(await app.messaging.reached(guia, 'omitido')).toMatchObject({
        causa: expect.stringMatching(causa),
      });
      await app.messaging.job(mensaje.id, 'completed');
      expect(ids(guia)).toHaveLength(1);
      expect(await app.messaging.detail(merchant, guia)).toMatchObject({ advertencias: [] });
    });

    it('the recipient opted out, which the merchant sees', async () => {
      const guia = await create({ status: 503 });
      const mensaje = await app.messaging.waiting(guia);
      await app.test.database.query('insert into bajas values ($1, now())', [guia.telefono]);
      await app.messaging.due(mensaje);
      await app.messaging.reached(guia, 'omitido');
      await app.messaging.job(mensaje.id, 'completed');
      expect(ids(guia)).toHaveLength(1);
      expect((await app.messaging.detail(merchant, guia)).advertencias).toEqual(['mensaje_omitido_baja']);
      expect((await app.messaging.events(guia)).at(-1)).toEqual({
        tipo: 'guia.mensaje_omitido',
        datos: { estado: 'aceptado', por: 'baja' },
      });
    });
  });

  describe('warns the merchant once, even if a statement fails in between, when', () => {
    /** The job of a guide's message, once a try of it has failed. */
    const failedTry = async (guia: MadeGuia) => {
      const { id } = await eventually(async () => {
        const [mensaje] = await app.messaging.of(guia);
        expect(mensaje).toBeDefined();
        return mensaje!;
      });
      return app.messaging.job(id, 'delayed');
    };
    const omissions = async (guia: MadeGuia) =>
      (await app.messaging.events(guia)).filter(({ tipo }) => tipo === 'guia.mensaje_omitido');

    it.each([
      ['the warning', 'insert on eventos', `new.tipo = 'guia.mensaje_omitido'`],
      ['the omission', 'update on mensajes', `new.estado = 'omitido'`],
    ])('the number has had its messages of the day: %s', async (_, write, when) => {
      const telefono = newPhone();
      const huella = createHmac('sha256', app.test.app.get(Secrets).phoneKey).update(telefono).digest();
      await app.test.database.query('insert into cupos_telefono values ($1, array[now()], now())', [huella]);
      const mend = await failOn(app.test.database, write, when);
      const guia = await app.messaging.create(merchant, { telefono });
      const job = await failedTry(guia);
      await mend();
      await job.promote();
      await app.messaging.reached(guia, 'omitido');
      expect((await app.messaging.detail(merchant, guia)).advertencias).toEqual(['mensaje_omitido_limite']);
      expect(await omissions(guia)).toHaveLength(1);
      expect(ids(guia)).toEqual([]);
    });

    it.each([
      ['the warning', 'insert on eventos', `new.tipo = 'guia.mensaje_fallido'`],
      ['the failure', 'update on mensajes', `new.estado = 'fallido'`],
    ])('the message cannot be delivered: %s', async (_, write, when) => {
      const mend = await failOn(app.test.database, write, when);
      const guia = await create({ status: 400 }, { status: 400 });
      const job = await failedTry(guia);
      await mend();
      // The claim of the process that "died" ends.
      await app.test.database.query(
        `update mensajes set actualizado_en = now() - interval '1 minute' where id = $1`,
        [job.id],
      );
      await job.promote();
      await app.messaging.reached(guia, 'fallido');
      await app.messaging.job(job.id!, 'failed');
      expect((await app.messaging.detail(merchant, guia)).advertencias).toEqual(['mensaje_fallido']);
      expect((await app.messaging.events(guia)).map(({ tipo }) => tipo)).toEqual([
        'guia.creada',
        'guia.mensaje_fallido',
      ]);
    });
  });

  it('loses its warning once it is accepted, although the statement that removes it fails at first', async () => {
    const guia = await create({ status: 400 });
    const { id } = await app.messaging.reached(guia, 'fallido');
    const mend = await failOn(app.test.database, 'update on guias', `new.advertencias = '{}'`);
    await (await app.messaging.job(id, 'failed')).retry();
    await app.messaging.reached(guia, 'aceptado');
    const job = await app.messaging.job(id, 'delayed');
    expect((await app.messaging.detail(merchant, guia)).advertencias).toEqual(['mensaje_fallido']);
    await mend();
    await job.promote();
    await app.messaging.job(id, 'completed');
    expect((await app.messaging.detail(merchant, guia)).advertencias).toEqual([]);
    expect(ids(guia)).toHaveLength(2);
  });

  it('leaves neither phone numbers nor links in the logs, of the process and of its tries', async () => {
    await settled(app.test);
    const tries = await app.test.database.query('select * from mensaje_intentos');
    const logs = JSON.stringify([app.test.logs, tries]);
    for (const { json } of app.bridge.requests) {
      expect(logs).not.toContain(json.telefono.slice(1));
      expect(logs).not.toContain(json.enlace.split('/c/')[1]);
    }
  });
});
