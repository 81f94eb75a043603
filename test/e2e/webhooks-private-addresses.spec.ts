import { Resolver } from 'node:dns';
import { Socket } from 'node:net';
import { startHttpStub, type HttpStub } from '../support/http-stub.js';
import { TEST_CERTIFICATE } from '../support/test-certificate.js';
import type { TestMerchant } from '../support/test-app.js';
import { createHookedApp, type HookedApp } from '../support/webhooks.js';

type Take = (error: Error | null, addresses: string[]) => void;

describe('without WEBHOOK_ALLOW_PRIVATE, a delivery', () => {
  let app: HookedApp;
  let merchant: TestMerchant;
  let listener: HttpStub;
  let events: jest.SpyInstance;

  beforeAll(async () => {
    listener = await startHttpStub(TEST_CERTIFICATE);
    app = await createHookedApp({ env: { WEBHOOK_ALLOW_PRIVATE: 'false' } });
    merchant = await app.test.merchant();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await app.close();
    await listener.close();
  });

  /** Sets what name servers answer. */
  const names = (v4: string[], v6: string[] = []) => {
    const answer = (addresses: string[]) => (_name: string, take: Take) =>
      process.nextTick(take, addresses.length > 0 ? null : new Error('ENODATA'), addresses);
    jest.spyOn(Resolver.prototype, 'resolve4').mockImplementation(answer(v4) as never);
    jest.spyOn(Resolver.prototype, 'resolve6').mockImplementation(answer(v6) as never);
    events = jest.spyOn(Socket.prototype, 'emit');
  };
  /** Connections to the listener's port that sockets of this process attempted. */
  const attempts = () =>
    events.mock.calls
      .filter(([name]) => name === 'connectionAttempt')
      .map(([, address, port]) => `${address}:${port}`)
      .filter((target) => target.endsWith(`:${new URL(listener.url).port}`));

  it.each<[what: string, v4: string[], v6: string[]]>([
    ['this machine', ['127.0.0.1'], []],
    ['this machine, IPv4-mapped', [], ['::ffff:127.0.0.1']],
    ['a public address, and this machine too', ['8.8.8.8', '127.0.0.1'], []],
  ])('is not sent to a name that resolves to %s', async (_what, v4, v6) => {
    const url = `https://trampa.example:${new URL(listener.url).port}/avisos`;
    const endpoint = await app.hooks.endpoint(merchant, { url });
    names(v4, v6);
    expect(await app.hooks.probe(endpoint)).toMatchObject({
      estado: 'fallida',
      causa: expect.stringContaining('no está en la internet pública'),
      ultimo_intento: { estado_http: null, error: 'EADDRREFUSED' },
    });
    expect(attempts()).toEqual([]);
    expect(listener.connections()).toBe(0);
    await merchant.delete(endpoint.path);
  });

  it.each(['http://127.0.0.1', 'https://127.0.0.1', 'https://localhost'])(
    'is not sent to %s, even if the endpoint was created while that was allowed',
    async (base) => {
      const endpoint = await app.hooks.endpoint(merchant, { url: 'https://tienda.example/' });
      const { port } = new URL(listener.url);
      await app.test.database.query('update webhooks set url = $2 where id = $1', [
        endpoint.id,
        `${base}:${port}/`,
      ]);
      names(['127.0.0.1']);
      expect(await app.hooks.probe(endpoint)).toMatchObject({
        estado: 'fallida',
        ultimo_intento: { error: 'EADDRREFUSED' },
      });
      expect(attempts()).toEqual([]);
      expect(listener.connections()).toBe(0);
      await merchant.delete(endpoint.path);
    },
  );
});
