// Generators of clients: each reads openapi.json (openapi-generator 5 the 3.0 document of a started service); its client compiles
// under strict and makes one call. Takes minutes and a Java runtime, so CI does not run it:
//
//   npm run generators [-- NAME…]
//
// Prints a table; exits 1 if anything was found. `npm run openapi:check` has the linters, Newman, Prism,
// openapi-typescript and hey-api.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { installTools } from '../support/tool-package.mjs';
import { ROOT, startService } from '../third-party/service.mjs';

const DOCUMENT = join(ROOT, 'openapi.json');
const OURS = join(ROOT, 'node_modules/.bin');
const BIN = join(ROOT, 'test/generators/node_modules/.bin');
const STRICT = [
  ...['--ignoreConfig', '--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'],
  ...['--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable', '--types', 'node'],
];

/** The start of every program that calls. */
const CONSTANTS = `
const url = process.env.GUIAS_URL!;
const headers = { Authorization: \`Bearer \${process.env.GUIAS_CLAVE}\` };
`;

/** A guide is made, made again, made and refused in a batch, and listed: the client checks each field of an answer. */
const PYTHON = `
import sys
from openapi_client import ApiClient, Configuration, CrearGuiaDto, CrearLoteDto, GuasApi, RecogidaDto

configuration = Configuration(host=sys.argv[1])
configuration.access_token = sys.argv[2]
api = GuasApi(ApiClient(configuration))
given = dict(departamento="Guatemala", municipio="Mixco", recogida=RecogidaDto(lat=14.6, lng=-90.5))
guia = CrearGuiaDto(telefono="5555 1234", external_ref="py", **given)
assert api.crear_guia(guia).guia == api.crear_guia(guia).guia
lote = CrearLoteDto(guias=[guia, CrearGuiaDto(telefono="5", **given)])
assert [one.status for one in api.crear_guias(lote).resultados] == [200, 400]
assert api.listar_guias(limit=1).ok
`;

/** Runs openapi-generator 5 on the 3.0 document of the service. */
function openapiGenerator5(generator, ...options) {
  return async (folder, { url }) => {
    const document = join(folder, 'openapi-3.0.json');
    writeFileSync(document, await (await fetch(`${url}/api/docs-json?version=3.0`)).text());
    const args = ['generate', '-g', generator, '-i', document, '-o', join(folder, 'client'), ...options];
    return run(join(BIN, 'openapi-generator'), args);
  };
}

/**
 * For each generator: `generate` runs it in a folder, `call` is a program beside its output that prints whether the answer
 * to a list of one guide is \`ok\`. `check` looks for faults in a client that is no TypeScript.
 */
