// Asks, through the proxy of HTTPS_PROXY if at all, for a short link, a provider and a webhook, and prints what the proxy saw.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer, globalAgent } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ShortLinkClient } from '../../dist/src/locations/short-links/short-link.client.js';
import { post } from '../../dist/src/platform/outbound/post.js';
import { DeliveryClient } from '../../dist/src/webhooks/deliveries/delivery.client.js';

const pem = (name) => readFileSync(join(import.meta.dirname, `../data/test-only-map-hosts.${name}.pem`));
const seen = [];

/** Reads the request and answers nothing. */
const silent = createTlsServer({ key: pem('key'), cert: pem('cert') }, (request) => request.socket.destroy());
await new Promise((listening) => silent.listen(0, '127.0.0.1', listening));
const proxy = createServer();
proxy.on('connect', ({ url }, client) => {
  seen.push(url);
  const server = connect(silent.address().port, '127.0.0.1', () => {
    client.write('HTTP/1.1 200 Connected\r\n\r\n');
    server.pipe(client).pipe(server);
  });
  for (const socket of [server, client]) socket.on('error', () => undefined);
});
await new Promise((listening) => proxy.listen(new URL(process.env.HTTPS_PROXY).port, '127.0.0.1', listening));
globalAgent.options.ca = pem('cert');

/** No name has an address: without the proxy nothing is reached. */
const lookup = (_name, _options, answer) =>
  answer(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), []);

await new ShortLinkClient({ lookup, totalMs: 3_000 }).expand('https://maps.app.goo.gl/abc', 'x');
const provider = await post('https://maps.apple/', '{}', {
  headers: {},
  timeoutMs: 3_000,
  maxAnswer: 9,
  lookup,
}).catch(({ hasLeft, code }) => ({ hasLeft, code }));
const webhooks = new DeliveryClient({ lookup });
for (const url of ['https://tienda.example/aviso', 'https://maps.apple/aviso'])
  await webhooks.deliver({ url, id: 'a', body: '{}', keys: [Buffer.alloc(32)], timeoutMs: 3_000 });
process.stdout.write(JSON.stringify({ seen: [...new Set(seen)], provider }), () => process.exit());
