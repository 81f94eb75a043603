// Whether the time of a 401 tells which key ids exist:
//
//   npm run bench -- --only refused-keys [--guesses 2000]
//
// Guesses at four kinds of ids, one after another, in an order that changes with each round:
//
//   unknown  no such key; another one each time
//   again    no such key, and always the same
//   stored   a key that nobody uses, with another secret
//   in use   a key that its merchant used just before, with another secret
//
// Prints the median in ms, and Welch's t of each kind against `unknown`. Within 5 of 0 nothing can be told apart.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from './cluster.mjs';
import { newMerchant } from './pipeline-stage.mjs';
import { printTable } from './report.mjs';
import { ROOT, startService } from './servers.mjs';
import { withTeardown } from './teardown.mjs';

const { values: options } = parseArgs({ options: { guesses: { type: 'string', default: '2000' } } });
const { generateApiKey, identifierOf } = await import(resolve(ROOT, 'dist/src/auth/keys/api-key.js'));

/** Rounds that do not count. */
const WARM_UP = 50;

await withTeardown(async () => {
  const cluster = await startCluster();
  const env = { DATA_DIR: cluster.dataDir, DATABASE_URL: cluster.url };
  const [inUse, stored] = [await newMerchant(env), await newMerchant(env)];
  // Each guess comes from an address of its own: the limit of wrong keys counts addresses.
  const server = await startService({ ...env, TRUST_PROXY: '127.0.0.1' }, { folder: cluster.dataDir });
  const url = `http://127.0.0.1:${server.port}/api/v1/guias?limit=1`;
  const ask = async (key, from) => {
    const began = performance.now();
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': from },
    });
    await response.text();
    return { ms: performance.now() - began, status: response.status };
  };
  const withOtherSecret = (key) => generateApiKey('live', identifierOf(key));
  const known = generateApiKey();
  const kinds = {
    unknown: () => generateApiKey(),
    again: () => withOtherSecret(known),
    stored: () => withOtherSecret(stored.key),
    'in use': () => withOtherSecret(inUse.key),
  };
  const names = Object.keys(kinds);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  const rounds = WARM_UP + Math.ceil(Number(options.guesses) / names.length);
  for (let round = 0, guess = 0; round < rounds; round++) {
    await ask(inUse.key, '10.0.0.1');
    for (let n = 0; n < names.length; n++) {
      // Each kind is first, second, third and last equally often.
      const name = names[(round + n) % names.length];
      const from = `10.${(++guess >> 14) & 255}.${(guess >> 7) & 127}.${(guess & 127) + 1}`;
      const { ms, status } = await ask(kinds[name](), from);
      if (status !== 401) throw new Error(`a guess was answered ${status}`);
      if (round >= WARM_UP) times[name].push(ms);
    }
  }
  printTable(
    ['id', 'guesses', 'median', 't'],
    names.map((name) => [
      name,
      String(times[name].length),
      median(times[name]).toFixed(3),
      welch(times.unknown, times[name]).toFixed(1),
    ]),
  );
});

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** Without the slowest twentieth, which the machine caused. */
function welch(one, other) {
  const [a, b] = [one, other].map(trimmed).map((values) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return { mean, error: squares / (values.length - 1) / values.length };
  });
  return a.error + b.error === 0 ? 0 : (a.mean - b.mean) / Math.sqrt(a.error + b.error);
}

function trimmed(values) {
  return values.toSorted((a, b) => a - b).slice(0, Math.floor(values.length * 0.95));
}
