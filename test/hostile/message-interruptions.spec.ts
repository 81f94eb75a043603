import { bridgeEnv, createBridgedApp, newPhone } from '../support/messaging.js';
import { eventually } from '../support/eventually.js';
import { describeWithRedis, startRedis } from '../support/redis.js';
import { startService } from '../support/service-process.js';
import { APP_SECRET } from '../support/test-app.js';
import { opened } from '../support/use.js';

/** ms; a hang limit: a lost job is taken over within half a minute. */
const HANG_MS = 110_000;

/** ms between looks at what takes half a minute. */
const LOOK_MS = 250;

describeWithRedis('a worker that is killed', () => {
  const redis = opened(startRedis, (one) => one.stop());

  // At once: most of each is waiting until the store gives the job to another worker.
  it.concurrent.each([
    ['PostgreSQL', () => ({})],
    ['Redis', () => ({ REDIS_URL: redis.url })],
  ] as const)(
    'after it had recorded that a message failed leaves the next try to a person, with queues in %s',
    async (_, store) => {
      const app = await createBridgedApp({ env: { ROLE: 'api', ...store() } });
      const env = {
        DATABASE_URL: app.test.database.url,
        APP_SECRET,
        ROLE: 'worker',
        PUBLIC_URL: 'https://guias.example.com',
        LOG_LEVEL: 'warn',
        ...bridgeEnv(app.bridge.url),
        ...store(),
      };
      const workers = [await startService(env)];
      try {
        const telefono = newPhone();
        app.bridge.answerTo(telefono, { fault: 'hang' });
        const guia = await app.messaging.create(await app.test.merchant(), { telefono });
        await eventually(() => expect(app.bridge.sentTo(telefono)).toHaveLength(1));
        await workers[0]!.stop('SIGKILL');
        // The last statement before the job's end.
        const [{ id } = { id: '' }] = await app.test.database.query<{ id: string }>(
          `update mensajes set estado = 'fallido', causa = 'El número no existe.' where guia_id = $1 returning id`,
          [guia.id],
        );
        workers.push(await startService(env));
        const job = await eventually(
          async () => {
            expect(await app.messaging.queue.getJobState(id)).toBe('failed');
            return (await app.messaging.queue.getJob(id))!;
          },
          HANG_MS,
          LOOK_MS,
        );
        expect(job.failedReason).toBe('El número no existe.');
        expect(app.bridge.sentTo(telefono)).toHaveLength(1);
        await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
        await app.messaging.reached(guia, 'aceptado');
        expect(app.bridge.sentTo(telefono)).toHaveLength(2);
      } finally {
        await workers[1]?.stop();
        await app.close();
      }
    },
  );
});
