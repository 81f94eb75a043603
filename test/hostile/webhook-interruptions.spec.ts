import { eventually } from '../support/eventually.js';
import { describeWithRedis, startRedis } from '../support/redis.js';
import { createTestApp } from '../support/test-app.js';
import { ALLOW_PRIVATE, createHookedApp } from '../support/webhooks.js';

/** ms; a hang limit: a lost job is taken over, or restored, within half a minute. */
const HANG_MS = 110_000;

/** ms between looks at what takes half a minute. */
const LOOK_MS = 250;

// At once: most of each is waiting until a lost job is noticed.
describeWithRedis('while Redis is away', () => {
  it.concurrent('events and resends are accepted, and delivered once it is back', async () => {
    const redis = await startRedis();
    const app = await createHookedApp({ env: { REDIS_URL: redis.url } });
    try {
      const endpoint = await app.hooks.endpoint(await app.test.merchant());
      const delivery = await app.hooks.delivery(endpoint);
      await app.hooks.reached(delivery, { estado: 'entregada' });
      await redis.kill();
      const body = { entrega: delivery.mensaje_id };
      expect((await endpoint.merchant.post(`${endpoint.path}/reenviar`, body)).body).toMatchObject({
        reenviadas: 1,
      });
      const { guia } = await app.hooks.guia(endpoint.merchant);
      // Overdue at once, for the sweep that restores lost jobs.
      await app.test.database.query(
        `update webhook_entregas set proximo_en = proximo_en - interval '1 minute' where mensaje_id = $1`,
        [delivery.mensaje_id],
      );
      await redis.restart();
      await eventually(
        async () => {
          const rows = await app.hooks.of(endpoint);
          expect(rows.map((row) => [row.guia, row.estado])).toEqual([
            [delivery.guia, 'entregada'],
            [guia, 'entregada'],
          ]);
        },
        HANG_MS,
        LOOK_MS,
      );
      expect(app.receiver.at(endpoint.at)).toHaveLength(3);
    } finally {
      await app.close();
      await redis.stop();
    }
  });
});

describe('a stop', () => {
  it.concurrent('during a delivery counts as no failure, and another process delivers', async () => {
    const app = await createHookedApp();
    const next = await createHookedApp({ database: app.test.database, env: { ROLE: 'api' } });
    try {
      const endpoint = await app.hooks.endpoint(await app.test.merchant());
      const delivery = await app.hooks.delivery(endpoint, { fault: 'hang' });
      await eventually(() => expect(app.receiver.at(endpoint.at)).toHaveLength(1));
      await app.test.app.close();
      expect(await next.hooks.now(delivery)).toMatchObject({ estado: 'pendiente', intentos: 0, causa: null });
      const [webhook] = await next.test.database.query('select falla_desde from webhooks');
      expect(webhook).toEqual({ falla_desde: null });
      const worker = await createTestApp({
        database: app.test.database,
        env: { ...ALLOW_PRIVATE, ROLE: 'worker' },
      });
      try {
        await eventually(
          async () => {
            expect(await next.hooks.now(delivery)).toMatchObject({ estado: 'entregada', intentos: 1 });
          },
          HANG_MS,
          LOOK_MS,
        );
      } finally {
        await worker.app.close();
      }
      const sent = app.receiver.at(endpoint.at).map(({ headers }) => headers['webhook-id']);
      expect(sent).toEqual([delivery.mensaje_id, delivery.mensaje_id]);
    } finally {
      await next.close();
      await app.receiver.close();
      await app.test.database.drop();
    }
  });
});
