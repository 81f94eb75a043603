import { StartupError } from '../../src/platform/errors/startup-error.js';
import { RELAYED_TIPOS } from '../../src/platform/events/evento-tipo.js';
import { claimEventos } from '../../src/platform/events/relay.queries.js';
import { eventually } from '../support/eventually.js';
import { AWAY, MANY, RelayStage, withJobs, withoutJobs, type Handler } from '../support/relay-stage.js';

describe('the relay', () => {
  const stage = new RelayStage();

  it('dispatches every event once, oldest first', async () => {
    const ids = await stage.record(MANY);
    const calls: string[][] = [];
    stage.start((eventos) => Promise.resolve(void calls.push(eventos.map(({ id }) => id))));
    await eventually(async () => expect(await stage.pending()).toEqual([]));
    const sorted = [...ids].sort();
    expect(calls.flat().sort()).toEqual(sorted);
    // Two batches at a time take the later events.
    const [first] = calls;
    expect(first).toEqual(sorted.slice(0, first!.length));
    for (const call of calls) expect(call).toEqual([...call].sort());
  });

  it('dispatches no event twice when two relays run', async () => {
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
    const ids = await stage.record(MANY);
    stage.start(subscriber('one'));
    stage.start(subscriber('other'));
    await eventually(async () => expect(await stage.pending()).toEqual([]));
    expect([...taken].sort()).toEqual([...ids].sort());
  });

  it('keeps an event until its subscriber is done', async () => {
    const ids = await stage.record(3);
    let finish = () => undefined as void;
    const isBusy = new Promise<void>((resolve) => (finish = resolve));
    let seen = 0;
    stage.start(async (eventos) => {
      seen += eventos.length;
      await isBusy;
    });
    await eventually(() => expect(seen).toBe(3));
    expect(await stage.pending()).toEqual([...ids].sort());
    finish();
    await eventually(async () => expect(await stage.pending()).toEqual([]));
  });

  it('warns once when a subscriber fails, and dispatches its events later', async () => {
    const ids = await stage.record(2);
    let isFailing = true;
    let tries = 0;
    const taken: string[] = [];
    const relay = stage.start((eventos) => {
      tries++;
      if (isFailing) return Promise.reject(AWAY);
      taken.push(...eventos.map(({ id }) => id));
      return Promise.resolve();
    });
    for (let n = 1; n <= 3; n++) {
      relay.wake();
      await eventually(() => expect(tries).toBeGreaterThanOrEqual(n));
    }
    expect(await stage.pending()).toEqual([...ids].sort());
    isFailing = false;
    relay.wake();
    await eventually(async () => expect(await stage.pending()).toEqual([]));
    expect(taken.sort()).toEqual([...ids].sort());
    expect(stage.logs).toMatchObject([
      { level: 40, msg: 'events wait: the relay will try again' },
      { level: 30, msg: 'the relay dispatches events again' },
    ]);
  });

  it('logs the recovery only after it has dispatched events, not while another relay holds them', async () => {
    await stage.record(1);
    const relay = stage.start(() => Promise.reject(AWAY));
    await eventually(() => expect(stage.logs).toHaveLength(1));
    const other = await stage.pool.connect();
    try {
      await other.query('begin');
      // Waits until the failed batch releases it.
      await other.query('select from eventos_pendientes for update');
      relay.wake();
      await relay.beforeApplicationShutdown();
      expect(stage.logs).toMatchObject([{ level: 40, msg: 'events wait: the relay will try again' }]);
    } finally {
      await other.query('rollback');
      other.release();
    }
  });

  it('dispatches what a relay had claimed that was killed, and meanwhile everything else', async () => {
    const ids = await stage.record(20);
    const taken: string[] = [];
    const killed = await stage.pool.connect();
    try {
      killed.on('error', () => undefined);
      const { rows } = await killed.query<{ pid: number }>('select pg_backend_pid() as pid');
      await killed.query('begin');
      await killed.query(claimEventos(5));
      stage.start((eventos) => Promise.resolve(void taken.push(...eventos.map(({ id }) => id))));
      await eventually(async () => expect(await stage.pending()).toEqual(ids.slice(0, 5)));
      expect(taken).toEqual(ids.slice(5));
      await stage.database.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
    } finally {
      killed.release(true);
    }
    await eventually(async () => expect(await stage.pending()).toEqual([]));
    expect([...taken].sort()).toEqual(ids);
  });

  it('finds events that another process recorded, without being woken', async () => {
    stage.start(() => Promise.resolve());
    await eventually(async () => expect(await stage.pending()).toEqual([]));
    await stage.record(1);
    await eventually(async () => expect(await stage.pending()).toEqual([]));
  });

  it('calls every subscriber of a type, and no other', async () => {
    const heard: string[] = [];
    const hear = (name: string): Handler => {
      return (eventos) => Promise.resolve(void heard.push(...eventos.map(({ tipo }) => `${name} ${tipo}`)));
    };
    await stage.record(1, 'guia.creada');
    await stage.record(1, 'guia.confirmacion_pedida');
    stage.startWith(
      { tipos: RELAYED_TIPOS, subscriber: withoutJobs(hear('all')) },
      { tipos: ['guia.confirmacion_pedida'], subscriber: withoutJobs(hear('one')) },
    );
    await eventually(async () => expect(await stage.pending()).toEqual([]));
    expect(heard.sort()).toEqual([
      'all guia.confirmacion_pedida',
      'all guia.creada',
      'one guia.confirmacion_pedida',
    ]);
  });

  it('refuses to start if a relayed type has no subscriber', () => {
    const start = () => stage.startWith({ tipos: ['guia.creada'], subscriber: withJobs });
    expect(start).toThrow(StartupError);
    expect(start).toThrow('guia.confirmacion_pedida');
  });

  it('finishes its batch at the shutdown, and begins no other', async () => {
    await stage.record(MANY);
    let finish = () => undefined as void;
    const isBusy = new Promise<void>((resolve) => (finish = resolve));
    let seen = 0;
    const relay = stage.start(async (eventos) => {
      seen += eventos.length;
      await isBusy;
    });
    await eventually(() => expect(seen).toBeGreaterThan(0));
    const ended = relay.beforeApplicationShutdown();
    finish();
    await ended;
    expect(seen).toBeLessThan(MANY);
    expect(await stage.pending()).toHaveLength(MANY - seen);
    relay.wake();
    expect(await stage.pending()).toHaveLength(MANY - seen);
  });
});
