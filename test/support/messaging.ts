import type { Job, Queue } from 'bullmq';
import { NOTIFICACIONES } from '../../src/notifications/notifications.queue.js';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { eventually } from './eventually.js';
import { startHttpStub, type HttpStub, type StubReply, type StubRequest } from './http-stub.js';
import { createTestApp, guiaBody, type TestApp, type TestAppOptions, type TestMerchant } from './test-app.js';

export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** The variables that send messages to a bridge at `url`. */
export function bridgeEnv(url: string): Record<string, string> {
  return {
    MESSAGING_PROVIDER: 'webhook',
    MESSAGING_WEBHOOK_URL: `${url}/puente`,
    MESSAGING_WEBHOOK_SECRET: WEBHOOK_SECRET,
  };
}

/** A bridge whose answers the test decides by phone; 200 for all others. */
export interface Bridge extends HttpStub {
  /** Queues answers to one phone. */
  answerTo(telefono: string, ...replies: StubReply[]): void;
  /** The requests for a phone. */
  sentTo(telefono: string): StubRequest[];
}

/** @param port a free one unless given. */
export async function startBridge(port?: number): Promise<Bridge> {
  const stub = await startHttpStub(undefined, port);
  const replies = new Map<string, StubReply[]>();
  stub.otherwise((request) => {
    const reply = replies.get(request.json?.telefono)?.shift() ?? {};
    return typeof reply === 'function' ? reply(request) : reply;
  });
  return Object.assign(stub, {
    answerTo: (telefono: string, ...more: StubReply[]) =>
      void replies.set(telefono, [...(replies.get(telefono) ?? []), ...more]),
    sentTo: (telefono: string) => stub.requests.filter(({ json }) => json?.telefono === telefono),
  });
}

/** A message as it is stored. */
interface StoredMessage {
  id: string;
  tipo: string;
  estado: string;
  guia_id: string | null;
  telefono: string | null;
  proveedor_id: string | null;
  intentos: number;
  ronda: number;
  causa: string | null;
  /** Seconds until it is due. */
  en: number;
  /** Seconds from its last change until it is due. */
  espera: number;
}

const STORED = `select id, tipo, estado, guia_id, telefono, proveedor_id, intentos, ronda, causa,
  extract(epoch from proximo_en - now())::float8 as en,
  extract(epoch from proximo_en - actualizado_en)::float8 as espera from mensajes`;

export interface MadeGuia {
  id: string;
  guia: string;
  telefono: string;
}

let phones = 0;

/** A number that no other test of the file uses. */
export function newPhone(): string {
  return `+5025555${String(++phones).padStart(4, '0')}`;
}

/** Helpers for tests about the messages of an app. */
export class Messaging {
  readonly queue: Queue;

  constructor(readonly test: TestApp) {
    this.queue = test.app.get(QueuesService).queue(NOTIFICACIONES);
  }

  /** Creates a guide without a destination, whose recipient is asked. */
  async create(merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<MadeGuia> {
    const telefono = (over.telefono as string | undefined) ?? newPhone();
    const answer = await merchant.post('/api/v1/guias', guiaBody({ ...over, telefono }));
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    return { id: answer.body.id, guia: answer.body.guia, telefono };
  }

  async detail(merchant: TestMerchant, { id }: { id: string }): Promise<any> {
    return (await merchant.get(`/api/v1/guias/${id}`)).body.guia;
  }

  /** The messages of a guide, oldest first. */
  of({ id }: { id: string }): Promise<StoredMessage[]> {
    return this.test.database.query(`${STORED} where guia_id = $1 order by id`, [id]);
  }

  /** How the tries of a guide's messages ended, oldest first. */
  async tries({ id }: { id: string }): Promise<{ resultado: string; causa: string | null; veces: number }[]> {
    return this.test.database.query(
      `select i.resultado, i.causa, i.veces from mensaje_intentos i join mensajes m on m.id = i.mensaje_id
       where m.guia_id = $1 order by i.en, i.id`,
      [id],
    );
  }

  /** The only message of a guide, once it is in this state. */
  reached(guia: { id: string }, estado: string): Promise<StoredMessage> {
    return eventually(async () => {
      const messages = await this.of(guia);
      expect(messages.map((message) => message.estado)).toEqual([estado]);
      return messages[0]!;
    });
  }

  /** The only message of a guide, once a try has failed and the next one waits. */
  waiting(guia: { id: string }): Promise<StoredMessage> {
    return eventually(async () => {
      const message = await this.reached(guia, 'pendiente');
      expect(message.causa).not.toBeNull();
      return message;
    });
  }

  /** The job that sends a message, once it is in this state. */
  job(id: string, state: string): Promise<Job> {
    return eventually(async () => {
      expect({ id, state: await this.queue.getJobState(id) }).toEqual({ id, state });
      return (await this.queue.getJob(id))!;
    });
  }

  /** Makes a waiting message due now: its row and its job. */
  async due({ id }: { id: string }, jobId = id): Promise<void> {
    await this.test.database.query(`update mensajes set proximo_en = now() where id = $1`, [id]);
    await (await this.job(jobId, 'delayed')).promote();
  }

  /** What was recorded of a guide, oldest first. */
  async events({ id }: { id: string }): Promise<{ tipo: string; datos: unknown }[]> {
    return this.test.database.query(
      `select tipo, datos from eventos where guia_id = $1 and tipo <> 'guia.advertencia' order by secuencia`,
      [id],
    );
  }
}

export interface BridgedApp {
  test: TestApp;
  bridge: Bridge;
  messaging: Messaging;
  close(): Promise<void>;
}

/** An app with a bridge of its own. */
export async function createBridgedApp({ env, ...options }: TestAppOptions = {}): Promise<BridgedApp> {
  const bridge = await startBridge();
  const test = await createTestApp({ ...options, env: { ROLE: 'all', ...bridgeEnv(bridge.url), ...env } });
  return {
    test,
    bridge,
    messaging: new Messaging(test),
    close: async () => {
      await test.close();
      await bridge.close();
    },
  };
}

/** Every row of every table but PostgreSQL's own, as text. */
export async function dump(database: TestApp['database'], schema?: string): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') and ($1::text is null or schemaname = $1)`,
    [schema ?? null],
  );
  const rows: string[] = [];
  for (const { name } of tables)
    rows.push(
      ...(await database.query<{ row: string }>(`select t::text as row from ${name} t`)).map((r) => r.row),
    );
  return rows.join('\n');
}
