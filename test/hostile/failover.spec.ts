import { setTimeout as sleep } from 'node:timers/promises';
import { TIME_LIMITS } from '../../src/platform/database/time-limits.js';
import { eventually } from '../support/eventually.js';
import { describeWithHaproxy, startPostgresProxy, type Haproxy } from '../support/haproxy.js';
import {
  startPostgresCluster,
  type PostgresCluster,
  type PostgresNode,
} from '../support/postgres-cluster.js';
import { createTestApp, guiaBody, type TestApp, type TestMerchant } from '../support/test-app.js';

const GUIAS = '/api/v1/guias';

/** More for figures; each prints how long creates were refused. */
const ROUNDS = Number(process.env.FAILOVER_ROUNDS ?? 1);

const CLIENTS = 4;

/** With a synchronous standby, so that nothing that was acknowledged may be missing. */
describeWithHaproxy('a service behind an address that follows the primary', () => {
  let proxy: Haproxy;
  let cluster: PostgresCluster;
  let primary: PostgresNode;
  let standby: PostgresNode;
  let test: TestApp;
  let merchant: TestMerchant;
  let references = 0;

  beforeAll(async () => {
    cluster = await startPostgresCluster(1);
    primary = cluster.primary;
    standby = cluster.standbys[0]!;
    proxy = await startPostgresProxy([standby, primary]);
    test = await createTestApp({
      database: {
        url: proxy.url,
        ownerUrl: primary.ownerUrl,
        query: (...statement) => primary.query(...statement),
        drop: () => cluster.drop(),
      },
      env: { ROLE: 'all' },
      timeLimits: TIME_LIMITS,
    });
    merchant = await test.merchant();
  });
  afterAll(async () => {
    await test?.close();
    await proxy?.stop();
    await cluster?.drop();
  });

  /** Creates guides until `isOver`, each repeated until it is acknowledged. Their ids by reference. */
  async function createUntil(isOver: () => boolean, acknowledged: Map<string, string>): Promise<void> {
    while (!isOver()) {
      const external_ref = `r-${(references += 1)}`;
      for (;;) {
        const { status, body } = await merchant.post(GUIAS, guiaBody({ external_ref }));
        if (status < 300) {
          acknowledged.set(external_ref, body.id);
          break;
        }
        expect(status).toBe(503);
        await sleep(20);
      }
    }
  }

  it.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))(
    'continues with the promoted standby and has lost no acknowledged guide (%d)',
    async (round) => {
      await primary.set('synchronous_standby_names', '*');
      await eventually(async () => {
        const synchronous = `select from pg_stat_replication where sync_state = 'sync'`;
        expect(await primary.query(synchronous)).toHaveLength(1);
      });
      const acknowledged = new Map<string, string>();
      let isOver = false;
      const creating = Promise.all(
        Array.from({ length: CLIENTS }, () => createUntil(() => isOver, acknowledged)),
      );
      creating.catch(() => undefined);
      await eventually(() => expect(acknowledged.size).toBeGreaterThan(20));
      const [old, promoted] = [primary, standby];
      await old.kill();
      const killedAt = performance.now();
      await promoted.promote();
      const promotedAt = performance.now();
      const before = acknowledged.size;
      await eventually(() => expect(acknowledged.size).toBeGreaterThan(before + CLIENTS));
      const recoveredAt = performance.now();
      await eventually(() => expect(acknowledged.size).toBeGreaterThan(before + 40));
      isOver = true;
      await creating;
      if (ROUNDS > 1)
        console.log(
          `round ${round}: promoted after ${Math.round(promotedAt - killedAt)} ms, creates again ${Math.round(recoveredAt - promotedAt)} ms later, ${acknowledged.size} acknowledged`,
        );

      const rows = await promoted.query<{ external_ref: string; id: string }>(
        'select external_ref, id from guias where external_ref = any ($1)',
        [[...acknowledged.keys()]],
      );
      expect(new Map(rows.map(({ external_ref, id }) => [external_ref, id]))).toEqual(acknowledged);

      // Repositories and their transactions, and the queues.
      const webhook = await merchant.post('/api/v1/webhooks', {
        url: `https://example.com/${round}`,
        eventos: ['guia.creada'],
      });
      expect(webhook.status).toBe(201);
      await merchant.delete(`/api/v1/webhooks/${webhook.body.webhook.id}`);
      await eventually(async () => {
        const waiting = await promoted.query(
          `select from mensajes where estado not in ('aceptado', 'omitido')`,
        );
        expect(waiting).toEqual([]);
      });
      [primary, standby] = [promoted, old];
      if (round < ROUNDS) await cluster.rejoin(standby, primary);
    },
  );

  it('answers 503 while its server takes no writes, and goes on once it does', async () => {
    const createGuia = () => merchant.post(GUIAS, guiaBody());
    const createWebhook = async () => {
      const url = 'https://example.com/x';
      const created = await merchant.post('/api/v1/webhooks', { url, eventos: ['guia.creada'] });
      if (created.status === 201) await merchant.delete(`/api/v1/webhooks/${created.body.webhook.id}`);
      return created;
    };
    // The processes of PostgreSQL take up a setting one after the other, so each kind of write is waited for.
    const answers = (write: () => Promise<{ status: number }>, status: number) =>
      eventually(async () => expect((await write()).status).toBe(status));

    await primary.set('default_transaction_read_only', 'on');
    await answers(createGuia, 503);
    await answers(createWebhook, 503);
    await primary.set('default_transaction_read_only', 'off');
    await answers(createGuia, 201);
    await answers(createWebhook, 201);
  });
});
