// BullMQ alone, with the service's connections, job options and concurrency: the upper bound that
// messages.mjs compares the service with. Sends its parent the jobs per second.
import { createHmac, randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { pino } from 'pino';
import { NOTIFICACIONES, sendJob } from '../../dist/src/notifications/notifications.queue.js';
import { PostJsonClient } from '../../dist/src/notifications/providers/post-json.client.js';
import { JOB_OPTIONS } from '../../dist/src/platform/queues/job-options.js';
import { QueueStore } from '../../dist/src/platform/queues/queue-store.js';

const { DATABASE_URL, REDIS_URL, PROVIDER_URL, HANDLER } = process.env;
const JOBS = Number(process.env.JOBS);
/** Jobs added at once, and jobs in flight. */
const BATCH = 200;
const CONCURRENCY = 8;

const store = new QueueStore(
  REDIS_URL ? { url: REDIS_URL } : undefined,
  DATABASE_URL,
  pino({ level: 'warn' }),
);
const queue = new Queue(
  NOTIFICACIONES,
  { connection: store.producer(), defaultJobOptions: JOB_OPTIONS },
  store.backend,
);
await queue.waitUntilReady();

const jobs = Array.from({ length: JOBS }, (_, n) => {
  const id = randomUUID();
  const { name, data } = sendJob({
    id,
    ronda: 0,
    guia: String(100_000_000_000 + n),
    tipo: 'confirmacion_ubicacion',
  });
  return { name, data, opts: { jobId: id } };
});
for (let i = 0; i < JOBS; i += BATCH) await queue.addBulk(jobs.slice(i, i + BATCH));

const client = new PostJsonClient({ url: PROVIDER_URL, nombre: 'El banco', variable: 'PROVIDER_URL' });
const key = Buffer.alloc(32, 'k');
const handlers = {
  nothing: async () => 'Enviado.',
  /** Posts a message of the same size and with the same signature. */
  post: async ({ data: { mensajeId: id, guia } }) => {
    const texto = 'Hola: Tienda te envía un paquete. '.repeat(5);
    const enlace = `https://guias.example.com/c/${'x'.repeat(32)}`;
    const telefono = '+50255551234';
    const body = JSON.stringify({
      id,
      tipo: 'confirmacion_ubicacion',
      telefono,
      texto,
      enlace,
      guia,
      comercio: 'Tienda',
    });
    const timestamp = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    };
    await client.post(body, headers);
    return 'Enviado.';
  },
};

const worker = new Worker(
  NOTIFICACIONES,
  handlers[HANDLER],
  {
    connection: store.worker(),
    concurrency: CONCURRENCY,
    lockDuration: 15_000,
    stalledInterval: 10_000,
  },
  store.backend,
);
let done = 0;
let first;
const last = await new Promise((resolve) => {
  worker.on('completed', () => {
    first ??= performance.now();
    if (++done === JOBS) resolve(performance.now());
  });
});
process.send(((JOBS - 1) * 1_000) / (last - first));
await worker.close();
await queue.close();
process.disconnect();
