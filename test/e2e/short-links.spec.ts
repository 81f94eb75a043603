import { ConfirmationsService } from '../../src/confirmations/confirmations.service.js';
import { DispatcherService } from '../../src/platform/events/dispatcher.service.js';
import { LinkExpansionService } from '../../src/guias/links/link-expansion.service.js';
import { ENLACES } from '../../src/guias/links/links.queue.js';
import { ShortLinkClient } from '../../src/locations/short-links/short-link.client.js';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { eventually, settled } from '../support/eventually.js';
import { startHttpStub, type HttpStub, type StubAnswer } from '../support/http-stub.js';
import { UNREACHED_LIMITS } from '../support/map-hosts.js';
import { expectProblem } from '../support/problem.js';
import { mintLink } from '../support/recipient-link.js';
import { createTestApp, guiaBody, type TestApp, type TestMerchant } from '../support/test-app.js';

const GUIAS = '/api/v1/guias';
const HERE = { lat: 14.6407, lng: -90.5133 };
const PIN = 'https://www.google.com/maps/search/14.6407,+-90.5133?entry=tts';
const PLACE = 'https://www.google.com/maps?q=Iglesia+La+Merced&ftid=0x1:0x2';
const redirect = (location: string): StubAnswer => ({ status: 302, headers: { location } });

let links = 0;
/** A short link that is not in the cache. */
const newLink = () => `https://maps.app.goo.gl/prueba${++links}`;

