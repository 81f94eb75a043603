import { RELAYED_TIPOS } from '../../src/platform/events/evento-tipo.js';
import { parkEventos, type ParkedEvento } from '../../src/platform/events/relay.queries.js';
import { TimeoutError } from '../../src/platform/timeouts/with-timeout.js';
import { eventually } from '../support/eventually.js';
import {
  answered,
  AWAY,
  MANY,
  RelayStage,
  withJobs,
  withoutJobs,
  type Handler,
} from '../support/relay-stage.js';

describe('the relay, with an event that cannot be dispatched', () => {
  const stage = new RelayStage();
  const makeParkedDue = () =>
    stage.database.query('update eventos set proximo_en = now() where proximo_en is not null');

  /** Fails for every batch with an event of `poison`. */
  const subscriberBut = (poison: Set<string>, error: Error, taken: string[] = []): Handler => {
    return (eventos) => {
      if (eventos.some(({ id }) => poison.has(id))) return Promise.reject(error);
      taken.push(...eventos.map(({ id }) => id));
      return Promise.resolve();
    };
  };

  it('dispatches all others, and parks it with the cause and the time of the next try', async () => {
    const ids = await stage.record(MANY);
    const poison = new Set([ids[0]!, ids[7]!, ids[600]!]);
    const taken: string[] = [];
    const defect = new TypeError('+50255551234 is not a function');
    stage.start(subscriberBut(poison, defect, taken));
    await eventually(async () => expect(await stage.pending()).toEqual([...poison].sort()));
    expect(new Set(taken)).toEqual(new Set(ids.filter((id) => !poison.has(id))));
    const causa = 'Una falla del programa lo impide (TypeError). Vea el registro.';
    expect(await stage.parked()).toEqual([...poison].sort().map((id) => ({ id, intentos: 1, causa })));
    const named = stage.logs.filter(({ msg }) => msg === 'event parked');
    expect(named.map(({ evento }) => evento as string).sort()).toEqual([...poison].sort());
  });

  it('calls its other subscribers all the same', async () => {
    const ids = await stage.record(3);
    const taken: string[] = [];
    stage.startWith(
      { tipos: RELAYED_TIPOS, subscriber: withoutJobs(subscriberBut(new Set([ids[1]!]), new TypeError())) },
      { tipos: ['guia.creada'], subscriber: withoutJobs(subscriberBut(new Set(), AWAY, taken)) },
    );
    await eventually(async () => expect(await stage.parked()).toHaveLength(1));
    expect(taken.sort()).toEqual([...ids].sort());
  });

  it('adds the jobs of all others, each once and together', async () => {
    const ids = await stage.record(300);
    const [poison] = ids;
    const added: string[][] = [];
    stage.addJobs = (queue, jobs) => Promise.resolve(void added.push(jobs.map(({ id }) => `${queue} ${id}`)));
    stage.startWith({
      tipos: RELAYED_TIPOS,
      subscriber: (eventos) => {
        if (eventos.some(({ id }) => id === poison)) return Promise.reject(new TypeError());
        return withJobs(eventos);
      },
    });
    await eventually(async () => expect(await stage.pending()).toEqual([poison]));
    expect(added).toEqual([ids.filter((id) => id !== poison).map((id) => `cola ${id}`)]);
  });

  it('parks an event whose job no queue accepts', async () => {
    const ids = await stage.record(20);
    const added: string[] = [];
    stage.addJobs = (_, jobs) => {
      if (jobs.some(({ id }) => id === ids[9])) return Promise.reject(new TypeError());
      return Promise.resolve(void added.push(...jobs.map(({ id }) => id)));
    };
    stage.startWith({ tipos: RELAYED_TIPOS, subscriber: withJobs });
    await eventually(async () => expect(await stage.pending()).toEqual([ids[9]]));
    expect(await stage.parked()).toMatchObject([{ id: ids[9], intentos: 1 }]);
    expect(new Set(added).size).toBe(19);
  });

  it('parks an event whose type has no subscriber', async () => {
    await stage.database.query('alter domain evento_tipo drop constraint evento_tipo_check');
    const [id] = await stage.record(1, 'guia.de_otra_version');
    await stage.record(2);
    stage.start(() => Promise.resolve());
    await eventually(async () => expect(await stage.pending()).toEqual([id]));
    expect(await stage.parked()).toMatchObject([
      { id, causa: 'Esta versión del servicio no conoce ese tipo de evento.' },
    ]);
  });

  it('retries a parked event, and dispatches it once that succeeds', async () => {
    const poison = new Set(await stage.record(1));
    const [id] = poison;
    const taken: string[] = [];
    stage.start(subscriberBut(poison, answered('23514', { constraint: 'mensajes_telefono_check' }), taken));
    const causa = 'La base de datos no acepta sus datos (23514, mensajes_telefono_check). Vea el registro.';
    for (const intentos of [1, 2]) {
      await eventually(async () => expect(await stage.parked()).toEqual([{ id, intentos, causa }]));
      await makeParkedDue();
    }
    poison.clear();
    await makeParkedDue();
    await eventually(async () => expect(await stage.pending()).toEqual([]));
    expect(taken).toEqual([id]);
    expect(stage.logs.filter(({ msg }) => msg === 'event parked')).toHaveLength(1);
  });

  it('waits four times as long after each failure, up to an hour', async () => {
    const [id] = await stage.record(1);
    const [evento] = await stage.database.query<Omit<ParkedEvento, 'causa'>>(
      'select comercio_id, guia_id, id from eventos',
    );
    const client = await stage.pool.connect();
    await client.query('begin');
    const waits: number[] = [];
    for (let n = 0; n < 7; n++) {
      await client.query(parkEventos([{ ...evento!, causa: 'Una prueba.' }]));
      const { rows } = await client.query<{ seconds: number }>(
        'select extract(epoch from proximo_en - now())::float8 as seconds from eventos where id = $1',
        [id],
      );
      waits.push(Math.round(rows[0]!.seconds));
    }
    await client.query('rollback');
    client.release();
    expect(waits).toEqual([10, 40, 160, 640, 2_560, 3_600, 3_600]);
  });

  it.each(['57014', '55P03', '40P01'])(
    'parks an event only if it times out alone, not with its batch: SQLSTATE %s',
    async (code) => {
      const ids = await stage.record(20);
      const taken: string[] = [];
      const relay = stage.start(subscriberBut(new Set([ids[9]!]), answered(code), taken));
      await eventually(async () => {
        relay.wake();
        expect(await stage.pending()).toEqual([ids[9]]);
      });
      expect(await stage.parked()).toMatchObject([{ id: ids[9], intentos: 1 }]);
      expect(new Set(taken).size).toBe(19);
    },
  );
});

