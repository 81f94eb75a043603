import type { ErrorCode } from '../../src/platform/errors/error-codes.js';
import { ENLACES } from '../../src/guias/links/links.queue.js';
import { NOTIFICACIONES } from '../../src/notifications/notifications.queue.js';
import { LINKS } from '../../src/guias/links/links.work.js';
import { LostJobsService } from '../../src/platform/work/lost-jobs.service.js';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { eventually, settled } from '../support/eventually.js';
import { startHttpStub, type HttpStub, type StubAnswer } from '../support/http-stub.js';
import { Lives, PLACE } from '../support/lives.js';
import { expectProblem } from '../support/problem.js';
import { createTestApp, guiaBody, type TestApp, type TestMerchant } from '../support/test-app.js';

const GUIAS = '/api/v1/guias';
const PIN = 'https://www.google.com/maps?q=14.7,-90.6';
const NAMED = 'https://www.google.com/maps/place/Iglesia+La+Merced/';
const MADRID = { lat: 40.4168, lng: -3.7038 };
const redirect = (location: string): StubAnswer => ({ status: 302, headers: { location } });

let links = 0;
/** A short link that is in no cache. */
const newLink = () => `https://maps.app.goo.gl/edicion${++links}`;

describe('PATCH of the destination of a guide', () => {
  let maps: HttpStub;
  let test: TestApp;
  let merchant: TestMerchant;
  let lives: Lives;

  beforeAll(async () => {
    maps = await startHttpStub();
    test = await createTestApp({ env: { ROLE: 'all', MAPS_RESOLVER_URL: maps.url } });
    merchant = await test.merchant();
    lives = new Lives(test, merchant);
  });
  beforeEach(() => {
    maps.reset();
    maps.otherwise({});
  });
  afterAll(async () => {
    await test.close();
    await maps.close();
  });

  const patch = (id: string, body: unknown, headers = {}) => merchant.patch(`${GUIAS}/${id}`, body, headers);
  /** A guide whose destination is unknown, so that its recipient was asked. */
  const unknown = async (over: Record<string, unknown> = {}) => {
    const { body } = await merchant.post(GUIAS, guiaBody(over));
    await settled(test);
    return { id: body.id as string, guia: body.guia as string };
  };
  const historyOf = async (guia: { id: string }) =>
    (await lives.events(guia)).slice(1).map(({ tipo, actor, campos }) => [tipo, actor, campos]);

  it.each<[what: string, body: object, destino: object, campos: string[]]>([
    ['coordinates', PLACE, { ...PLACE, maps_url: null }, ['lat', 'lng']],
    [
      'a place without coordinates',
      { maps_url: NAMED },
      { lat: null, lng: null, maps_url: NAMED },
      ['maps_url'],
    ],
  ])('confirms an unconfirmed address with %s', async (_, body, destino, campos) => {
    const guia = await unknown();
    const answer = await patch(guia.id, body, { 'if-match': '"1"' });
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"3"']);
    expect(answer.body.guia).toMatchObject({ direccion_confirmada: true, destino, advertencias: [] });
    expect(await historyOf(guia)).toEqual([
      ['guia.actualizada', 'comercio', campos],
      ['guia.confirmada', 'comercio', null],
    ]);
    expect((await lives.events(guia)).map(({ secuencia }) => secuencia)).toEqual([1, 2, 3]);
    expect(maps.requests).toEqual([]);
  });

  it('ends the time in which the recipient may correct the place', async () => {
    const guia = await unknown();
    await test.database.query(
      `update guias set direccion_confirmada = true, confirmada_en = now(), destino_lat = 15, destino_lng = -91 where id = $1`,
      [guia.id],
    );
    expect((await patch(guia.id, PLACE)).status).toBe(200);
    const [row] = await test.database.query('select confirmada_en from guias where id = $1', [guia.id]);
    expect(row).toEqual({ confirmada_en: null });
  });

  describe('by a short link', () => {
    it('stores the coordinates that its service gives', async () => {
      const guia = await unknown();
      const maps_url = newLink();
      maps.answer(redirect(PIN));
      const { status, body } = await patch(guia.id, { maps_url, notas: 'x' });
      expect(status).toBe(200);
      expect(body.guia).toMatchObject({
        direccion_confirmada: true,
        destino: { lat: 14.7, lng: -90.6, maps_url },
        notas: 'x',
      });
      expect(maps.requests).toHaveLength(1);
    });

    it.each<[what: string, answer: StubAnswer, codigo: ErrorCode]>([
      ['does not exist', { status: 404 }, 'enlace_roto'],
      ['is gone', { status: 410 }, 'enlace_roto'],
      ['leads to no map', redirect('https://example.com/@14.6,-90.5,17z'), 'enlace_no_soportado'],
    ])('that %s changes nothing, not even the other fields: %j', async (_, answer, codigo) => {
      const guia = await unknown();
      const before = await lives.stored(guia);
      maps.otherwise(answer);
      const problem = await patch(guia.id, { maps_url: newLink(), notas: 'otra', telefono: '44445678' });
      expectProblem(problem, codigo);
      expect(problem.body.errores).toEqual([expect.objectContaining({ campo: 'maps_url', codigo })]);
      expect(await lives.stored(guia)).toEqual(before);
    });

    it('is not resolved if the guide is unknown, closed or has another version', async () => {
      const guia = await lives.create();
      const closed = await lives.in('en_ruta');
      const body = { maps_url: newLink() };
      expectProblem(await patch('x', body), 'no_encontrado');
      expectProblem(await patch(guia.id, body, { 'if-match': '"7"' }), 'version_obsoleta');
      expectProblem(await patch(closed.id, body), 'guia_no_modificable');
      expect(maps.requests).toEqual([]);
    });
  });

  describe('by a short link whose service does not answer', () => {
    /** The job that expands the link, once it waits for its next try. */
    const waitingJob = (id: string) =>
      eventually(async () => {
        const jobs = await test.app.get(QueuesService).queue(ENLACES).getDelayed();
        const [job, ...others] = jobs.filter(({ data }) => data.guiaId === id);
        expect([job?.data.guiaId, others]).toEqual([id, []]);
        return job!;
      });
    /** A guide of yesterday whose destination is changed to such a link. */
    const pending = async (over: Record<string, unknown> = {}) => {
      const guia = await unknown(over);
      await test.database.query(`update guias set creada_en = now() - interval '23 hours' where id = $1`, [
        guia.id,
      ]);
      maps.otherwise({ status: 503 });
      const maps_url = newLink();
      const answer = await patch(guia.id, { maps_url });
      expect(answer.status).toBe(200);
      return { ...guia, answer, maps_url, job: await waitingJob(guia.id) };
    };
    /** As if the link had been set a minute earlier. */
    const ageLink = ({ id }: { id: string }) =>
      test.database.query(
        `update enlaces set creado_en = creado_en - interval '1 minute', proximo_en = proximo_en - interval '1 minute'
         where guia_id = $1`,
        [id],
      );
    const read = async ({ id }: { id: string }) => (await merchant.get(`${GUIAS}/${id}`)).body.guia;
    const run = async (guia: { id: string }, answer: Parameters<HttpStub['otherwise']>[0]) => {
      // A first try that is still to come must not get this answer, or no job would wait.
      const job = await waitingJob(guia.id);
      maps.otherwise(answer);
      await job.promote();
    };

    it.each<StubAnswer>([{ status: 503 }, { fault: 'reset' }])(
      'keeps the link, confirms the address and names the place in pendientes: %j',
      async (silence) => {
        const guia = await unknown();
        maps.otherwise(silence);
        const maps_url = newLink();
        const { status, body } = await patch(guia.id, { maps_url, notas: 'otra' });
        expect(status).toBe(200);
        expect(body.guia).toMatchObject({
          direccion_confirmada: true,
          destino: { lat: null, lng: null, maps_url },
          pendientes: ['destino'],
          notas: 'otra',
        });
        expect((await historyOf(guia)).slice(-2)).toEqual([
          ['guia.actualizada', 'comercio', ['notas', 'maps_url']],
          ['guia.confirmada', 'comercio', null],
        ]);
      },
    );

    it('is expanded again after the queue was lost, if it was set more than a minute ago', async () => {
      const guia = await pending();
      const queue = test.app.get(QueuesService).queue(ENLACES);
      await queue.obliterate({ force: true });
      maps.otherwise(redirect(PIN));
      const restore = () => test.app.get(LostJobsService).restore(LINKS);
      await restore();
      expect(await read(guia)).toMatchObject({ pendientes: ['destino'] });
      expect(test.logs.filter(({ queue, jobs }) => queue === ENLACES && jobs)).toEqual([]);
      await ageLink(guia);
      await restore();
      await eventually(async () => expect(await read(guia)).toMatchObject({ pendientes: [] }));
    });

    it('asks the recipient once a minute after the change, and is still expanded', async () => {
      const guia = await pending();
      const asks = async () =>
        (await historyOf(guia)).filter(([tipo]) => tipo === 'guia.confirmacion_pedida');
      await run(guia, { status: 503 });
      await waitingJob(guia.id);
      expect([(await read(guia)).direccion_confirmada, await asks()]).toEqual([true, []]);
      await ageLink(guia);
      await run(guia, { status: 503 });
      await eventually(async () =>
        expect(await read(guia)).toMatchObject({ direccion_confirmada: false, pendientes: ['destino'] }),
      );
      await run(guia, { status: 503 });
      await waitingJob(guia.id);
      expect(await asks()).toHaveLength(1);
      await run(guia, redirect(PIN));
      await eventually(async () =>
        expect(await read(guia)).toMatchObject({ direccion_confirmada: true, pendientes: [] }),
      );
    });

    it.each<[what: string, answer: StubAnswer]>([
      ['stays silent', { status: 503 }],
      ['turns out broken', { status: 410 }],
    ])('and that %s asks with the message that waits already, not with a second one', async (_, answer) => {
      const messages = test.app.get(QueuesService).queue(NOTIFICACIONES);
      await messages.pause();
      const { body } = await merchant.post(GUIAS, guiaBody({ telefono: `+5025555${1_000 + links}` }));
      const estados = async () =>
        (await test.database.query('select estado from mensajes where guia_id = $1', [body.id])).map(
          ({ estado }) => estado,
        );
      await eventually(async () => expect(await estados()).toEqual(['pendiente']));
      maps.otherwise({ status: 503 });
      expect((await patch(body.id, { maps_url: newLink() })).body.guia.direccion_confirmada).toBe(true);
      await waitingJob(body.id);
      await ageLink(body);
      await run(body, answer);
      await eventually(async () => expect(await read(body)).toMatchObject({ direccion_confirmada: false }));
      await messages.resume();
      await settled(test);
      expect(await estados()).toEqual(['aceptado']);
    });

    it('gives way to a newer link, although its own answer comes late', async () => {
      const guia = await pending();
      const newer = newLink();
      let answerOld = (_: StubAnswer) => {};
      const late = new Promise<StubAnswer>((resolve) => (answerOld = resolve));
      const isAsked = new Promise<void>((asked) => {
        maps.otherwise(({ path }) => {
          if (path.endsWith(newer.split('/').at(-1)!)) return { status: 503 };
          asked();
          return late;
        });
      });
      await guia.job.promote();
      await isAsked;
      expect((await patch(guia.id, { maps_url: newer })).body.guia.pendientes).toEqual(['destino']);
      answerOld(redirect(PIN));
      await eventually(async () => expect(await guia.job.getState()).toBe('completed'));
      expect(await read(guia)).toMatchObject({
        destino: { lat: null, lng: null, maps_url: newer },
        pendientes: ['destino'],
      });
      await run(guia, redirect('https://www.google.com/maps?q=14.9,-90.9'));
      await eventually(async () =>
        expect((await read(guia)).destino).toEqual({ lat: 14.9, lng: -90.9, maps_url: newer }),
      );
    });
  });

  it.each([
    ['alone', {}],
    ['beside coordinates', PLACE],
  ])('refuses a link to no map service, %s', async (_, over) => {
    const guia = await unknown();
    const before = await lives.stored(guia);
    const answer = await patch(guia.id, { ...over, maps_url: 'https://example.com/?q=14.6,-90.5' });
    expectProblem(answer, 'enlace_no_soportado');
    expect(answer.body.errores).toEqual([expect.objectContaining({ campo: 'maps_url' })]);
    expect(await lives.stored(guia)).toEqual(before);
  });

  describe('and its warnings', () => {
    const warned = async (advertencias: string[], over: Record<string, unknown> = {}) => {
      const guia = await unknown(over);
      await test.database.query('update guias set advertencias = $2 where id = $1', [guia.id, advertencias]);
      return guia;
    };
    it('a place far away is accepted with a warning of its own, which another place clears', async () => {
      const guia = await warned(['mensaje_fallido', 'recogida_fuera_del_pais']);
      const { status, body } = await patch(guia.id, MADRID);
      expect([status, body.guia.advertencias]).toEqual([
        200,
        ['recogida_fuera_del_pais', 'destino_fuera_del_pais'],
      ]);
      expect((await patch(guia.id, PLACE)).body.guia.advertencias).toEqual(['recogida_fuera_del_pais']);
    });
  });

  it('ends the retries of a link that got no answer when the guide was created', async () => {
    maps.otherwise({ status: 503 });
    const { body } = await merchant.post(GUIAS, guiaBody({ maps_url: newLink() }));
    const job = await eventually(async () => {
      const delayed = await test.app.get(QueuesService).queue(ENLACES).getDelayed();
      const found = delayed.find(({ id }) => id!.startsWith(`${body.id}.destino`));
      expect(found).toBeDefined();
      return found!;
    });
    expect((await patch(body.id, PLACE)).status).toBe(200);
    maps.reset();
    maps.otherwise(redirect(PIN));
    await job.promote();
    await eventually(async () => expect(await job.getState()).toBe('completed'));
    expect((await lives.read(body)).guia).toMatchObject({
      direccion_confirmada: true,
      destino: { ...PLACE, maps_url: null },
    });
    expect(maps.requests).toEqual([]);
    expect(await historyOf(body)).toEqual([['guia.actualizada', 'comercio', expect.any(Array)]]);
  });

  it('settles a link that is being resolved if the same place is sent again', async () => {
    maps.otherwise({ status: 503 });
    const maps_url = newLink();
    const { body } = await merchant.post(GUIAS, guiaBody({ maps_url }));
    maps.otherwise(redirect(NAMED));
    const { headers } = await patch(body.id, { maps_url });
    expect(headers.get('etag')).toBe('"2"');
    const [row] = await test.database.query('select enlaces_pendientes from guias where id = $1', [body.id]);
    expect(row).toEqual({ enlaces_pendientes: [] });
  });
});
