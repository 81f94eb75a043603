import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { v7 } from 'uuid';
import type { Database } from '../../src/database/database.js';
import { StartupError } from '../../src/errors/startup-error.js';
import { RELAYED_TIPOS } from '../../src/events/evento-tipo.js';
import { parkEventos, type ParkedEvento } from '../../src/events/relay.queries.js';
import { RelayService, type EventSubscriber, type PendingEvento } from '../../src/events/relay.service.js';
import { createLogger } from '../../src/logging/logger.js';
import type { NewJob } from '../../src/queues/new-job.js';
import type { QueuesService } from '../../src/queues/queues.service.js';
import { NoAnswer } from '../../src/queues/within.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

/** More than a batch. */
const MANY = 1_100;

const answered = (code: string, more = {}) =>
  Object.assign(new Error('of PostgreSQL'), { code, severity: 'ERROR', ...more });

/** What a subscriber does from which no job follows. */
type Handler = (eventos: PendingEvento[]) => Promise<void>;

const withoutJobs =
  (handle: Handler): EventSubscriber =>
  async (eventos) => {
    await handle(eventos);
    return [];
  };

/** One job for each event. */
const withJobs = (eventos: PendingEvento[]) =>
  Promise.resolve(
    eventos.map(({ id }) => ({ evento: id, queue: 'cola', job: { id, name: 'hacer', data: {} } })),
  );

/** Redis does not listen. */
const AWAY = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' });

