import { Database } from '../../src/platform/database/database.js';
import { SimulatedCourierService } from '../../src/pruebas/simulated-courier.service.js';
import { eventually } from '../support/eventually.js';
import { sharedApp } from '../support/test-app.js';
import { Trial } from '../support/trial.js';
import { opened } from '../support/use.js';
import { quiet } from '../support/visits.js';

/** What holds although processes die: here, a process dies by its next statement that fails. */
describe('a step of a simulation', () => {
  // Without workers: the test itself is the worker.
  const test = opened(async () => quiet(await sharedApp()));
  let trial: Trial;
  let courier: SimulatedCourierService;

  beforeAll(async () => {
    trial = new Trial(test, await test.tester());
    courier = test.app.get(SimulatedCourierService);
  });
  afterEach(() => jest.restoreAllMocks());

  it('is made once, whether the worker died before it, after it, or before recording it', async () => {
    const guia = await trial.create({ lat: undefined, lng: undefined });
    const { id } = (await trial.simulate(guia, 'intento_y_entrega')).body.simulacion;
    const database = test.app.get(Database);
    const query = database.query.bind(database);
    // The nth statement of the nth worker is its last: the one before it has had its effect.
    for (let last = 1; ; last++) {
      let statements = 0;
      const dying = jest.spyOn(database, 'query').mockImplementation(async (config) => {
        if (++statements === last) throw new Error('killed');
        return query(config);
      });
      const outcome = await courier.advance(id).catch((error: Error) => error.message);
      dying.mockRestore();
      if (outcome === 'La simulación terminó.') break;
      // The time of a step is rounded to milliseconds: it may come due only after the worker asked.
      expect(['killed', 'Espera el siguiente paso.']).toContain(outcome);
    }
    expect(await trial.history(guia)).toEqual([
      'guia.creada',
      'guia.confirmada',
      ...['en_camino_a_recoger', 'recogido', 'en_ruta', 'intento_fallido', 'en_ruta', 'entregado'],
    ]);
    expect((await trial.simulation(guia)).estado).toBe('terminada');
  });

  it('is made once by two workers at a time', async () => {
    const guia = await trial.create();
    const { id } = (await trial.simulate(guia, 'devolucion')).body.simulacion;
    // As the queue does: a step may come due between another worker's statement and this one's, and is tried again.
    const work = () => eventually(() => courier.advance(id));
    await Promise.all(Array.from({ length: 4 }, work));
    expect(await trial.history(guia)).toEqual([
      'guia.creada',
      ...['en_camino_a_recoger', 'recogido', 'en_ruta', 'intento_fallido', 'en_devolucion', 'devuelto'],
    ]);
    expect((await trial.simulation(guia)).estado).toBe('terminada');
  });

  it('is not mistaken for somebody else’s move if it was made but not recorded', async () => {
    const guia = await trial.create();
    const { id } = (await trial.simulate(guia, 'extravio', 60)).body.simulacion;
    await expect(courier.advance(id)).rejects.toThrow('Espera');
    // As if the worker had died between the move and the update of the row, twice.
    for (const hechos of ['hechos', 'hechos[1:1]', 'hechos[1:1]']) {
      const update = `update simulaciones set hechos = ${hechos}, proximo_en = now() where id = $1`;
      await test.database.query(update, [id]);
      await expect(courier.advance(id)).rejects.toThrow('Espera');
    }
    expect(await trial.history(guia)).toEqual(['guia.creada', 'en_camino_a_recoger', 'recogido']);
    expect((await trial.simulation(guia)).estado).toBe('en_curso');
  });
});
