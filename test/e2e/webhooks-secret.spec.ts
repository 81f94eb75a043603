import { eventually } from '../support/eventually.js';
import type { StubRequest } from '../support/http-stub.js';
import { dump } from '../support/messaging.js';
import { expectFaults } from '../support/problem.js';
import type { TestMerchant } from '../support/test-app.js';
import { createHookedApp, verified, type Endpoint, type HookedApp } from '../support/webhooks.js';

const HOUR_MS = 3_600_000;

describe('the secret of a webhook', () => {
  let app: HookedApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    app = await createHookedApp();
    merchant = await app.test.merchant();
  });
  afterAll(() => app.close());

  /** A delivery that has arrived. */
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

  it('is another for each webhook', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => app.hooks.endpoint(merchant)));
    expect(new Set(made.map(({ secreto }) => secreto)).size).toBe(5);
    const request = await send(made[0]!);
    expect(verified(made[0]!.secreto, request)).toMatchObject({ type: 'guia.creada' });
    expect(() => verified(made[1]!.secreto, request)).toThrow();
  });

  it('is shown when it is made, and never again: in no answer, log, row or job', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    const { secreto: second } = await rotate(endpoint);
    await send(endpoint);
    app.receiver.answerAt(endpoint.at, { status: 500 });
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

  it('is replaced without a gap: both sign until the overlap ends, then the new one alone', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    const { secreto, webhook } = await rotate(endpoint);
    expect(secreto).not.toBe(endpoint.secreto);
    const until = Date.parse(webhook.secreto_anterior_hasta);
    expect(Math.abs(until - Date.now() - 24 * HOUR_MS)).toBeLessThan(60_000);
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

  it('ends at once where no overlap is wanted', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    const { secreto, webhook } = await rotate(endpoint, { solapamiento_horas: 0 });
    expect(webhook.secreto_anterior_hasta).toBeNull();
    const request = await send(endpoint);
    verified(secreto, request);
    expect(() => verified(endpoint.secreto, request)).toThrow();
  });

  it('and the one before are all that sign, however often it is replaced', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    const { secreto: second } = await rotate(endpoint, { solapamiento_horas: 168 });
    const { secreto: third } = await rotate(endpoint, {});
    const request = await send(endpoint);
    for (const one of [second, third]) verified(one, request);
    expect(() => verified(endpoint.secreto, request)).toThrow();
  });

  it('signs a retry of what was made before it was replaced', async () => {
    const endpoint = await app.hooks.endpoint(merchant);
    const delivery = await app.hooks.delivery(endpoint, { status: 503 });
    await app.hooks.reached(delivery, { intentos: 1 });
    const { secreto } = await rotate(endpoint, { solapamiento_horas: 0 });
    await app.hooks.due(delivery);
    await app.hooks.reached(delivery, { estado: 'entregada' });
    const [first, second] = app.receiver.at(endpoint.at);
    verified(endpoint.secreto, first!);
    verified(secreto, second!);
    expect(second!.rawBody).toEqual(first!.rawBody);
  });

  it.each([
    [{ solapamiento_horas: -1 }, 'fuera_de_rango'],
    [{ solapamiento_horas: 169 }, 'fuera_de_rango'],
    [{ solapamiento_horas: 1.5 }, 'formato'],
    [{ solapamiento_horas: '24' }, 'tipo'],
  ] as const)('is not replaced by %j', async (body, codigo) => {
    const endpoint = await app.hooks.endpoint(merchant);
    expectFaults(await merchant.post(`${endpoint.path}/rotar`, body), [`solapamiento_horas: ${codigo}`]);
    verified(endpoint.secreto, await send(endpoint));
  });
});
