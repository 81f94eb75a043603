// What the service costs, on the build:
//
//   npm run bench                                                what a request costs beside a bare server: http.mjs
//   npm run bench -- --rows 10000,1000000,10000000 --rounds 5    with any options of it
//   npm run bench -- --only profile --scenario create            where that goes, function by function
//   npm run bench -- --only messages                             latency, relay and drain: messages.mjs
//   npm run bench -- --only webhooks                             who waits for a slow endpoint: webhooks.mjs
//   npm run bench -- --only map-links                            links read per second: map-links.mjs
//
// The options of each are at the head of its file.
const BENCHES = ['http', 'profile', 'messages', 'webhooks', 'map-links'];

const at = process.argv.indexOf('--only');
const [, only = 'http'] = at < 0 ? [] : process.argv.splice(at, 2);
if (!BENCHES.includes(only)) {
  console.error(`--only: there is no ${only}; known are ${BENCHES.join(', ')}`);
  process.exit(2);
}
await import(`./${only}.mjs`);
