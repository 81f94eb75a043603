import { startHttpStub, type HttpStub, type StubRequest } from './http-stub.js';
import { Messaging } from './messaging.js';
import { createTestApp, type Answer, type TestApp, type TestAppOptions } from './test-app.js';
import { PHONE_NUMBER_ID, signed, wamid, webhookBody, type CloudMessage } from './whatsapp-bodies.js';

export const APP_SECRET_OF_META = 'the app secret that signs';
export const VERIFY_TOKEN = 'the token of our choice';

/** The variables that send messages through a Cloud API at `url`. */
export function whatsappEnv(url: string): Record<string, string> {
  return {
    ...{ MESSAGING_PROVIDER: 'whatsapp', WHATSAPP_API_URL: url, WHATSAPP_TOKEN: 'EAAG-a-token' },
    ...{ WHATSAPP_PHONE_NUMBER_ID: PHONE_NUMBER_ID, WHATSAPP_APP_SECRET: APP_SECRET_OF_META },
    WHATSAPP_VERIFY_TOKEN: VERIFY_TOKEN,
  };
}

export interface CloudApp {
  test: TestApp;
  /** The Cloud API; accepts every message unless the test says otherwise. */
  graph: HttpStub;
  messaging: Messaging;
  /** Delivers a body unchanged, signed as Meta signs. */
  deliver(body: string | Buffer): Promise<Answer>;
  /** Delivers messages of recipients. */
  says(...messages: CloudMessage[]): Promise<Answer>;
  /** Delivers statuses of our messages. */
  reports(...statuses: CloudMessage[]): Promise<Answer>;
  /** The requests that sent something to a phone or a user id. */
  sentTo(recipient: string): StubRequest[];
  close(): Promise<void>;
}

export const WEBHOOK = '/webhooks/whatsapp';

/** An app with a Cloud API of its own. */
export async function createCloudApp({ env, ...options }: TestAppOptions = {}): Promise<CloudApp> {
  const graph = await startHttpStub();
  graph.otherwise(() => ({ json: { messaging_product: 'whatsapp', messages: [{ id: wamid() }] } }));
  const test = await createTestApp({ ...options, env: { ROLE: 'all', ...whatsappEnv(graph.url), ...env } });
  const deliver = (body: string | Buffer) =>
    test.request(WEBHOOK, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed(body, APP_SECRET_OF_META) },
      body,
    });
  return {
    test,
    graph,
    messaging: new Messaging(test),
    deliver,
    says: (...messages) => deliver(JSON.stringify(webhookBody({ messages }))),
    reports: (...statuses) => deliver(JSON.stringify(webhookBody({ statuses }))),
    sentTo: (recipient) =>
      graph.requests.filter(
        ({ json }) => json?.to === recipient.replace(/^\+/, '') || json?.recipient === recipient,
      ),
    close: async () => {
      await test.close();
      await graph.close();
    },
  };
}
