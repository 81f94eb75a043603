import { Reads } from '../../src/platform/database/replicas/reads.js';
import { eventually } from '../support/eventually.js';
import { seedGuias } from '../support/guias-seed.js';
import {
  startPostgresCluster,
  type PostgresCluster,
  type PostgresNode,
} from '../support/postgres-cluster.js';
import {
  createTestApp,
  guiaBody,
  withTestApp,
  type TestApp,
  type TestMerchant,
} from '../support/test-app.js';
import { walkGuias } from '../support/walk.js';

const GUIAS = '/api/v1/guias';

describe('reads from replicas', () => {
  let cluster: PostgresCluster;
  let primary: PostgresNode;
  let standbys: PostgresNode[];
  let test: TestApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    cluster = await startPostgresCluster(2);
    ({ primary, standbys } = cluster);
    test = await createTestApp({
      database: primary,
      env: { DATABASE_READ_URL: standbys.map(({ url }) => url).join(', ') },
    });
    merchant = await test.merchant();
  });
  // A replica that failed is asked again by the next read.
  beforeEach(() =>
    eventually(async () => {
      await merchant.get(GUIAS);
      expect(unread()).toEqual([]);
    }),
  );
  afterAll(async () => {
    await test?.close();
    await cluster?.drop();
  });

  const nameOf = (node: PostgresNode) => `127.0.0.1:${node.port}`;
  const unread = () => test.app.get(Reads).status.filter(({ causa }) => causa !== undefined);
  const causaOf = (node: PostgresNode) =>
    test.app.get(Reads).status.find(({ replica }) => replica === nameOf(node))!.causa;
  const create = async (by = merchant): Promise<string> => {
    const { status, body } = await by.post(GUIAS, guiaBody());
    expect(status).toBe(201);
    return body.id;
  };
  const idsOf = (guias: { id: string }[]) => guias.map(({ id }) => id);

  /** How many reads replicas and the primary answer meanwhile. */
  const counting = async (run: () => Promise<void>) => {
    const { counts } = test.app.get(Reads);
    const before = { ...counts };
    await run();
    return { replica: counts.replica - before.replica, primary: counts.primary - before.primary };
  };

  /** List, detail and history show a guide. */
  const expectShown = async (id: string, by = merchant) => {
    const answers = await Promise.all([
      by.get(`${GUIAS}?limit=20`),
      by.get(`${GUIAS}/${id}`),
      by.get(`${GUIAS}/${id}/eventos`),
    ]);
    const [list, detail, history] = answers.map(({ body }) => body);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(idsOf(list.guias)).toContain(id);
    expect(detail.guia.id).toBe(id);
    expect(history.eventos).toHaveLength(1);
  };

  /** Creates and reads until `isOver`, for a merchant of its own; every answer is right. */
  const createAndRead = async (isOver: () => boolean) => {
    const own = await test.merchant();
    while (!isOver()) await expectShown(await create(own), own);
  };

  /** Changes a guide until the server has taken the setting, so that the change is in the log and not yet visible. */
  const changeThatWaits = async (id: string) => {
    for (let n = 1; ; n++) {
      const change = `cambio ${n}`;
      let isDone = false;
      const isSettled = primary
        .query('update guias set notas = $2 where id = $1', [id, change])
        .then(() => (isDone = true));
      const isWaiting = await eventually(async () => {
        const waiting = await primary.query(
          `select from pg_stat_activity where wait_event = 'SyncRep' and query like 'update guias set notas%'`,
        );
        if (waiting.length === 0 && !isDone) throw new Error('neither done nor waiting');
        return waiting.length > 0;
      });
      if (isWaiting) return { change, isSettled };
    }
  };

  it('show a guide as soon as its create was answered', async () => {
    const { counts } = test.app.get(Reads);
    const enough = counts.replica + 100;
    const isOver = () => counts.replica >= enough;
    await Promise.all(Array.from({ length: 4 }, () => createAndRead(isOver)));
  });

  it('never use a server that is not a replica of the primary, or that rejects us', async () => {
    const wrongPassword = new URL(standbys[0]!.url);
    wrongPassword.password = 'otra';
    const urls = [primary.url, wrongPassword.href, 'postgres://nadie@127.0.0.1:1/guias'];
    const env = { DATABASE_READ_URL: urls.join(' ') };
    await withTestApp({ database: primary, env }, async (other) => {
      const reads = other.app.get(Reads);
      await eventually(() =>
        expect(reads.status.map(({ causa }) => causa)).toEqual([
          'No es una réplica: acepta escrituras propias.',
          'Responde con un error (28P01).',
          'No responde (ECONNREFUSED).',
        ]),
      );
      const key = await other.keyOf(merchant.id);
      expect((await key.get(GUIAS)).status).toBe(200);
      expect(reads.counts).toEqual({ replica: 0, primary: 1 });
      expect(other.logs.filter(({ replica }) => replica).length).toBe(urls.length);
    });
  });

  it('serve the lists, details, histories and reports of merchants and operators', async () => {
    const operator = await test.operator();
    const id = await create();
    for (const get of [
      () => merchant.get(GUIAS),
      () => merchant.get('/api/v1/cobros'),
      () => merchant.get('/api/v1/cobros', { accept: 'text/csv' }),
      () => merchant.get('/api/v1/cobros/resumen'),
      () => merchant.get('/api/v1/liquidaciones'),
      () => operator.get('/api/v1/operaciones/guias'),
      () => operator.get(`/api/v1/operaciones/guias/${id}`),
      () => operator.get(`/api/v1/operaciones/guias/${id}/eventos`),
    ])
      // A replica that is slow for a moment is no fault.
      await eventually(async () => {
        const { replica } = await counting(async () => expect((await get()).status).toBe(200));
        expect(replica).toBeGreaterThan(0);
      });
  });

  it('are walked without skips and repeats while guides are created', async () => {
    const walker = await test.merchant();
    await seedGuias(primary, walker.id, { count: 500, at: `${Date.now()} - n / 50` });
    const older = idsOf(await walkGuias(walker, { limit: '100' }));
    let isWalking = true;
    const writing = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (isWalking) expect((await walker.post(GUIAS, guiaBody())).status).toBe(201);
      }),
    );
    const { counts } = test.app.get(Reads);
    const before = counts.replica;
    do {
      for (const limit of ['7', '50']) {
        const walked = idsOf(await walkGuias(walker, { limit }));
        expect(new Set(walked).size).toBe(walked.length);
        expect(walked.filter((id) => older.includes(id))).toEqual(older);
      }
    } while (counts.replica === before);
    isWalking = false;
    await writing;
    expect(older).toHaveLength(500);
  });

  it('use the primary while no replica replays', async () => {
    await Promise.all(standbys.map((node) => node.query('select pg_wal_replay_pause()')));
    const { replica } = await counting(async () => {
      for (let n = 0; n < 3; n++) await expectShown(await create());
    });
    expect(replica).toBe(0);
    const { text } = await test.request('/metrics');
    expect(text).toMatch(/^replica_lag_bytes\{replica="127.0.0.1:\d+"\} [1-9]/m);
    await Promise.all(standbys.map((node) => node.query('select pg_wal_replay_resume()')));
    const resumed = test.app.get(Reads).counts.replica;
    await createAndRead(() => test.app.get(Reads).counts.replica > resumed);
  });

  it('show commits that wait for a synchronous replica only on replicas, so lists by change use the primary', async () => {
    const id = await create();
    const { guia } = (await merchant.get(`${GUIAS}/${id}`)).body.guia;
    const byChange = async () =>
      (await merchant.get(`${GUIAS}?actualizada_desde=2020-01-01&guia=${guia}`)).body.guias[0].notas;
    await primary.set('synchronous_standby_names', 'nobody');
    try {
      const { change, isSettled } = await changeThatWaits(id);
      await eventually(async () => {
        expect((await merchant.get(`${GUIAS}/${id}`)).body.guia.notas).toBe(change);
      });
      expect(await byChange()).not.toBe(change);
      await primary.set('synchronous_standby_names', '');
      await isSettled;
      expect(await byChange()).toBe(change);
    } finally {
      await primary.set('synchronous_standby_names', '');
    }
  });

  it('continue without an error if a replica freezes, and use it again afterwards', async () => {
    let isOver = false;
    const working = createAndRead(() => isOver);
    const thaw = standbys[0]!.freeze();
    await eventually(() => expect(causaOf(standbys[0]!)).toBeDefined());
    await expectShown(await create());
    thaw();
    await eventually(() => expect(causaOf(standbys[0]!)).toBeUndefined());
    isOver = true;
    await working;
  });

  it('continue without an error if a replica is killed, and use it again afterwards', async () => {
    let isOver = false;
    const working = Promise.all([createAndRead(() => isOver), createAndRead(() => isOver)]);
    await standbys[0]!.kill();
    await eventually(() => expect(causaOf(standbys[0]!)).toBeDefined());
    const ready = await test.request('/readyz');
    expect(ready).toMatchObject({ status: 200, body: { ok: true } });
    expect(ready.body.replicas).toEqual([{ replica: nameOf(standbys[0]!), causa: expect.any(String) }]);
    expect((await test.request('/metrics')).text).toContain(
      `replica_up{replica="${nameOf(standbys[0]!)}"} 0`,
    );
    await standbys[0]!.start();
    await eventually(() => expect(causaOf(standbys[0]!)).toBeUndefined());
    isOver = true;
    await working;
  });

  it('resume through the checks made by metrics, even if nobody reads', async () => {
    const [replica] = standbys;
    await replica!.kill();
    await eventually(async () => {
      await merchant.get(GUIAS);
      expect(causaOf(replica!)).toBeDefined();
    });
    await replica!.start();
    await eventually(async () => {
      await test.request('/metrics');
      expect(causaOf(replica!)).toBeUndefined();
    });
  });

  // Last: it is never a replica again.
  it('never come from a replica that was promoted', async () => {
    const [promoted] = standbys as [PostgresNode, PostgresNode];
    await promoted.promote();
    await eventually(async () => {
      await expectShown(await create());
      expect(causaOf(promoted)).toMatch(/promovida|acepta escrituras/);
    });
    await promoted.query('delete from eventos; delete from guias');
    for (let n = 0; n < 20; n++) await expectShown(await create());
    const logged = test.logs.filter(({ replica }) => replica === nameOf(promoted));
    expect(JSON.stringify(logged)).not.toMatch(/guias_servicio|postgres:\/\//);
  });
});
