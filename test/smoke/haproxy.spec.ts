import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ERRORS } from '../../src/platform/errors/error-codes.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { APP_SECRET, guiaBody } from '../support/guia-body.js';
import { describeWithHaproxy, startHaproxy, type Haproxy } from '../support/haproxy.js';
import { insertMerchant } from '../support/merchant-rows.js';
import { useServices } from '../support/service-process.js';

const CLIENTS = 6;

/** `npm run torture -- restarts` makes more. */
const RESTARTS = Number(process.env.ROLLING_RESTARTS ?? 1);

/** ms between a client's tries. */
const PAUSE_MS = 20;

/** Merchants who create guides one after another, each on a connection that is kept, and repeat until it is answered. */
class Clients {
  /** References that were answered with 200 or 201. */
  readonly answered = new Set<string>();
  /** What else was answered, or why nothing was. */
  readonly failures: unknown[] = [];
  private isOver = false;
  private readonly running: Promise<void>[];

  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {
    this.running = Array.from({ length: CLIENTS }, (_, client) => this.run(client));
  }

  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.running);
  }

  private async run(client: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = 0; !this.isOver; n++) {
      const reference = `${client}-${n}`;
      while (!this.answered.has(reference)) {
        const status = await this.create(agent, reference).catch((error: Error) => error.message);
        if (status === 201 || status === 200) this.answered.add(reference);
        else this.failures.push(status);
        await sleep(PAUSE_MS);
      }
    }
    agent.destroy();
  }

  private create(agent: Agent, reference: string): Promise<number> {
    const headers = { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const sent = request(`${this.url}/api/v1/guias`, { agent, method: 'POST', headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode!));
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(JSON.stringify(guiaBody({ external_ref: reference })));
    });
  }
}

describeWithHaproxy('HAProxy with docs/scaling/haproxy.cfg, in front of two API processes', () => {
  const { start } = useServices();
  let database: TestDatabase;
  let proxy: Haproxy | undefined;
  let ports: [number, number];
  let key: string;
  let clients: Clients;

  const startApi = (port: number) =>
    start({
      ...{ DATABASE_URL: database.url, APP_SECRET, ROLE: 'api', PORT: String(port) },
      ...{ TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '1000000000' },
    });
  const creates = (service: { output: () => string }) => service.output().split('"POST"').length - 1;

  beforeAll(async () => {
    database = await createTestDatabase();
    key = await insertMerchant(database);
    ports = [await freePort(), await freePort()];
    proxy = await startHaproxy(ports);
  });
  afterAll(async () => {
    await clients?.end();
    await proxy?.stop();
    await database.drop();
  });

  it('answers with the error format of the service while no process is ready', async () => {
    const answer = await fetch(`${proxy!.url}/api/v1/guias`);
    const { title, detail } = ERRORS.no_disponible;
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.headers.get('retry-after')).toBe('2');
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 503,
      body: { ok: false, type: 'about:blank', title, status: 503, codigo: 'no_disponible', detail },
    });
  });

  it('loses no request in graceful restarts, and after a kill every create succeeds on retry', async () => {
    const services = await Promise.all(ports.map(startApi));
    await eventually(async () => expect((await fetch(`${proxy!.url}/livez`)).status).toBe(200));
    clients = new Clients(proxy!.url, key);
    await eventually(() => {
      for (const service of services) expect(creates(service)).toBeGreaterThan(0);
    });
    clients.failures.length = 0;

    for (let round = 0; round < RESTARTS; round++) {
      const turn = round % 2;
      expect((await services[turn]!.stop()).code).toBe(0);
      const next = await startApi(ports[turn]!);
      await eventually(() => expect(creates(next)).toBeGreaterThan(0));
      services[turn] = next;
      expect(clients.failures).toEqual([]);
    }

    await services[RESTARTS % 2]!.stop('SIGKILL');
    const before = clients.answered.size;
    await eventually(() => expect(clients.answered.size).toBeGreaterThan(before + 2 * CLIENTS));
    await clients.end();
    const rows = await database.query<{ external_ref: string }>('select external_ref from guias');
    expect(rows.map(({ external_ref }) => external_ref).sort()).toEqual([...clients.answered].sort());
    if (RESTARTS > 1) console.log(`${RESTARTS} restarts, ${rows.length} guides`);
  });
});