const GENERATORS = {
  oazapfts: {
    generate: (folder) => run(join(BIN, 'oazapfts'), [DOCUMENT, join(folder, 'client.ts')]),
    call: () => `import { defaults, listarGuias } from './client';
      Object.assign(defaults, { baseUrl: url, headers });
      const { data } = await listarGuias({ limit: 1 });
      console.log('ok' in data && data.ok);`,
  },
  orval: {
    generate: (folder, { url }) => {
      const output = { target: join(folder, 'client.ts'), client: 'fetch', baseUrl: url };
      const config = join(folder, 'orval.config.mjs');
      writeFileSync(config, `export default ${JSON.stringify({ guias: { input: DOCUMENT, output } })}`);
      return run(join(BIN, 'orval'), ['--config', config]);
    },
    call: () => `import { listarGuias } from './client';
      const { data } = await listarGuias({ limit: 1 }, { headers });
      // The same list is also a file of CSV.
      console.log(typeof data === 'object' && data.ok);`,
  },
  'swagger-typescript-api': {
    generate: (folder) =>
      run(join(BIN, 'swagger-typescript-api'), [
        ...['generate', '--path', DOCUMENT, '--output', folder, '--name', 'client.ts'],
      ]),
    call: () => `import { Api } from './client';
      const { data } = await new Api({ baseUrl: url, baseApiParams: { headers } }).api.listarGuias({ limit: 1 });
      console.log(data.ok);`,
  },
  'openapi-zod-client': {
    generate: (folder) =>
      run(join(BIN, 'openapi-zod-client'), [DOCUMENT, '--output', join(folder, 'client.ts'), '--with-alias']),
    call: () => `import { createApiClient } from './client';
      const client = createApiClient(url, { axiosConfig: { headers } });
      const { ok } = await client.listarGuias({ queries: { limit: 1 } });
      console.log(ok);`,
  },
  'openapi-generator 5 (typescript-axios, OpenAPI 3.0)': {
    generate: openapiGenerator5('typescript-axios'),
    // It drops the accent of the tag.
    call: () => `import { Configuration, GuasApi } from './client';
      const api = new GuasApi(new Configuration({ basePath: url, baseOptions: { headers } }));
      const { data } = await api.listarGuias();
      console.log(data.ok);`,
  },
  'openapi-generator 5 (typescript-fetch, OpenAPI 3.0)': {
    // Without the option it names a type that TypeScript has no more.
    generate: openapiGenerator5('typescript-fetch', '--additional-properties=typescriptThreePlus=true'),
    call: () => `import { Configuration, GuasApi } from './client';
      // Without it, it looks for the \`fetch\` of a browser's window.
      const configuration = new Configuration({ basePath: url, headers, fetchApi: fetch });
      const { ok } = await new GuasApi(configuration).listarGuias({ limit: 1 });
      console.log(ok);`,
  },
  'openapi-generator 5 (python, OpenAPI 3.0)': {
    generate: openapiGenerator5('python'),
    check: async (folder, { url, testKey }) => {
      const program = join(folder, 'call.py');
      writeFileSync(program, PYTHON);
      const python = join(folder, 'venv/bin/python');
      const steps = [
        ['python3', ['-m', 'venv', join(folder, 'venv')]],
        [python, ['-m', 'pip', 'install', '--quiet', 'setuptools', join(folder, 'client')]],
        [python, [program, url, testKey]],
      ];
      for (const [command, args] of steps) {
        const { failed, output } = await run(command, args);
        if (failed) return [output.slice(-2_000)];
      }
      return [];
    },
  },
  'openapi-generator 5 (php, OpenAPI 3.0; its syntax)': {
    generate: openapiGenerator5('php'),
    check: async (folder) => {
      const lib = join(folder, 'client/lib');
      const files = readdirSync(lib, { recursive: true }).filter((name) => name.endsWith('.php'));
      const checked = await Promise.all(files.map((name) => run('php', ['-l', join(lib, name)])));
      return checked.filter(({ failed }) => failed).map(({ output }) => output);
    },
  },
};

/** Runs a program. @returns its output, and whether it failed. */
function run(program, args, env = {}) {
  const options = { cwd: ROOT, env: { ...process.env, CI: 'true', ...env }, maxBuffer: 1e9 };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: `${stdout}${stderr}` }),
    );
  });
}

/** What is wrong with a generator's client; empty if nothing. */
async function findingsOf({ generate, call, check }, folder, service) {
  linkPackages(folder);
  const { failed, output } = await generate(folder, service);
  if (failed) return [`does not generate: ${output.slice(-2_000)}`];
  if (check) return check(folder, service);
  const [program, built] = [join(folder, 'call.ts'), join(folder, 'call.mjs')];
  writeFileSync(program, `${CONSTANTS}${call()}\nexport {};\n`);
  const checked = await run(join(OURS, 'tsc'), [...STRICT, program]);
  const faults = checked.output.split('\n').filter((line) => line.includes('error TS'));
  if (faults.length > 0) return faults;
  const format = {
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: { js: REQUIRE },
    logLevel: 'error',
  };
  buildSync({ entryPoints: [program], outfile: built, ...format });
  const env = { GUIAS_URL: service.url, GUIAS_CLAVE: service.testKey };
  const called = await run(process.execPath, [built], env);
  return called.output.trim() === 'true' ? [] : [`the call failed: ${called.output.slice(-2_000)}`];
}

/** For packages in CommonJS. */
const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** The packages that generated clients import. */
function linkPackages(folder) {
  const packages = join(folder, 'node_modules');
  mkdirSync(packages);
  const link = (from, names) => {
    for (const name of names) symlinkSync(join(ROOT, from, name), join(packages, name));
  };
  link('node_modules', ['@types']);
  link('test/generators/node_modules', ['@oazapfts', '@zodios', 'axios', 'zod']);
}

const wanted = process.argv.slice(2);
await installTools('test/generators');
const folder = mkdtempSync(join(tmpdir(), 'guias-generators-'));
const service = await startService(folder);
const table = [];
try {
  for (const [generator, steps] of Object.entries(GENERATORS)) {
    if (wanted.length > 0 && !wanted.some((name) => generator.startsWith(name))) continue;
    const started = Date.now();
    const own = join(folder, String(table.length));
    mkdirSync(own);
    const findings = await findingsOf(steps, own, service);
    table.push({ generator, findings: findings.length, seconds: Math.round((Date.now() - started) / 1_000) });
    for (const finding of findings) console.log(`${generator}: ${finding}`);
  }
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
console.table(table);
process.exitCode = table.some(({ findings }) => findings > 0) ? 1 : 0;
