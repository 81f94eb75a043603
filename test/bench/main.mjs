// Benchmarks of the built service:
//
//   npm run bench                                                cost of a request, beside a bare server: http.mjs
//   npm run bench -- --rows 10000,1000000,10000000 --rounds 5    any options of http.mjs
//   npm run bench -- --only profile --scenario create            where the time goes, by function: profile.mjs
//   npm run bench -- --only messages                             latency, relay and drain: messages.mjs
//   npm run bench -- --only webhooks                             delay of webhooks while another endpoint is slow: webhooks.mjs
//   npm run bench -- --only map-links                            map links parsed per second: map-links.mjs
//   npm run bench -- --only lists                                every two filters of a list, on a million guides: lists.mjs
//   npm run bench -- --only console                              the console's search and pages, on a million guides: console.mjs
//   npm run bench -- --only dispatch                             the dispatcher's pages, on a day of 3,000 guides: dispatch.mjs
//   npm run bench -- --only pages                                ten of staff's pages at once, among 200,000 guides: pages.mjs
//   npm run bench -- --only phone                                the driver's page on a slow phone: phone.mjs
//   npm run bench -- --only panel                                the panel's pages, of a merchant with a million guides: panel.mjs
//   npm run bench -- --only batch                                a CSV file of a thousand rows: batch.mjs
//   npm run bench -- --only poison                               a backlog with events that cannot be dispatched: poison.mjs
//   npm run bench -- --only neighbour                            what one merchant at full speed costs another: neighbour.mjs
//   npm run bench -- --only soak                                 memory under an hour's load: soak.mjs
//   npm run bench -- --only capacity                             CPU and bytes of a guide, its message and its webhook: capacity.mjs
//   npm run bench -- --only refused-keys                         whether the time of a 401 tells which key ids exist: refused-keys.mjs
//   npm run bench -- --only unread                               thousands of clients that ask and never read: unread.mjs
//   npm run bench -- --only life                                 CPU, WAL and updates of a guide's whole life, by phase: life.mjs
//   npm run bench -- --only holds                                longest hold of the event loop, over all routes' worst inputs: holds.mjs
//
// The head of each file lists its options.
const BENCHES = [
  'http',
  'profile',
  'messages',
  'webhooks',
  'map-links',
  'lists',
  'console',
  'dispatch',
  'phone',
  'panel',
  'batch',
  'poison',
  'neighbour',
  'soak',
  'capacity',
  'refused-keys',
  'unread',
  'life',
  'holds',
  'pages',
];

const at = process.argv.indexOf('--only');
const [, only = 'http'] = at < 0 ? [] : process.argv.splice(at, 2);
if (!BENCHES.includes(only)) {
  console.error(`--only: there is no ${only}; known are ${BENCHES.join(', ')}`);
  process.exit(2);
}
await import(`./${only}.mjs`);
