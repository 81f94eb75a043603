import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { startHttpStub } from '../support/http-stub.js';
import {
  callHostilely,
  forgeWithout,
  NO_SECRETS,
  startReceiverProgram,
} from '../support/receiver-programs.js';
import { unlessMissing } from '../support/skipping.js';
import { createTestApp, guiaBody, type TestApp, type TestMerchant } from '../support/test-app.js';
import { ALLOW_PRIVATE, PATH } from '../support/webhooks.js';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/integrar.md'), 'utf8');

/** The programs of the page by their names, which stand in the text before them. */
const PROGRAMS = new Map(
  [...PAGE.matchAll(/`([\w-]+\.(?:mjs|py|php))`[^`]*(?:`php[^`]*`)?[^`]*```\w+\n([\s\S]*?)```/g)].map(
    ([, name, source]) => [name!, source!] as const,
  ),
);

/** The program that the page of a client begins with. */
const programOfClient = (client: string): string =>
  /```(?:php|py)\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'clients', client, 'README.md'), 'utf8'))![1]!;

const COMMANDS = [...PAGE.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block!).join('\n');

/** What runs the programs of a language; undefined where it is not on this machine. */
const RUNNERS: Record<string, string | undefined> = {
  mjs: process.execPath,
  // Not a wrapper of version managers, which takes longer than the programs.
  py: printed('python3', '-c', 'import sys; print(sys.executable)'),
  php: printed('php', '-r', 'echo PHP_BINARY;'),
};

/** What a command prints; undefined where it is not on this machine. */
function printed(command: string, ...args: string[]): string | undefined {
  try {
    return execFileSync(command, args).toString().trim();
  } catch {
    return undefined;
  }
}

/** A test for each language. */
function itInEach(
  name: string,
  test: (language: string) => Promise<void>,
  languages = Object.keys(RUNNERS),
): void {
  for (const language of languages) {
    const runner = RUNNERS[language];
    const itWithRunner = unlessMissing(it, runner === undefined ? `nothing runs .${language}` : undefined);
    itWithRunner(name.replace('*', language), () => test(language));
  }
}

/** The clients of Python and PHP, as they are beside programs after their installation. */
function installInto(folder: string): void {
  symlinkSync(join(ROOT, 'clients/python/guias_client'), join(folder, 'guias_client'));
  mkdirSync(join(folder, 'vendor'));
  writeFileSync(
    join(folder, 'vendor/autoload.php'),
    `<?php require '${join(ROOT, 'clients/php/autoload.php')}';`,
  );
}

/** An empty project with nothing but the packed client and its dependencies, as npm would install them. */
async function makeProject(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'guias-integrar-'));
  const run = (program: string, ...args: string[]) => promisify(execFile)(program, args, { cwd: folder });
  const modules = join(folder, 'node_modules');
  const installed = join(modules, 'guias-client');
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  const { stdout } = await run('npm', 'pack', join(ROOT, 'clients/typescript'), '--silent', '--offline');
  await run('tar', '-xzf', stdout.trim().split('\n').at(-1)!, '--strip-components=1', '-C', installed);
  installInto(folder);
  for (const [name, source] of PROGRAMS) writeFileSync(join(folder, name), source);
  writeFileSync(join(folder, 'leeme.py'), programOfClient('python'));
  writeFileSync(join(folder, 'leeme.php'), programOfClient('php'));
  return folder;
}