describe('the relay, while a store is away', () => {
  const stage = new RelayStage();

  it('keeps its events while the queue store does not take their jobs', async () => {
    const ids = await stage.record(20);
    let isAway = true;
    const added: string[] = [];
    stage.addJobs = (_, jobs) =>
      isAway
        ? Promise.reject(new TimeoutError())
        : Promise.resolve(void added.push(...jobs.map(({ id }) => id)));
    const relay = stage.startWith({ tipos: RELAYED_TIPOS, subscriber: withJobs });
    await eventually(() => expect(stage.logs).toHaveLength(1));
    expect(await stage.pending()).toEqual([...ids].sort());
    isAway = false;
    relay.wake();
    await eventually(async () => expect(await stage.pending()).toEqual([]));
    expect(added.sort()).toEqual([...ids].sort());
  });

  it.each<[string, Error]>([
    ['connection refused', AWAY],
    ['SQLSTATE 57P01', answered('57P01')],
    ['SQLSTATE 53300', answered('53300')],
    ['connection lost', new Error('Connection terminated unexpectedly')],
    ['no connection to Redis', new Error("Stream isn't writeable and enableOfflineQueue options is false")],
    ['no answer', new TimeoutError()],
    ['Redis full', Object.assign(new Error('OOM command not allowed when'), { name: 'ReplyError' })],
  ])('parks nothing while the database or the queue store is away: %s', async (_, error) => {
    const ids = await stage.record(20);
    let tries = 0;
    const relay = stage.start(() => (tries++, Promise.reject(error)));
    // Down to batches of one event.
    for (let n = 1; n <= 5; n++) {
      relay.wake();
      await eventually(() => expect(tries).toBeGreaterThanOrEqual(n));
    }
    await relay.beforeApplicationShutdown();
    expect(await stage.pending()).toEqual([...ids].sort());
    expect(await stage.parked()).toEqual([]);
  });
});
