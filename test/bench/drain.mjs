// Drains the outbox: events become messages and jobs, and a worker in the same process takes each job and
// does nothing with it. Without OUTBOX the same jobs are only added, one batch after another. messages.mjs
// starts this script with the service's environment. After a warm-up it sends its parent the jobs per second,
// from the first event to the end of the last job.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { loadConfig } from '../../dist/src/platform/config/env.js';
import { Secrets } from '../../dist/src/platform/config/secrets.js';
import { createApp } from '../../dist/src/create-app.js';
import { RelayService } from '../../dist/src/platform/events/relay.service.js';
import { NOTIFICACIONES, sendJob } from '../../dist/src/notifications/notifications.queue.js';
import { AppWorker } from '../../dist/src/platform/queues/app-worker.js';
import { QueueStore } from '../../dist/src/platform/queues/queue-store.js';
import { QueuesService } from '../../dist/src/platform/queues/queues.service.js';
import { seed } from './stores.mjs';

const JOBS = Number(process.env.JOBS);
/** Jobs before the measurement: compiling code and opening connections are not part of it. */
const WARM_UP = 2_000;
const CONCURRENCY = 20;
/** Jobs added at once, as by the relay. */
const BATCH = 500;

const config = loadConfig({ ...process.env, ROLE: 'api' });
const options = { config, secrets: new Secrets(config.appSecret), databaseUrl: config.databaseUrl };
const app = await createApp(options, pino({ level: 'warn' }));
const queues = app.get(QueuesService);

let left;
let finish;
const nothing = async () => {
  if (--left === 0) finish();
};
// As @nestjs/bullmq makes it for a processor; the app closes it.
await new AppWorker(app.get(QueueStore), NOTIFICACIONES, nothing, {
  concurrency: CONCURRENCY,
}).waitUntilReady();
await app.init();

/** Jobs per second. @param from number of the first job and of its guide. */
async function drain(from, count) {
  left = count;
  const finished = new Promise((resolve) => (finish = resolve));
  const begin = await (process.env.OUTBOX ? seeded(from, count) : numbered(from, count));
  const began = performance.now();
  await begin();
  await finished;
  return (count * 1_000) / (performance.now() - began);
}

async function seeded(from, count) {
  await seed(config.databaseUrl, process.env.MERCHANT, from, count);
  return () => app.get(RelayService).wake();
}

function numbered(from, count) {
  const jobs = Array.from({ length: count }, (_, n) =>
    sendJob({
      id: randomUUID(),
      ronda: 0,
      guia: String(100_000_000_000 + from + n),
      tipo: 'confirmacion_ubicacion',
    }),
  );
  return async () => {
    while (jobs.length > 0) await queues.add(NOTIFICACIONES, jobs.splice(0, BATCH));
  };
}

await drain(0, WARM_UP);
process.send(await drain(WARM_UP, JOBS));
await app.close();
process.disconnect();
