import { eventually } from '../support/eventually.js';
import type { StubRequest } from '../support/http-stub.js';
import { dump } from '../support/messaging.js';
import { expectFaults } from '../support/problem.js';
import type { TestMerchant } from '../support/test-app.js';
import { createHookedApp, FAILURE, verified, type Endpoint, type HookedApp } from '../support/webhooks.js';

const HOUR_MS = 3_600_000;

describe('the secret of an endpoint', () => {
  let app: HookedApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    app = await createHookedApp();
    merchant = await app.test.merchant();
  });
  afterAll(() => app.close());

  /** Makes a delivery and waits until it has arrived. */
  const send = async (endpoint: Endpoint): Promise<StubRequest> => {
    const { mensaje_id } = await app.hooks.delivery(endpoint);
    return eventually(() => {
      const found = app.receiver.at(endpoint.at).find(({ headers }) => headers['webhook-id'] === mensaje_id);
      expect(found).toBeDefined();
      return found!;
    });
  };
  const rotate = async ({ path }: Endpoint, body?: unknown): Promise<any> => {
    const { status, body: answer } = await merchant.post(`${path}/rotar`, body);
    expect(status).toBe(200);
    return answer;
  };
  const signatures = ({ headers }: StubRequest) => String(headers['webhook-signature']).split(' ');

  it('is shown only when it is created: not in later answers, logs, rows or jobs', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    const { secreto: second } = await rotate(endpoint);
    await send(endpoint);
    app.receiver.answerAt(endpoint.at, FAILURE);
    await send(endpoint);
    const answers = [
      await merchant.get('/api/v1/webhooks'),
      await merchant.get(endpoint.path),
      await merchant.patch(endpoint.path, { descripcion: 'a' }),
      await merchant.get(`${endpoint.path}/entregas`),
      await merchant.post(`${endpoint.path}/probar`),
    ];
    const kept = [
      JSON.stringify(answers.map(({ status, text }) => ({ status, text }))),
      JSON.stringify(app.test.logs),
      await dump(app.test.database),
    ].join('\n');
    expect(kept).toContain(endpoint.id);
    for (const secreto of [endpoint.secreto, second]) {
      const key = Buffer.from(secreto.slice(6), 'base64');
      for (const form of [secreto.slice(6), key.toString('hex'), key.toString('base64url')])
        expect(kept.includes(form)).toBe(false);
    }
  });

  it('is rotated without a gap: both sign until the overlap ends, then the new one alone', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    const from = Date.now();
    const { secreto, webhook } = await rotate(endpoint);
    expect(secreto).not.toBe(endpoint.secreto);
    const until = Date.parse(webhook.secreto_anterior_hasta);
    expect(until).toBeGreaterThanOrEqual(from + 24 * HOUR_MS);
    expect(until).toBeLessThanOrEqual(Date.now() + 24 * HOUR_MS);
    const during = await send(endpoint);
    expect(signatures(during)).toHaveLength(2);
    for (const one of [secreto, endpoint.secreto]) verified(one, during);

    const past = "update webhooks set secreto_anterior_hasta = now() - interval '1 second' where id = $1";
    await app.test.database.query(past, [endpoint.id]);
    const after = await send(endpoint);
    expect(signatures(after)).toHaveLength(1);
    verified(secreto, after);
    expect(() => verified(endpoint.secreto, after)).toThrow();
    expect((await merchant.get(endpoint.path)).body.webhook.secreto_anterior_hasta).toBeNull();
  });

  it('ends at once with an overlap of 0', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    const { secreto, webhook } = await rotate(endpoint, { solapamiento_horas: 0 });
    expect(webhook.secreto_anterior_hasta).toBeNull();
    const request = await send(endpoint);
    verified(secreto, request);
    expect(() => verified(endpoint.secreto, request)).toThrow();
  });

  it('and the previous one are the only ones that sign, however often it is rotated', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    const { secreto: second } = await rotate(endpoint, { solapamiento_horas: 168 });
    const { secreto: third } = await rotate(endpoint, {});
    const request = await send(endpoint);
    for (const one of [second, third]) verified(one, request);
    expect(() => verified(endpoint.secreto, request)).toThrow();
  });

  it('signs retries of messages that were created before it', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    const delivery = await app.hooks.delivery(endpoint, FAILURE);
    await app.hooks.reached(delivery, { intentos: 1 });
    const { secreto } = await rotate(endpoint, { solapamiento_horas: 0 });
    await app.hooks.due(delivery);
    await app.hooks.reached(delivery, { estado: 'entregada' });
    const [first, second] = app.receiver.at(endpoint.at);
    verified(endpoint.secreto, first!);
    verified(secreto, second!);
    expect(second!.rawBody).toEqual(first!.rawBody);
  });

  it.each([[{ solapamiento_horas: 169 }, 'fuera_de_rango']] as const)(
    'is not rotated with %j',
    async (body, codigo) => {
      const endpoint = await app.hooks.endpoint(merchant);
      expectFaults(await merchant.post(`${endpoint.path}/rotar`, body), [`solapamiento_horas: ${codigo}`]);
      verified(endpoint.secreto, await send(endpoint));
    },
  );
});