describe('map links to be expanded, and far places', () => {
  let maps: HttpStub;
  let test: TestApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    maps = await startHttpStub();
    test = await createTestApp({ env: { ROLE: 'all', MAPS_RESOLVER_URL: maps.url } });
    Object.assign(test.app.get(ShortLinkClient).options, UNREACHED_LIMITS);
    merchant = await test.merchant();
  });
  beforeEach(() => maps.reset());
  afterAll(async () => {
    await test.close();
    await maps.close();
  });

  const create = (over: Record<string, unknown>) => merchant.post(GUIAS, guiaBody(over));
  const detail = async (id: string) => (await merchant.get(`${GUIAS}/${id}`)).body.guia;
  const events = (id: string) =>
    test.database.query<{ tipo: string; datos: unknown }>(
      `select tipo, datos from eventos where guia_id = $1 and tipo <> 'guia.advertencia' order by secuencia`,
      [id],
    );

  describe('short links of a new guide', () => {
    it('are expanded redirect by redirect, and the guide has the coordinates', async () => {
      maps.answer(redirect('https://maps.app.goo.gl/otra'), redirect(PIN));
      const maps_url = newLink();
      const { status, body } = await create({ maps_url });
      expect(status).toBe(201);
      expect(await detail(body.id)).toMatchObject({
        direccion_confirmada: true,
        destino: { ...HERE, maps_url },
        advertencias: [],
      });
      expect(maps.requests.map(({ path }) => path)).toEqual([
        `/maps.app.goo.gl/prueba${links}`,
        '/maps.app.goo.gl/otra',
      ]);
    });

    it('are both expanded, and cached', async () => {
      maps.otherwise(redirect(PIN));
      const link = newLink();
      const first = await create({ maps_url: newLink(), recogida: { maps_url: link } });
      expect(await detail(first.body.id)).toMatchObject({ recogida: HERE, destino: HERE });
      expect(maps.requests).toHaveLength(2);
      await create({ recogida: { maps_url: link } });
      expect(maps.requests).toHaveLength(2);
      maps.otherwise({});
    });

    it('are not expanded in a repeat of an external_ref', async () => {
      maps.answer(redirect(PIN));
      const body = { external_ref: 'con-enlace', maps_url: newLink() };
      const first = await create(body);
      const again = await create({ ...body, maps_url: newLink() });
      expect(again.status).toBe(200);
      expect(again.body).toEqual({ ...first.body, duplicada: true });
      expect(again.headers.get('guias-campos-distintos')).toBe('maps_url');
      expect(maps.requests).toHaveLength(1);
    });

    it.each<[string, StubAnswer, string, detail: string]>([
      ['do not exist', { status: 404 }, 'enlace_roto', 'dice que el enlace no existe'],
      [
        'lead elsewhere',
        redirect('https://example.com/@14.6,-90.5,17z'),
        'enlace_no_soportado',
        'no lleva a un lugar de un servicio de mapas conocido',
      ],
      [
        'lead to a place without coordinates',
        redirect(PLACE),
        'enlace_sin_coordenadas',
        'no contiene coordenadas',
      ],
    ])('that %s are refused as the pickup', async (_, answer, codigo, detail) => {
      maps.otherwise(answer);
      const problem = await create({ recogida: { maps_url: newLink() } });
      expectProblem(problem, codigo as never);
      expect(problem.body.detail).toContain(detail);
      expect(problem.body.errores).toEqual([expect.objectContaining({ campo: 'recogida.maps_url', codigo })]);
      maps.otherwise({});
    });

    it('are both reported if both cannot be used', async () => {
      maps.otherwise({ status: 410 });
      const problem = await create({ maps_url: newLink(), recogida: { maps_url: newLink() } });
      expect(problem.body.errores.map(({ campo }: { campo: string }) => campo)).toEqual([
        'recogida.maps_url',
        'maps_url',
      ]);
      maps.otherwise({});
    });

    it('to a place without coordinates confirm the destination', async () => {
      maps.answer(redirect(PLACE));
      const { status, body } = await create({ maps_url: newLink() });
      expect(status).toBe(201);
      expect(await detail(body.id)).toMatchObject({
        direccion_confirmada: true,
        destino: { lat: null, lng: null },
      });
    });

    it('are not expanded if coordinates are sent too', async () => {
      expect((await create({ ...HERE, maps_url: newLink() })).status).toBe(201);
      expect(maps.requests).toEqual([]);
    });
  });

  describe('short links whose service does not answer', () => {
    const pending = async (over: Record<string, unknown>) => {
      maps.otherwise({ status: 503 });
      const { status, body } = await create(over);
      expect(status).toBe(201);
      await waitingJobs(body.id);
      maps.reset();
      maps.otherwise({});
      return { id: body.id as string };
    };
    /** The jobs of a guide's pending links, each of which waits for its next try. */
    /** @param lugares what they are for: the guide's pending places, unless given. */
    const waitingJobs = (id: string, lugares?: string[]) =>
      eventually(async () => {
        const places: string[] = lugares ?? (await detail(id)).pendientes;
        const delayed = await test.app.get(QueuesService).queue(ENLACES).getDelayed();
        const jobs = delayed.filter(({ data }) => data.guiaId === id);
        expect(jobs.map(({ data }) => data.lugar).sort()).toEqual([...places].sort());
        return jobs;
      });
    const runJobs = async (id: string, lugares?: string[]) => {
      for (const job of await waitingJobs(id, lugares)) await job.promote();
    };
    /** Lets a time pass since the links of a guide were set. */
    const age = (id: string, interval: string) =>
      test.database.query('update enlaces set creado_en = creado_en - $2::interval where guia_id = $1', [
        id,
        interval,
      ]);

    it('are expanded by a retry, which sets the coordinates and records an event', async () => {
      const maps_url = newLink();
      const { id } = await pending({ maps_url, recogida: { maps_url: newLink() } });
      expect(await detail(id)).toMatchObject({
        direccion_confirmada: true,
        destino: { lat: null, lng: null, maps_url },
        recogida: { lat: null, lng: null },
      });
      maps.otherwise(redirect(PIN));
      await runJobs(id);
      await eventually(async () => expect(await detail(id)).toMatchObject({ destino: HERE, recogida: HERE }));
      const [created, ...read] = await events(id);
      expect(created).toMatchObject({ tipo: 'guia.creada' });
      expect(read.map(({ tipo }) => tipo)).toEqual(Array(2).fill('guia.enlace_leido'));
      const places = read.map(({ datos }) => (datos as { lugar: string }).lugar);
      expect(places.sort()).toEqual(['destino', 'recogida']);
      maps.otherwise({});
    });

    it('are each expanded by a job of their own, one after another of the same place', async () => {
      const { id } = await pending({ maps_url: newLink() });
      maps.otherwise(redirect(PIN));
      await runJobs(id);
      await eventually(async () => expect(await detail(id)).toMatchObject({ destino: HERE, pendientes: [] }));
      maps.otherwise({ status: 503 });
      const { status } = await merchant.patch(`${GUIAS}/${id}`, { maps_url: newLink() });
      expect(status).toBe(200);
      const [job] = await waitingJobs(id);
      // The search for lost jobs would have begun another round.
      expect(job!.data.ronda).toBe(0);
      maps.otherwise(redirect(PIN));
      await runJobs(id);
      await eventually(async () => expect(await detail(id)).toMatchObject({ destino: HERE, pendientes: [] }));
      maps.otherwise({});
    });

    it('and turn out broken make the destination unconfirmed, and the recipient is asked', async () => {
      const { id } = await pending({ maps_url: newLink() });
      maps.otherwise({ status: 410 });
      await runJobs(id);
      await eventually(async () => {
        const messages = await test.database.query('select estado from mensajes where guia_id = $1', [id]);
        expect(messages).toEqual([{ estado: 'aceptado' }]);
      });
      expect(await detail(id)).toMatchObject({
        direccion_confirmada: false,
        advertencias: ['destino_sin_coordenadas'],
      });
      expect((await events(id)).map(({ tipo }) => tipo)).toEqual([
        'guia.creada',
        'guia.enlace_fallido',
        'guia.confirmacion_pedida',
      ]);
      maps.otherwise({});
    });

    describe('for a minute', () => {
      /** Ages the guide by a minute and runs its job again, with the service still silent. */
      const asked = async (over: Record<string, unknown> = {}) => {
        const guia = await pending({ maps_url: newLink(), ...over });
        await age(guia.id, '1 minute');
        maps.otherwise({ status: 503 });
        await runJobs(guia.id);
        await eventually(async () => expect((await detail(guia.id)).direccion_confirmada).toBe(false));
        await eventually(async () => expect(await messagesOf(guia.id)).toEqual([{ estado: 'aceptado' }]));
        return guia;
      };
      const messagesOf = (id: string) =>
        test.database.query('select estado from mensajes where guia_id = $1', [id]);
      const again = ({ id }: { id: string }) => runJobs(id);
      const tipos = async (id: string) => (await events(id)).map(({ tipo }) => tipo);
      afterEach(() => maps.otherwise({}));

      it('make the recipient be asked once, and stay in pendientes', async () => {
        const guia = await asked();
        await again(guia);
        await again(guia);
        expect(await detail(guia.id)).toMatchObject({ pendientes: ['destino'], advertencias: [] });
        expect(await tipos(guia.id)).toEqual(['guia.creada', 'guia.confirmacion_pedida']);
        expect(await messagesOf(guia.id)).toEqual([{ estado: 'aceptado' }]);
      });

      it('confirm the guide if they are read first', async () => {
        const guia = await asked();
        maps.otherwise(redirect(PIN));
        await again(guia);
        await eventually(async () =>
          expect(await detail(guia.id)).toMatchObject({
            direccion_confirmada: true,
            destino: HERE,
            pendientes: [],
          }),
        );
        expect(await tipos(guia.id)).toEqual([
          'guia.creada',
          'guia.confirmacion_pedida',
          'guia.enlace_leido',
          'guia.confirmada',
        ]);
      });

      it('give way to the recipient who answers first', async () => {
        const guia = await asked();
        const [message] = await test.database.query<{ id: string }>(
          'select id from mensajes where guia_id = $1',
          [guia.id],
        );
        const token = test.app.get(ConfirmationsService).token(message!.id);
        const there = { lat: 14.7, lng: -90.6 };
        const answer = await test.request(`/c/${token}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify(there),
        });
        expect(answer.status).toBe(200);
        maps.otherwise(redirect(PIN));
        await runJobs(guia.id, ['destino']);
        await settled(test);
        expect(await detail(guia.id)).toMatchObject({ destino: there, pendientes: [] });
      });
    });

    it('and turn out broken before the relay has committed the creation make the recipient be asked', async () => {
      let commit = () => {};
      const held = new Promise<void>((resolve) => (commit = resolve));
      const looked = new Set<string>();
      // Called after the subscribers of the service, which have found the guide confirmed.
      test.app.get(DispatcherService).subscribe(['guia.creada'], async (eventos) => {
        for (const { guia_id } of eventos) looked.add(guia_id);
        await held;
        return [];
      });
      maps.otherwise({ status: 503 });
      const { body } = await create({ maps_url: newLink() });
      await eventually(() => expect(looked).toContain(body.id));
      maps.otherwise({ status: 410 });
      const enlace = { comercioId: merchant.id, guiaId: body.id, lugar: 'destino', ronda: 0 } as const;
      await test.app.get(LinkExpansionService).expand(enlace);
      commit();
      await eventually(async () => {
        const messages = await test.database.query('select estado from mensajes where guia_id = $1', [
          body.id,
        ]);
        expect(messages).toEqual([{ estado: 'aceptado' }]);
      });
      maps.otherwise({});
    });

    it('for a day are given up with a warning, also as the pickup', async () => {
      const { id } = await pending({ ...HERE, recogida: { maps_url: newLink() } });
      await age(id, '25 hours');
      maps.otherwise({ status: 503 });
      await runJobs(id);
      await eventually(async () =>
        expect((await detail(id)).advertencias).toEqual(['recogida_sin_coordenadas']),
      );
      expect((await detail(id)).direccion_confirmada).toBe(true);
      maps.otherwise({});
    });
  });

  it("short links are expanded on the recipient's page", async () => {
    const { body } = await create({});
    await settled(test);
    const link = await mintLink(test, { comercioId: merchant.id, guiaId: body.id });
    const answer = (maps_url: string) =>
      test.request(link, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ maps_url }),
      });
    maps.answer({ status: 503 }, { status: 503 });
    expectProblem(await answer(newLink()), 'no_disponible');
    maps.reset();
    maps.answer({ status: 410 });
    expectProblem(await answer(newLink()), 'enlace_roto');
    maps.reset();
    maps.answer(redirect('https://example.com/@14.6,-90.5,17z'));
    const nowhere = await answer(newLink());
    expectProblem(nowhere, 'enlace_no_soportado');
    expect(nowhere.body.detail).toBe('Ese enlace no lleva a un lugar de un mapa que conozcamos.');
    maps.reset();
    maps.answer(redirect('https://example.com/@14.6,-90.5,17z'));
    const page = await test.request(link, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ maps_url: newLink() }).toString(),
    });
    expect(page.text).toContain('no lleva a un lugar de un mapa que conozcamos');
    maps.reset();
    maps.answer(redirect(PIN));
    expect((await answer(`Aquí: ${newLink()} gracias`)).status).toBe(200);
    expect((await detail(body.id)).destino).toMatchObject(HERE);
  });

  describe("a place far from the merchant's country", () => {
    it.each<[string, string[], Record<string, unknown>]>([
      ['with the minus sign missing', ['destino_fuera_del_pais'], { lat: 14.6407, lng: 90.5133 }],
      ['as the pickup', ['recogida_fuera_del_pais'], { ...HERE, recogida: { lat: -14.6, lng: -90.5 } }],
      ['or not', [], HERE],
    ])('%s is accepted with the advertencias %j', async (_, advertencias, over) => {
      const merchant = await test.merchant();
      const { status, body } = await merchant.post(GUIAS, guiaBody(over));
      expect(status).toBe(201);
      expect((await merchant.get(`${GUIAS}/${body.id}`)).body.guia.advertencias).toEqual(advertencias);
    });
  });
});
