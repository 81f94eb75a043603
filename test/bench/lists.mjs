// Lists with one filter and with every pair of two, beside the unfiltered list:
//
//   npm run bench -- --only lists [--rows 1000000] [--seconds 1] [--c 8] [--match REGEX] [--all]
//                            [--url postgres://…] [--json FILE]
//
// Each filter has a common and a rare value; some pairs never meet. `read` is the number of rows of the table that the
// plan reads, in times of the page's 50; `p99` the latency over HTTP, in times of the unfiltered list's, which is
// measured again beside every tenth list. With `--seconds 0` only rows are counted. Prints the lists that read more than
// 4 pages or whose p99 is above 1.5 times the unfiltered one's; `--all` prints every one. `--url` names a database that
// was filled before. A million guides take a minute to fill and ten to measure.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { toListFilter } from '../../dist/src/guias/dto/listar-guias.dto.js';
import { listGuias } from '../../dist/src/guias/list/guia-list.queries.js';
import { listAllGuias } from '../../dist/src/operations/guias/operator-guias.queries.js';
import { startCluster } from './cluster.mjs';
import { fillForLists, FILTERS } from './list-guides.mjs';
import { load } from './load.mjs';
import { fixed, printTable } from './report.mjs';
import { runCommand, startService } from './servers.mjs';
import { withPg } from './stores.mjs';
import { withTeardown } from './teardown.mjs';

const PAGE = 50;
const MAX_READ = 4;
const MAX_P99 = 1.5;
/** Lists between two measurements of the unfiltered one. */
const EVERY = 10;

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '1' },
    c: { type: 'string', default: '8' },
    match: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
    url: { type: 'string' },
    json: { type: 'string' },
  },
});
const seconds = Number(options.seconds);

/** Filters of operators alone. */
const OPERATORS_OWN = ['departamento', 'municipio', 'comercio'];

/** The unfiltered list, those with one filter, and those with two. */
function combinations(names) {
  const singles = names.flatMap((name) =>
    Object.entries(FILTERS[name]).map(([kind, value]) => [{ name, kind, value }]),
  );
  const pairs = singles.flatMap(([one], i) =>
    singles.slice(i + 1).flatMap(([other]) => (one.name === other.name ? [] : [[one, other]])),
  );
  return [[], ...singles, ...pairs].filter((parts) => {
    const { desde = -Infinity, hasta = 0 } = Object.fromEntries(
      parts.map(({ name, value }) => [name, value]),
    );
    return desde <= hasta;
  });
}

const daysAgo = (days) =>
  new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 + days * 86_400_000).toISOString();
const toQuery = (parts) =>
  Object.fromEntries(
    parts.map(({ name, value }) => [name, typeof value === 'number' ? daysAgo(value) : value]),
  );
const titleOf = (parts) => parts.map(({ name, kind }) => `${name} (${kind})`).join(' + ') || 'unfiltered';

/** Rows of `guias` that a statement reads, shown or not; entries of an index count only if their row is read too. */
function readBy(plan) {
  const { 'Actual Rows': rows, 'Actual Loops': loops, 'Heap Fetches': fetched } = plan;
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const own = plan['Relation Name'] === 'guias' ? (fetched ?? (rows + removed) * loops) : 0;
  return (plan.Plans ?? []).map(readBy).reduce((sum, read) => sum + read, own);
}

/** As on the service's connections: a statement with a name is planned without its values. */
async function explain(client, { name, text, values }) {
  const literals = values.map((value) =>
    pg.escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : String(value)),
  );
  await client.query(
    `set random_page_cost to 1.1; set plan_cache_mode to ${name ? 'force_generic_plan' : 'force_custom_plan'}`,
  );
  await client.query(`prepare listed as ${text}`);
  const { rows } = await client.query(
    `explain (analyze, timing off, format json) execute listed (${literals})`,
  );
  await client.query('deallocate listed');
  return rows[0]['QUERY PLAN'][0];
}

