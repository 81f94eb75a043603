import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { v7 } from 'uuid';
import type { Database } from '../../src/database/database.js';
import { StartupError } from '../../src/errors/startup-error.js';
import { RELAYED_TIPOS } from '../../src/events/evento-tipo.js';
import { RelayService, type EventSubscriber } from '../../src/events/relay.service.js';
import { createLogger } from '../../src/logging/logger.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

/** More than a batch. */
const MANY = 1_100;

describe('the relay', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let logs: Record<string, any>[];
  const started: RelayService[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url });
  });
  beforeEach(() => {
    logs = [];
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
  const start = (subscriber: EventSubscriber, tipos = RELAYED_TIPOS): RelayService => {
    const logger = createLogger(
      { logLevel: 'info' },
      { write: (line: string) => void logs.push(JSON.parse(line)) },
    );
    const relay = new RelayService({ pool } as Database, logger);
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
      (name: string): EventSubscriber =>
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
      if (isFailing) return Promise.reject(new Error('the queue is away'));
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
    const relay = start(() => Promise.reject(new Error('the queue is away')));
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
    const hear = (name: string): EventSubscriber => {
      return (eventos) => Promise.resolve(void heard.push(...eventos.map(({ tipo }) => `${name} ${tipo}`)));
    };
    await record(1, 'guia.creada');
    await record(1, 'guia.confirmacion_pedida');
    const relay = start(hear('all'));
    relay.subscribe(['guia.confirmacion_pedida'], hear('one'));
    await eventually(async () => expect(await pending()).toEqual([]));
    expect(heard.sort()).toEqual([
      'all guia.confirmacion_pedida',
      'all guia.creada',
      'one guia.confirmacion_pedida',
    ]);
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
