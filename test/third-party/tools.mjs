import { execFile, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, stop, untilPrinted } from './service.mjs';

const DOCUMENT = join(ROOT, 'openapi.json');
const COLLECTION = join(ROOT, 'clients/guias.postman_collection.json');
const OURS = join(ROOT, 'node_modules/.bin');
const TOOLS = join(ROOT, 'test/third-party/node_modules/.bin');
const NEWMAN = join(ROOT, 'test/postman/node_modules/.bin/newman');

/** What the clients are compiled with: `strict`, and what a program for Node or a browser has. */
const STRICT = [
  ...['--strict', '--noEmit', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'],
  ...['--lib', 'es2022,dom,dom.iterable'],
];

/** Runs a program; its output, whatever it exits with. */
function run(program, args, cwd = ROOT) {
  return new Promise((resolve) => {
    // Tools that ask for updates or send statistics do not, here.
    const env = {
      ...process.env,
      CI: 'true',
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    };
    execFile(program, args, { cwd, env, maxBuffer: 1e9 }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, stdout, stderr }),
    );
  });
}

/** The whole collection against a service; what Newman reports. */
async function runCollection(folder, { url, testKey, operatorKey }) {
  const report = join(folder, 'newman.json');
  const variables = { baseUrl: url, claveDePrueba: testKey, claveDeOperador: operatorKey };
  await run(NEWMAN, [
    ...['run', COLLECTION, '--reporters', 'json', '--reporter-json-export', report],
    ...Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
  ]);
  return JSON.parse(readFileSync(report, 'utf8')).run;
}

const failuresOf = ({ failures }) => failures.map(({ source, error }) => `${source?.name}: ${error.message}`);

export async function newman(folder, service) {
  return failuresOf(await runCollection(folder, service));
}

/** Starts Prism as a proxy that compares what passes with the document. */
export async function startPrism(upstream, ...options) {
  const args = ['proxy', DOCUMENT, upstream, '--port', '0', '--host', '127.0.0.1', ...options];
  const child = spawn(join(TOOLS, 'prism'), args, { cwd: ROOT });
  const output = await untilPrinted(child, /listening on (http:\/\/[\d.:]+)/);
  return { url: /listening on (http:\/\/[\d.:]+)/.exec(output)[1], stop: () => stop(child) };
}

/** What Prism found in an exchange. That a request is wrong counts only where the service took it. */
export function violationsOf(status, header) {
  const violations = header ? JSON.parse(header) : [];
  return violations.filter(({ location: [part] }) => part === 'response' || status < 400);
}

/** The collection once more, through Prism. */
export async function prism(folder, service) {
  const proxy = await startPrism(service.url);
  try {
    const result = await runCollection(folder, { ...service, url: proxy.url });
    const violations = result.executions.flatMap(({ item, response }) => {
      const header = response?.header.find(({ key }) => key.toLowerCase() === 'sl-violations')?.value;
      return violationsOf(response?.code, header).map((one) => `${item.name}: ${JSON.stringify(one)}`);
    });
    return [...failuresOf(result), ...violations];
  } finally {
    await proxy.stop();
  }
}

export const redocly = () => lintByRedocly(DOCUMENT);
export const spectral = () => lintBySpectral(DOCUMENT);
export const redocly30 = async (folder, service) => lintByRedocly(await documentOf30(folder, service));
export const spectral30 = async (folder, service) => lintBySpectral(await documentOf30(folder, service));

/** The file of the document for tools that know no OpenAPI 3.1. */
async function documentOf30(folder, { url }) {
  const file = join(folder, 'openapi-3.0.json');
  writeFileSync(file, await (await fetch(`${url}/api/docs-json?version=3.0`)).text());
  return file;
}

async function lintByRedocly(document) {
  const args = ['lint', '--extends', 'recommended-strict', '--format', 'json', document];
  const { stdout } = await run(join(TOOLS, 'redocly'), args);
  return JSON.parse(stdout.slice(stdout.indexOf('{'))).problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
  );
}

async function lintBySpectral(document) {
  const ruleset = join(ROOT, 'test/third-party/spectral.json');
  const { stdout } = await run(join(TOOLS, 'spectral'), [
    'lint',
    '--ruleset',
    ruleset,
    '--format',
    'json',
    document,
  ]);
  return JSON.parse(stdout.slice(stdout.indexOf('['), stdout.lastIndexOf(']') + 1)).map(
    ({ code, message, path }) => `${code}: ${message} ${path.join('.')}`,
  );
}

export async function openapiTypescript(folder) {
  const file = join(folder, 'openapi-typescript.ts');
  return (
    (await generated(join(OURS, 'openapi-typescript'), [DOCUMENT, '--output', file])) ?? compiled([file])
  );
}

export async function heyApi(folder) {
  const out = join(folder, 'hey-api');
  const args = ['--input', DOCUMENT, '--output', out, '--no-log-file'];
  return (await generated(join(TOOLS, 'openapi-ts'), args)) ?? compiled([join(out, 'index.ts')]);
}

/** What a generator says where it fails; undefined where it does not. */
async function generated(program, args) {
  const { failed, stdout, stderr } = await run(program, args);
  return failed ? [`${stdout}${stderr}`] : undefined;
}

async function compiled(files) {
  const { stdout } = await run(join(OURS, 'tsc'), [...STRICT, '--ignoreConfig', ...files]);
  return stdout.split('\n').filter((line) => line.includes('error TS'));
}