function statementOf(isOperator, merchant, { comercio, departamento, municipio, ...query }) {
  const filter = toListFilter(query);
  const page = { rows: PAGE + 1 };
  return isOperator
    ? listAllGuias({ ...filter, comercio, departamento, municipio, isTest: false }, page)
    : listGuias(merchant, filter, page);
}

await withTeardown(async () => {
  const cluster = options.url
    ? { url: options.url, pid: process.pid, dataDir: '/tmp' }
    : await startCluster(['shared_buffers=1GB', 'max_wal_size=8GB']);
  const database = { DATABASE_URL: cluster.url };
  const merchant = options.url
    ? FILTERS.comercio.grande
    : await fillForLists(cluster.url, Number(options.rows));
  const keys = await Promise.all([
    runCommand(['keys', 'create', '--merchant', merchant], database),
    runCommand(
      ['keys', 'create', '--operator', `Lectora ${Date.now()}`, '--scopes', 'operaciones:leer'],
      database,
    ),
  ]);
  const server = await startService({ ...database, ROLE: 'api' }, { folder: cluster.dataDir });
  const lists = [
    ['comercio', '/api/v1/guias', Object.keys(FILTERS).filter((name) => !OPERATORS_OWN.includes(name))],
    ['operaciones', '/api/v1/operaciones/guias', Object.keys(FILTERS)],
  ];
  const rows = [];
  for (const [i, [list, path, names]] of lists.entries()) {
    const requestOf = async (query) => {
      const url = `${path}?${new URLSearchParams(query)}`;
      const authorization = `Bearer ${keys[i].api_key}`;
      const response = await fetch(`http://127.0.0.1:${server.port}${url}`, { headers: { authorization } });
      const body = await response.text();
      if (response.status !== 200) throw new Error(`${url}: ${response.status} ${body}`);
      const text = `GET ${url} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n\r\n`;
      return { text, status: 200, body };
    };
    const p99Of = async (query) => {
      const requests = [await requestOf(query)];
      const settings = { ...server, postgresPid: cluster.pid, requests, connections: Number(options.c) };
      // Too slow for the service's own limit: 503.
      return load({ ...settings, seconds, atLeast: 100 }).then(
        ({ p99 }) => p99,
        () => Infinity,
      );
    };
    let base = 0;
    if (seconds > 0) for (let n = 0; n < 3; n++) base = await p99Of({});
    const all = combinations(names).filter((parts) => new RegExp(options.match).test(titleOf(parts)));
    for (const [n, parts] of all.entries()) {
      const query = toQuery(parts);
      const plan = await withPg(cluster.url, (client) =>
        explain(client, statementOf(i === 1, merchant, query)),
      );
      if (seconds > 0 && n % EVERY === 0) base = await p99Of({});
      const p99 = seconds > 0 ? await p99Of(query) : 0;
      const read = readBy(plan.Plan) / PAGE;
      rows.push({ list, title: titleOf(parts), read, ms: plan['Execution Time'], p99, ratio: p99 / base });
      if (n % 50 === 0) console.error(`${list}: ${n} of ${all.length}`);
    }
  }
  const isOver = ({ read, ratio }) => read > MAX_READ || ratio > MAX_P99;
  printTable(
    ['list', 'filters', 'read', 'execution ms', 'p99 ms', 'p99'],
    rows
      .filter((row) => options.all || isOver(row))
      .map(({ list, title, read, ms, p99, ratio }) => [
        list,
        title,
        ...[read, ms, p99, ratio].map((x) => fixed(x, 1)),
      ]),
  );
  const count = (isBad) => rows.filter(isBad).length;
  console.log(
    `${rows.length} lists; ${count(({ read }) => read > MAX_READ)} read more than ${MAX_READ} pages; ` +
      `${count(({ ratio }) => ratio > MAX_P99)} have a p99 above ${MAX_P99} times the unfiltered one's`,
  );
  if (options.json) writeFileSync(options.json, `${JSON.stringify(rows, null, 1)}\n`);
});
