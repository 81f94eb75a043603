import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
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

const COMMANDS = [...PAGE.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block!).join('\n');

/** What runs the programs of a language; undefined where it is not on this machine. */
const RUNNERS: Record<string, string | undefined> = {
  mjs: process.execPath,
  py: whereIs('python3'),
  php: whereIs('php'),
};

function whereIs(program: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${program}`])
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}

/** A test for each language. */
function itInEach(name: string, test: (language: string) => Promise<void>): void {
  for (const [language, runner] of Object.entries(RUNNERS)) {
    const itWithRunner = unlessMissing(it, runner === undefined ? `nothing runs .${language}` : undefined);
    itWithRunner(name.replace('*', language), () => test(language));
  }
}

/** An empty project with nothing but the packed client and its dependencies, installed without a registry. */
function makeProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'guias-integrar-'));
  const npm = (...args: string[]) =>
    execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'pipe' })
      .toString()
      .trim();
  const pack = (path: string, ...options: string[]) =>
    npm('pack', join(ROOT, path), '--silent', ...options)
      .split('\n')
      .at(-1)!;
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const packed = [
    pack('clients/typescript'),
    ...['openapi-fetch', 'openapi-typescript-helpers'].map((name) =>
      pack(`node_modules/${name}`, '--ignore-scripts'),
    ),
  ];
  npm('install', '--ignore-scripts', ...packed.map((file) => `./${file}`));
  for (const [name, source] of PROGRAMS) writeFileSync(join(folder, name), source);
  return folder;
}

describe('the programs of docs/integrar.md', () => {
  let folder: string;
  let test: TestApp;
  let tester: TestMerchant;

  beforeAll(async () => {
    folder = makeProject();
    test = await createTestApp({ env: ALLOW_PRIVATE });
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
    // One is assigned to a variable.
    expect(stdout.match(/"ok":true/g)).toHaveLength(COMMANDS.match(/curl -/g)!.length - 1);
  });

  itInEach('create a guide once: crear.*', async (language) => {
    const first = await run(`crear.${language}`);
    expect(first).toMatch(/^pedido-\d+: guía \d{12}\n$/);
    expect(await run(`crear.${language}`)).toBe(first.replace('\n', ', ya existía\n'));
  });

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

  itInEach('take what is signed, once, and refuse the rest: avisos.*', async (language) => {
    const port = await freePort();
    const merchant = await test.tester();
    const { webhook, secreto } = (await merchant.post(PATH, { url: `http://127.0.0.1:${port}/` })).body;
    const name = `avisos.${language}`;
    const args = language === 'php' ? ['-S', `127.0.0.1:${port}`, name] : [name];
    const child = spawn(RUNNERS[language]!, args, {
      cwd: folder,
      env: environment({ GUIAS_SECRETO: secreto, PORT: String(port) }),
    });
    const exited = once(child, 'exit');
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    try {
      const forged = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
      await eventually(async () => expect((await forged().catch(() => undefined))?.status).toBe(401));
      const { body } = await merchant.post('/api/v1/guias', guiaBody({ nombre: 'Ñandú 📦' }));
      await eventually(() => expect(output).toContain(`guia.creada ${body.guia}`));
      await merchant.post(`${PATH}/${webhook.id}/reenviar`, { desde: '2020-01-01' });
      const { entrega } = (await merchant.post(`${PATH}/${webhook.id}/probar`)).body;
      expect(entrega.estado).toBe('entregada');
      if (language !== 'php') expect(output.match(/guia\.creada/g)).toHaveLength(1);
    } finally {
      child.kill();
      await exited;
    }
  });

  it('do all of it in 60 lines, with the packed client alone: todo.mjs', async () => {
    expect(PROGRAMS.get('todo.mjs')!.trim().split('\n').length).toBeLessThanOrEqual(60);
    const [first, ...listed] = (await run('todo.mjs')).trim().split('\n');
    expect(first).toMatch(
      /^\d{12}: en_camino_a_recoger, recogido, en_ruta, intento_fallido, en_ruta, entregado$/,
    );
    expect(listed).toContain(`${first!.slice(0, 12)} entregado`);
  });
});