describe('the programs of docs/integrar.md', () => {
  let folder: string;
  let test: TestApp;
  let tester: TestMerchant;

  beforeAll(async () => {
    [folder, test] = await Promise.all([
      makeProject(),
      createTestApp({ env: { ROLE: 'all', ...ALLOW_PRIVATE } }),
    ]);
    tester = await test.tester();
  });
  afterAll(async () => {
    await test.close();
    rmSync(folder, { recursive: true });
  });

  const environment = (env: Record<string, string> = {}) => ({
    ...{ PATH: process.env.PATH, GUIAS_URL: test.url, GUIAS_CLAVE: tester.key },
    ...env,
  });
  /** Runs a program to its end and returns what it printed. @throws where it fails. */
  const run = async (name: string, key = tester.key) => {
    const runner = RUNNERS[name.split('.').at(-1)!]!;
    const options = { cwd: folder, env: environment({ GUIAS_CLAVE: key }) };
    return (await promisify(execFile)(runner, [name], options)).stdout;
  };

  it('are those of three languages, and all that the page names', () => {
    for (const language of Object.keys(RUNNERS))
      for (const name of ['crear', 'sincronizar', 'avisos'])
        expect([...PROGRAMS.keys()]).toContain(`${name}.${language}`);
  });

  it('in the shell answer as expected, one after the other', async () => {
    const script = join(folder, 'comandos.sh');
    writeFileSync(script, `set -euo pipefail\n${COMMANDS}`);
    const env = environment({ AVISOS_URL: `http://127.0.0.1:${await freePort()}/` });
    const { stdout } = await promisify(execFile)('bash', [script], { cwd: folder, env });
    expect(stdout).toContain('guias-modo: prueba');
    expect(stdout).not.toContain('"ok":false');
    // Two are assigned to a variable; one writes a file.
    const printing = COMMANDS.match(/^curl -.*/gm)!.filter((command) => !command.includes(' -o '));
    expect(stdout.match(/"ok":true/g)).toHaveLength(printing.length);
    expect(readFileSync(join(folder, 'etiqueta.pdf'), 'latin1')).toMatch(/^%PDF-/);
  });

  itInEach('create a guide once, and say if it is cancelled: crear.*', async (language) => {
    const first = await run(`crear.${language}`);
    expect(first).toMatch(/^pedido-\d+: guía \d{12}\n$/);
    expect(await run(`crear.${language}`)).toBe(first.replace('\n', ', ya existía\n'));
    await tester.post(`/api/v1/guias/${/\d{12}/.exec(first)![0]}/cancelar`);
    expect(await run(`crear.${language}`)).toBe(first.replace('\n', ', pero está cancelada\n'));
  });

  itInEach(
    'create and cancel a guide: the program of the client’s own page, leeme.*',
    async (language) => {
      const own = await test.tester();
      expect(await run(`leeme.${language}`, own.key)).toBe('');
      const { guias } = (await own.get('/api/v1/guias')).body;
      expect(guias).toMatchObject([{ external_ref: 'pedido-1', estado: 'cancelado' }]);
    },
    ['py', 'php'],
  );

  itInEach('bring all guides, and then what has changed since: sincronizar.*', async (language) => {
    const own = await test.tester();
    const lines = async () => (await run(`sincronizar.${language}`, own.key)).trim().split('\n');
    const make = async (external_ref: string) =>
      (await own.post('/api/v1/guias', guiaBody({ external_ref }))).body as { id: string; guia: string };
    const [old, first] = [await make('vieja'), await make('una')];
    await test.database.query(`update guias set actualizada_en = now() - interval '1 hour' where id = $1`, [
      old.id,
    ]);
    expect(await lines()).toEqual([`vieja ${old.guia}: aceptado`, `una ${first.guia}: aceptado`]);
    await own.post(`/api/v1/guias/${first.id}/cancelar`);
    const next = await make('otra');
    expect(await lines()).toEqual([`una ${first.guia}: cancelado`, `otra ${next.guia}: aceptado`]);
  });

  const startAvisos = (language: string, env: Record<string, string>, port?: number) => {
    const argsOf = (free: number) =>
      language === 'php' ? ['-S', `127.0.0.1:${free}`, 'avisos.php'] : [`avisos.${language}`];
    return startReceiverProgram(RUNNERS[language]!, argsOf, { cwd: folder, env, port });
  };

  itInEach('take what is signed, once, and refuse the rest: avisos.*', async (language) => {
    const port = await freePort();
    const merchant = await test.tester();
    const { webhook, secreto } = (await merchant.post(PATH, { url: `http://127.0.0.1:${port}/` })).body;
    const receiver = await startAvisos(language, { GUIAS_SECRETO: secreto }, port);
    try {
      const { body } = await merchant.post('/api/v1/guias', guiaBody({ nombre: 'Ñandú 📦' }));
      await eventually(() => expect(receiver.output()).toContain(`guia.creada ${body.guia}`));
      await merchant.post(`${PATH}/${webhook.id}/reenviar`, { desde: '2020-01-01' });
      const { entrega } = (await merchant.post(`${PATH}/${webhook.id}/probar`)).body;
      expect(entrega.estado).toBe('entregada');
      const found = await callHostilely(receiver, secreto);
      expect(found).toEqual({ notRefused: [], believed: false, taken: [204, 204], printed: 1 });
      expect(receiver.output().match(new RegExp(`guia\\.creada ${body.guia}`, 'g'))).toHaveLength(1);
    } finally {
      await receiver.end();
    }
  });

  itInEach('believe nothing without a whole secret, and say so: avisos.*', async (language) => {
    const ask = async (secret: string | undefined) => {
      const receiver = await startAvisos(language, secret === undefined ? {} : { GUIAS_SECRETO: secret });
      try {
        const status = await forgeWithout(receiver.url, secret);
        await eventually(() => expect(receiver.errors()).toContain('GUIAS_SECRETO'));
        return [status, receiver.isAlive()];
      } finally {
        await receiver.end();
      }
    };
    const secrets = [...Object.values(NO_SECRETS), 'whsec_AAAA'];
    expect(await Promise.all(secrets.map(ask))).toEqual(secrets.map(() => [500, true]));
  });

  it('do all of it in 60 lines, with the packed client alone: todo.mjs', async () => {
    expect(PROGRAMS.get('todo.mjs')!.trim().split('\n').length).toBeLessThanOrEqual(60);
    const [first, ...listed] = (await run('todo.mjs')).trim().split('\n');
    expect(first).toMatch(
      /^\d{12}: en_camino_a_recoger, recogido, en_ruta, intento_fallido, en_ruta, entregado$/,
    );
    expect(listed).toContain(`${first!.slice(0, 12)} entregado`);
  });

  it('in the shell go on with no guide that was not created', async () => {
    const stub = await startHttpStub();
    stub.otherwise({ status: 301 });
    const commands = /```sh\n(GUIA=[^?]*?-d[\s\S]*?)```/.exec(PAGE)![1]!;
    const options = { cwd: folder, env: environment({ GUIAS_URL: stub.url }) };
    const ended = promisify(execFile)('bash', ['-c', commands], options);
    await expect(ended).rejects.toMatchObject({ stderr: expect.stringContaining('no se creó') });
    expect(stub.requests).toHaveLength(1);
    await stub.close();
  });
});
