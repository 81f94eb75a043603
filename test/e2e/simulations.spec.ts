import { SIMULATIONS } from '../../src/pruebas/simulaciones.work.js';
import { LostJobsService } from '../../src/platform/work/lost-jobs.service.js';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { SIMULACIONES } from '../../src/pruebas/simulaciones.queue.js';
import { eventually } from '../support/eventually.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { Trial } from '../support/trial.js';
import { ALLOW_PRIVATE, startReceiver, verified, type Receiver } from '../support/webhooks.js';

const GUIAS = '/api/v1/guias';

/** The states that each script leads a new guide through. */
const ESTADOS: Record<string, string[]> = {
  entrega: ['en_camino_a_recoger', 'recogido', 'en_ruta', 'entregado'],
  intento_y_entrega: [
    ...['en_camino_a_recoger', 'recogido', 'en_ruta', 'intento_fallido'],
    ...['en_ruta', 'entregado'],
  ],
  devolucion: [
    ...['en_camino_a_recoger', 'recogido', 'en_ruta', 'intento_fallido'],
    ...['en_devolucion', 'devuelto'],
  ],
  extravio: ['en_camino_a_recoger', 'recogido', 'en_ruta', 'extraviado'],
};

describe('a simulation', () => {
  let test: TestApp;
  let receiver: Receiver;
  let trial: Trial;

  beforeAll(async () => {
    test = await createTestApp({ env: { ROLE: 'all', ...ALLOW_PRIVATE } });
    receiver = await startReceiver();
    trial = new Trial(test, await test.tester());
  });
  afterAll(async () => {
    await test.close();
    await receiver.close();
  });

  it.each(Object.entries(ESTADOS))(
    '%s walks a guide through its states, each once',
    async (guion, estados) => {
      const guia = await trial.create();
      const { status, body } = await trial.simulate(guia, guion);
      expect(status).toBe(201);
      expect(body.simulacion.pasos.map(({ paso }: { paso: string }) => paso)).toEqual(estados);
      const { pasos, causa } = await trial.reached(guia, 'terminada');
      expect(causa).toBeNull();
      const times = pasos.map(({ hecho_en }: { hecho_en: string }) => hecho_en);
      expect(times).toEqual([...times].sort());
      expect(times).not.toContain(null);
      expect(await trial.history(guia)).toEqual(['guia.creada', ...estados]);
    },
  );

  it('collects the amount, with who received it and where', async () => {
    const guia = await trial.create({ cod_amount: 349.5, nombre: 'Ana Pérez' });
    await trial.simulate(guia, 'entrega');
    await trial.reached(guia, 'terminada');
    expect(await trial.detail(guia)).toMatchObject({ cod_cobrado: 349.5, advertencias: [] });
    const { eventos } = (await trial.tester.get(`${GUIAS}/${guia.id}/eventos`)).body;
    expect(eventos.at(-1)).toMatchObject({ estado: 'entregado', recibio: 'Ana Pérez' });
  });

  it('confirms the address first where nobody has, near the pickup point', async () => {
    const guia = await trial.create({ lat: undefined, lng: undefined });
    const { body } = await trial.simulate(guia, 'entrega');
    expect(body.simulacion.pasos[0].paso).toBe('confirmacion');
    await trial.reached(guia, 'terminada');
    expect((await trial.history(guia)).slice(0, 2)).toEqual(['guia.creada', 'guia.confirmada']);
    expect(await trial.detail(guia)).toMatchObject({ direccion_confirmada: true, estado: 'entregado' });
  });

  it('goes on from where the guide is', async () => {
    const guia = await trial.create();
    for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta']) await trial.move(guia, { estado });
    const { body } = await trial.simulate(guia, 'devolucion');
    const estados = ['intento_fallido', 'en_devolucion', 'devuelto'];
    expect(body.simulacion.pasos.map(({ paso }: { paso: string }) => paso)).toEqual(estados);
    await trial.reached(guia, 'terminada');
    expectProblem(await trial.simulate(guia, 'devolucion'), 'transicion_invalida');
  });

  it('announces each step to the webhooks of the test keys, signed', async () => {
    const tester = await test.tester();
    const own = new Trial(test, tester);
    const { secreto } = (await tester.post('/api/v1/webhooks', { url: `${receiver.url}/simulada` })).body;
    const guia = await own.create();
    await own.simulate(guia, 'intento_y_entrega');
    const states = await eventually(() => {
      const bodies = receiver.at('/simulada').map((request) => verified(secreto, request));
      const sorted = bodies.sort((a: any, b: any) => a.data.secuencia - b.data.secuencia);
      expect(sorted).toHaveLength(1 + ESTADOS.intento_y_entrega!.length);
      return sorted.map(({ data }: any) => data.guia.estado);
    });
    expect(states).toEqual(['aceptado', ...ESTADOS.intento_y_entrega!]);
  });

  it('waits between two steps, and stops once somebody else moved the guide', async () => {
    const guia = await trial.create();
    await trial.simulate(guia, 'entrega', 60);
    const { id } = await eventually(async () => {
      const simulacion = await trial.simulation(guia);
      expect(simulacion.pasos[0].hecho_en).not.toBeNull();
      return simulacion;
    });
    expect((await trial.simulation(guia)).pasos[1].hecho_en).toBeNull();
    await trial.tester.post(`${GUIAS}/${guia.id}/cancelar`);
    await due(id);
    const { causa } = await trial.reached(guia, 'detenida');
    expect(causa).toBe('Alguien más movió la guía: está en `cancelado`, y el guion seguía con `recogido`.');
    expect(await trial.history(guia)).toEqual(['guia.creada', 'en_camino_a_recoger', 'guia.cancelada']);
  });

  it('stops where a step would be legal, but somebody else moved the guide', async () => {
    const guia = await trial.create();
    for (const estado of ['en_camino_a_recoger']) await trial.move(guia, { estado });
    await trial.simulate(guia, 'intento_y_entrega', 60);
    const { id } = await eventually(async () => {
      const simulacion = await trial.simulation(guia);
      expect(simulacion.pasos[0].hecho_en).not.toBeNull();
      return simulacion;
    });
    await trial.move(guia, { estado: 'en_ruta' });
    await trial.move(guia, { estado: 'intento_fallido', motivo: 'ausente' });
    await due(id);
    expect((await trial.reached(guia, 'detenida')).causa).toContain('está en `intento_fallido`');
  });

  it('is started once, however often it is asked for', async () => {
    const guia = await trial.create();
    const answers = await Promise.all(Array.from({ length: 8 }, () => trial.simulate(guia, 'entrega', 60)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(7).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.simulacion.id)).size).toBe(1);
    expectProblem(await trial.simulate(guia, 'extravio'), 'simulacion_en_curso');
  });

  it('is one of at most 50 at once, also where more are asked for together', async () => {
    const own = new Trial(test, await test.tester());
    const guias = await Promise.all(Array.from({ length: 53 }, () => own.create()));
    const answers = await Promise.all(guias.map((guia) => own.simulate(guia, 'entrega', 60)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expectProblem(answer, 'limite_de_simulaciones');
  });

  it.each([
    [{}, 'guion: requerido'],
    [{ guion: 'robo' }, 'guion: formato'],
    [{ guion: 'entrega', cada_segundos: 61 }, 'cada_segundos: fuera_de_rango'],
    [{ guion: 'entrega', cada_segundos: 1.5 }, 'cada_segundos: formato'],
    [{ guion: 'entrega', veces: 2 }, 'veces: campo_desconocido'],
  ] as const)('is refused with %j', async (body, fault) => {
    const { id } = await trial.create();
    expectFaults(await trial.tester.post(`/api/v1/pruebas/guias/${id}/simular`, body), [fault]);
  });

  it('is not found where there is none', async () => {
    const { id } = await trial.create();
    expectProblem(await trial.tester.get(`/api/v1/pruebas/guias/${id}/simulacion`), 'no_encontrado');
  });

  /** Makes the next step of a waiting simulation due now: its row and its job. */
  async function due(id: string): Promise<void> {
    await test.database.query('update simulaciones set proximo_en = now() where id = $1', [id]);
    const job = await eventually(async () => {
      const found = (await test.app.get(QueuesService).queue(SIMULACIONES).getJob(id))!;
      expect(await found.isDelayed()).toBe(true);
      return found;
    });
    await job.promote();
  }
});

describeWithRedis('a simulation on Redis', () => {
  let redis: TestRedis;
  let test: TestApp;
  let trial: Trial;

  beforeAll(async () => {
    redis = await startRedis();
    test = await createTestApp({ env: { ROLE: 'all', REDIS_URL: redis.url } });
    trial = new Trial(test, await test.tester());
  });
  afterAll(async () => {
    await test.close();
    await redis.stop();
  });

  it('goes on after Redis was wiped', async () => {
    const guia = await trial.create();
    const { id } = (await trial.simulate(guia, 'entrega', 60)).body.simulacion;
    await eventually(async () => expect((await trial.simulation(guia)).pasos[0].hecho_en).not.toBeNull());
    await redis.flushAll();
    await test.database.query(
      `update simulaciones set cada_segundos = 0, proximo_en = now() - interval '21 seconds' where id = $1`,
      [id],
    );
    await test.app.get(LostJobsService).restore(SIMULATIONS);
    await trial.reached(guia, 'terminada');
    expect(await trial.history(guia)).toEqual(['guia.creada', ...ESTADOS.entrega!]);
  });
});
