// The driver's page on a cheap phone: when its list can be read, when the first guide that is tapped opens, and how many
// bytes that took, in a Chromium whose processor and network are slowed down:
//
//   npm run bench -- --only phone [--guides 150] [--rounds 5] [--cpu 6] [--kbits 240] [--latency 0] [--chromium PATH]
//
// `--latency` is in ms for each answer. Times are in ms since the phone asked for the page; each round is a first visit.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { startCourier } from './courier.mjs';
import { fixed, printTable } from './report.mjs';
import { atTheEnd, withTeardown } from './teardown.mjs';

const { values: options } = parseArgs({
  options: {
    guides: { type: 'string', default: '150' },
    rounds: { type: 'string', default: '5' },
    cpu: { type: 'string', default: '6' },
    kbits: { type: 'string', default: '240' },
    latency: { type: 'string', default: '0' },
    chromium: {
      type: 'string',
      default: ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync),
    },
  },
});

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'es-GT' };

/** Notes when things are seen, and taps a guide as soon as there is one. */
function watch() {
  const seen = { tasks: 0, longest: 0 };
  globalThis.seen = seen;
  const note = (name) => (seen[name] ??= performance.now());
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      seen.tasks += duration;
      seen.longest = Math.max(seen.longest, duration);
    }
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    const document = globalThis.document;
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    if (paint) seen.paint ??= paint.startTime;
    if (document.readyState !== 'loading') note('parsed');
    const opens = document.querySelectorAll('[data-abrir]');
    if (paint && opens.length > 0) note('list');
    if (seen.list && !seen.tapped && opens.length > 2) {
      note('tapped');
      opens[2].click();
    }
    if (document.querySelector('[data-accion="entregado"]')) note('opened');
    if (document.documentElement.dataset.sinRed === 'lista') note('offline');
    if (seen.offline === undefined) globalThis.requestAnimationFrame(look);
  };
  globalThis.requestAnimationFrame(look);
}

async function visit(browser, enlace) {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  const bytesPerSecond = (Number(options.kbits) * 1_000) / 8;
  await cdp.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: Number(options.latency) },
    ...{ downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond },
  });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: Number(options.cpu) });
  let bytes = 0;
  let requests = 0;
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests++;
  });
  await page.addInitScript(watch);
  await page.goto(enlace, { waitUntil: 'commit' });
  await page.waitForFunction(() => globalThis.seen.opened && globalThis.seen.offline, undefined, {
    polling: 250,
    timeout: 120_000,
  });
  const seen = await page.evaluate(() => ({
    ...globalThis.seen,
    answered: performance.getEntriesByType('navigation')[0].responseStart,
    page: performance.getEntriesByType('navigation')[0].responseEnd,
    scripts: Math.max(
      ...performance
        .getEntriesByType('resource')
        .map(({ responseEnd, name }) => (name.endsWith('.js') ? responseEnd : 0)),
    ),
  }));
  await context.close();
  return { ...seen, bytes, requests };
}

const COLUMNS = [
  'answered',
  'paint',
  'list',
  'page',
  'parsed',
  'scripts',
  'tapped',
  'opened',
  'offline',
  'tasks',
  'longest',
];

await withTeardown(async () => {
  const courier = await startCourier(Number(options.guides));
  const { enlace } = await courier.driver('Marvin', courier.guias);
  const browser = await chromium.launch({
    executablePath: options.chromium,
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  atTheEnd(() => browser.close());
  await visit(browser, enlace);
  const rounds = [];
  for (let n = 0; n < Number(options.rounds); n++) rounds.push(await visit(browser, enlace));
  const row = (name, of) => [
    name,
    ...[...COLUMNS, 'bytes', 'requests'].map((column) => fixed(of(rounds.map((round) => round[column])), 0)),
  ];
  const sorted = (values) => values.toSorted((a, b) => a - b);
  printTable(
    ['first visit', ...COLUMNS, 'bytes', 'requests'],
    [
      row('median', (values) => sorted(values)[values.length >> 1]),
      row('slowest', (values) => Math.max(...values)),
    ],
  );
});