describe('the relay', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let logs: Record<string, any>[];
  const started: RelayService[] = [];
  /** Instead of a store. */
  let addJobs: (queue: string, jobs: NewJob[]) => Promise<void>;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url });
  });
  beforeEach(() => {
    logs = [];
    addJobs = () => Promise.reject(new Error('no job was expected'));
  });
  afterEach(async () => {
    for (const relay of started.splice(0)) await relay.beforeApplicationShutdown();
    await database.query('delete from eventos');
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** A started relay, as in a process of its own. */
  const start = (handle: Handler, tipos = RELAYED_TIPOS): RelayService =>
    startWith(withoutJobs(handle), tipos);
  const startWith = (subscriber: EventSubscriber, tipos = RELAYED_TIPOS): RelayService => {
    const logger = createLogger(
      { logLevel: 'info' },
      { write: (line: string) => void logs.push(JSON.parse(line)) },
    );
    const queues = { add: (queue, jobs) => addJobs(queue, jobs) } as QueuesService;
    const relay = new RelayService({ pool } as Database, queues, logger);
    relay.subscribe(tipos, subscriber);
    relay.start();
    started.push(relay);
    return relay;
  };
  const record = async (count: number, tipo = 'guia.creada') => {
    const ids = Array.from({ length: count }, () => v7());
    await database.query(
      `insert into eventos (comercio_id, guia_id, id, tipo, creado_en)
       select $1, $2, id, $3, now() from unnest($4::uuid[]) id`,
      [randomUUID(), randomUUID(), tipo, ids],
    );
    return ids;
  };
  const pending = async () =>
    (
      await database.query<{ id: string }>('select id from eventos where despachado_en is null order by id')
    ).map(({ id }) => id);
  const parked = () =>
    database.query<{ id: string; intentos: number; causa: string }>(
      `select id, intentos, causa from eventos where despachado_en is null and proximo_en is not null order by id`,
    );
  const makeParkedDue = () =>
    database.query('update eventos set proximo_en = now() where proximo_en is not null');

  it('dispatches every event, oldest first, and marks it', async () => {
    const ids = await record(MANY);
    const calls: string[][] = [];
    start((eventos) => Promise.resolve(void calls.push(eventos.map(({ id }) => id))));
    await eventually(async () => expect(await pending()).toEqual([]));
    const sorted = [...ids].sort();
    expect(calls.flat().sort()).toEqual(sorted);
    // Two batches at a time take the later events.
    const [first] = calls;
    expect(first).toEqual(sorted.slice(0, first!.length));
    for (const call of calls) expect(call).toEqual([...call].sort());
  });

  it('dispatches no event twice beside another relay', async () => {
    const taken: string[] = [];
    const busy = new Set<string>();
    /** Holds its first batch until the other relay has one too. */
    const subscriber =
      (name: string): Handler =>
      async (eventos) => {
        taken.push(...eventos.map(({ id }) => id));
        busy.add(name);
        await eventually(() => expect(busy.size).toBe(2));
      };
    const ids = await record(MANY);
    start(subscriber('one'));
    start(subscriber('other'));
    await eventually(async () => expect(await pending()).toEqual([]));
    expect([...taken].sort()).toEqual([...ids].sort());
  });

  it('marks an event only after its subscriber is done', async () => {
    const ids = await record(3);
    let finish = () => undefined as void;
    const isBusy = new Promise<void>((resolve) => (finish = resolve));
    let seen = 0;
    start(async (eventos) => {
      seen += eventos.length;
      await isBusy;
    });
    await eventually(() => expect(seen).toBe(3));
    expect(await pending()).toEqual([...ids].sort());
    finish();
    await eventually(async () => expect(await pending()).toEqual([]));
  });

  it('warns once when a subscriber fails, and dispatches its events later', async () => {
    const ids = await record(2);
    let isFailing = true;
    let tries = 0;
    const taken: string[] = [];
    const relay = start((eventos) => {
      tries++;
      if (isFailing) return Promise.reject(AWAY);
      taken.push(...eventos.map(({ id }) => id));
      return Promise.resolve();
    });
    for (let n = 1; n <= 3; n++) {
      relay.wake();
      await eventually(() => expect(tries).toBeGreaterThanOrEqual(n));
    }
    expect(await pending()).toEqual([...ids].sort());
    isFailing = false;
    relay.wake();
    await eventually(async () => expect(await pending()).toEqual([]));
    expect(taken.sort()).toEqual([...ids].sort());
    expect(logs).toMatchObject([
      { level: 40, msg: 'events wait: the relay will try again' },
      { level: 30, msg: 'the relay dispatches events again' },
    ]);
  });

  it('logs the recovery only after it dispatched events, not while another relay holds them', async () => {
    await record(1);
    const relay = start(() => Promise.reject(AWAY));
    await eventually(() => expect(logs).toHaveLength(1));
    const other = await pool.connect();
    try {
      await other.query('begin');
      // Waits until the failed batch releases it.
      await other.query('select from eventos for update');
      relay.wake();
      await relay.beforeApplicationShutdown();
      expect(logs).toMatchObject([{ level: 40, msg: 'events wait: the relay will try again' }]);
    } finally {
      await other.query('rollback');
      other.release();
    }
  });

  it('finds events that another process recorded, without being woken', async () => {
    start(() => Promise.resolve());
    await eventually(async () => expect(await pending()).toEqual([]));
    await record(1);
    await eventually(async () => expect(await pending()).toEqual([]));
  });

  it('calls every subscriber of a type, and no other', async () => {
    const heard: string[] = [];
    const hear = (name: string): Handler => {
      return (eventos) => Promise.resolve(void heard.push(...eventos.map(({ tipo }) => `${name} ${tipo}`)));
    };
    await record(1, 'guia.creada');
    await record(1, 'guia.confirmacion_pedida');
    const relay = start(hear('all'));
    relay.subscribe(['guia.confirmacion_pedida'], withoutJobs(hear('one')));
    await eventually(async () => expect(await pending()).toEqual([]));
    expect(heard.sort()).toEqual([
      'all guia.confirmacion_pedida',
      'all guia.creada',
      'one guia.confirmacion_pedida',
    ]);
  });

  describe('with an event that cannot be dispatched', () => {
    /** Takes all events but those of `poison`, which it names in `failed`. */
    const subscriberBut = (poison: Set<string>, error: Error, taken: string[] = []): Handler => {
      return (eventos) => {
        if (eventos.some(({ id }) => poison.has(id))) return Promise.reject(error);
        taken.push(...eventos.map(({ id }) => id));
        return Promise.resolve();
      };
    };

    it('dispatches all others, and parks it with the cause and the time of the next try', async () => {
      const ids = await record(MANY);
      const poison = new Set([ids[0]!, ids[7]!, ids[600]!]);
      const taken: string[] = [];
      const defect = new TypeError('+50255551234 is not a function');
      start(subscriberBut(poison, defect, taken));
      await eventually(async () => expect(await pending()).toEqual([...poison].sort()));
      expect(new Set(taken)).toEqual(new Set(ids.filter((id) => !poison.has(id))));
      const causa = 'Una falla del programa lo impide (TypeError). Vea el registro.';
      expect(await parked()).toEqual([...poison].sort().map((id) => ({ id, intentos: 1, causa })));
      const named = logs.filter(({ msg }) => msg === 'event parked');
      expect(named.map(({ evento }) => evento as string).sort()).toEqual([...poison].sort());
    });

    it('calls its other subscribers all the same', async () => {
      const ids = await record(3);
      const taken: string[] = [];
      const relay = start(subscriberBut(new Set([ids[1]!]), new TypeError()));
      relay.subscribe(['guia.creada'], withoutJobs(subscriberBut(new Set(), AWAY, taken)));
      await eventually(async () => expect(await parked()).toHaveLength(1));
      expect(taken.sort()).toEqual([...ids].sort());
    });

    it('adds the jobs of all others, each once and together', async () => {
      const ids = await record(300);
      const [poison] = ids;
      const added: string[][] = [];
      addJobs = (queue, jobs) => Promise.resolve(void added.push(jobs.map(({ id }) => `${queue} ${id}`)));
      startWith((eventos) => {
        if (eventos.some(({ id }) => id === poison)) return Promise.reject(new TypeError());
        return withJobs(eventos);
      });
      await eventually(async () => expect(await pending()).toEqual([poison]));
      expect(added).toEqual([ids.filter((id) => id !== poison).map((id) => `cola ${id}`)]);
    });

    it('parks one whose job no queue takes', async () => {
      const ids = await record(20);
      const added: string[] = [];
      addJobs = (_, jobs) => {
        if (jobs.some(({ id }) => id === ids[9])) return Promise.reject(new TypeError());
        return Promise.resolve(void added.push(...jobs.map(({ id }) => id)));
      };
      startWith(withJobs);
      await eventually(async () => expect(await pending()).toEqual([ids[9]]));
      expect(await parked()).toMatchObject([{ id: ids[9], intentos: 1 }]);
      expect(new Set(added).size).toBe(19);
    });

    it('parks one whose type no subscriber knows', async () => {
      await database.query('alter domain evento_tipo drop constraint evento_tipo_check');
      const [id] = await record(1, 'guia.de_otra_version');
      await record(2);
      start(() => Promise.resolve());
      await eventually(async () => expect(await pending()).toEqual([id]));
      expect(await parked()).toMatchObject([
        { id, causa: 'Esta versión del servicio no conoce ese tipo de evento.' },
      ]);
    });

    it('tries it again, and dispatches it once it can', async () => {
      const poison = new Set(await record(1));
      const [id] = poison;
      const taken: string[] = [];
      start(subscriberBut(poison, answered('23514', { constraint: 'mensajes_telefono_check' }), taken));
      const causa = 'La base de datos no acepta sus datos (23514, mensajes_telefono_check). Vea el registro.';
      for (const intentos of [1, 2]) {
        await eventually(async () => expect(await parked()).toEqual([{ id, intentos, causa }]));
        await makeParkedDue();
      }
      poison.clear();
      await makeParkedDue();
      await eventually(async () => expect(await pending()).toEqual([]));
      expect(taken).toEqual([id]);
      expect(logs.filter(({ msg }) => msg === 'event parked')).toHaveLength(1);
    });

    it('waits four times as long after each failure, up to an hour', async () => {
      const [id] = await record(1);
      const [evento] = await database.query<Omit<ParkedEvento, 'causa'>>(
        'select comercio_id, guia_id, id from eventos',
      );
      const client = await pool.connect();
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
      'parks one that times out alone, not its batch: SQLSTATE %s',
      async (code) => {
        const ids = await record(20);
        const taken: string[] = [];
        const relay = start(subscriberBut(new Set([ids[9]!]), answered(code), taken));
        await eventually(async () => {
          relay.wake();
          expect(await pending()).toEqual([ids[9]]);
        });
        expect(await parked()).toMatchObject([{ id: ids[9], intentos: 1 }]);
        expect(new Set(taken).size).toBe(19);
      },
    );
  });

  it('keeps its events while the queue store does not take their jobs', async () => {
    const ids = await record(20);
    let isAway = true;
    const added: string[] = [];
    addJobs = (_, jobs) =>
      isAway ? Promise.reject(new NoAnswer()) : Promise.resolve(void added.push(...jobs.map(({ id }) => id)));
    const relay = startWith(withJobs);
    await eventually(() => expect(logs).toHaveLength(1));
    expect(await pending()).toEqual([...ids].sort());
    isAway = false;
    relay.wake();
    await eventually(async () => expect(await pending()).toEqual([]));
    expect(added.sort()).toEqual([...ids].sort());
  });

  it.each<[string, Error]>([
    ['connection refused', AWAY],
    ['SQLSTATE 57P01', answered('57P01')],
    ['SQLSTATE 53300', answered('53300')],
    ['connection lost', new Error('Connection terminated unexpectedly')],
    ['no connection to Redis', new Error("Stream isn't writeable and enableOfflineQueue options is false")],
    ['no answer', new NoAnswer()],
    ['Redis full', Object.assign(new Error('OOM command not allowed when'), { name: 'ReplyError' })],
  ])('parks nothing while the database or the queue store is away: %s', async (_, error) => {
    const ids = await record(20);
    let tries = 0;
    const relay = start(() => (tries++, Promise.reject(error)));
    // Down to batches of one event.
    for (let n = 1; n <= 5; n++) {
      relay.wake();
      await eventually(() => expect(tries).toBeGreaterThanOrEqual(n));
    }
    await relay.beforeApplicationShutdown();
    expect(await pending()).toEqual([...ids].sort());
    expect(await parked()).toEqual([]);
  });

  it('refuses to start if a relayed type has no subscriber', () => {
    const start1 = () => start(() => Promise.resolve(), ['guia.creada']);
    expect(start1).toThrow(StartupError);
    expect(start1).toThrow('guia.confirmacion_pedida');
  });

  it('finishes its batch at the shutdown, and begins no other', async () => {
    await record(MANY);
    let finish = () => undefined as void;
    const isBusy = new Promise<void>((resolve) => (finish = resolve));
    let seen = 0;
    const relay = start(async (eventos) => {
      seen += eventos.length;
      await isBusy;
    });
    await eventually(() => expect(seen).toBeGreaterThan(0));
    const ended = relay.beforeApplicationShutdown();
    finish();
    await ended;
    expect(seen).toBeLessThan(MANY);
    expect(await pending()).toHaveLength(MANY - seen);
    relay.wake();
    expect(await pending()).toHaveLength(MANY - seen);
  });
});
