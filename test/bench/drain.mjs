// The outbox, drained: events become messages and jobs, and a worker of the same process takes each job and does
// nothing with it; or, without OUTBOX, the same jobs are added as fast as BullMQ takes them. Started by messages.mjs
// with an environment for the service; sends its parent jobs per second, from the first event to the last job done.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { loadConfig } from '../../dist/src/config/env.js';
import { Secrets } from '../../dist/src/config/secrets.js';
import { createApp } from '../../dist/src/configure-app.js';
import { NOTIFICACIONES, sendJob } from '../../dist/src/notifications/notifications.queue.js';
import { Queues } from '../../dist/src/queues/queues.service.js';
import { seed } from './stores.mjs';

const JOBS = Number(process.env.JOBS);
const CONCURRENCY = 20;
/** Jobs added together, as in the service. */
const BATCH = 500;

const config = loadConfig({ ...process.env, ROLE: 'api' });
const options = { config, secrets: new Secrets(config.appSecret), databaseUrl: config.databaseUrl };
const app = await createApp(options, pino({ level: 'warn' }));
const queues = app.get(Queues);

let done = 0;
let finish;
const finished = new Promise((resolve) => (finish = resolve));
const nothing = async () => {
  if (++done === JOBS) finish();
};
const handlers = Object.fromEntries(NOTIFICACIONES.jobs.map((name) => [name, nothing]));
await queues.work(NOTIFICACIONES, handlers, { concurrency: CONCURRENCY }).waitUntilReady();

let began;
if (process.env.OUTBOX) {
  // The relay starts with the app.
  await seed({ database: config.databaseUrl, merchant: process.env.MERCHANT }, JOBS);
  began = performance.now();
  await app.init();
} else {
  const jobs = Array.from({ length: JOBS }, (_, n) =>
    sendJob({
      id: randomUUID(),
      ronda: 0,
      guia: String(100_000_000_000 + n),
      tipo: 'confirmacion_ubicacion',
    }),
  );
  began = performance.now();
  for (let i = 0; i < JOBS; i += BATCH) await queues.add(NOTIFICACIONES, jobs.slice(i, i + BATCH));
}
await finished;
process.send((JOBS * 1_000) / (performance.now() - began));
await app.close();
process.disconnect();
