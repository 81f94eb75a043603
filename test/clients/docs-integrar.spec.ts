import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { startHttpStub, type HttpStub, type StubAnswer } from '../support/http-stub.js';
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
    [folder, test] = await Promise.all([makeProject(), createTestApp({ env: ALLOW_PRIVATE })]);
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

  itInEach('create a guide once: crear.*', async (language) => {
    const first = await run(`crear.${language}`);
    expect(first).toMatch(/^pedido-\d+: guía \d{12}\n$/);
    expect(await run(`crear.${language}`)).toBe(first.replace('\n', ', ya existía\n'));
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

  describe('where something else than the service answers', () => {
    let stub: HttpStub;
    let elsewhere: HttpStub;
    const served = new Map<string, { answers: StubAnswer[]; paths: string[] }>();

    beforeAll(async () => {
      mkdirSync(join(folder, 'impatient'));
      installInto(join(folder, 'impatient'));
      for (const [name, source] of PROGRAMS)
        writeFileSync(join(folder, 'impatient', name), withShortLimits(source));
      [stub, elsewhere] = await Promise.all([startHttpStub(), startHttpStub()]);
      stub.otherwise(({ path }) => {
        const [, key, ...rest] = path.split('/');
        const { answers, paths } = served.get(key!)!;
        paths.push(rest.join('/'));
        return answers[Math.min(paths.length, answers.length) - 1]!;
      });
    });
    afterAll(async () => {
      await stub.close();
      await elsewhere.close();
    });

    /** In place of 15 s for an attempt. */
    const withShortLimits = (source: string) =>
      source
        .replace('GUIAS_CLAVE });', 'GUIAS_CLAVE, limiteMs: 2_000 });')
        .replace('get("GUIAS_CLAVE"))', 'get("GUIAS_CLAVE"), limite_ms=2_000)')
        .replace("getenv('GUIAS_CLAVE') ?: null)", "getenv('GUIAS_CLAVE') ?: null, limiteMs: 2_000)");

    /** Runs a program with this path of the stub, which gives these answers, the last one again and again. */
    const runAgainst = async (runner: string, args: string[], answers: StubAnswer[], env = {}) => {
      const [key, paths] = [randomUUID(), [] as string[]];
      served.set(key, { answers, paths });
      const options = {
        cwd: join(folder, 'impatient'),
        env: environment({ GUIAS_URL: `${stub.url}/${key}/`, ...env }),
      };
      const { failed, stdout, stderr } = await promisify(execFile)(runner, args, options).then(
        (printed) => ({ ...printed, failed: false }),
        (error: { stdout: string; stderr: string }) => ({ ...error, failed: true }),
      );
      return { failed, paths, stdout, said: stdout + stderr };
    };
    const create = (language: string, answers: StubAnswer[], env = {}) =>
      runAgainst(RUNNERS[language]!, [`crear.${language}`], answers, env);

    const CANCELLED = {
      ...{ ok: true, guia: '483920175567', id: randomUUID(), estado: 'cancelado', external_ref: 'x' },
      duplicada: true,
    };
    const whole = { json: CANCELLED };
    const json = (body: string) => ({ body, headers: { 'content-type': 'application/json' } });
    const past = new Date(0).toUTCString();

    itInEach(
      'repeat what was lost, cut or not the service’s, and say that a guide is cancelled: crear.*',
      async (language) => {
        const four: StubAnswer[][] = [
          [{ ...whole, fault: 'close-mid-body' }, json('{"ok":true,"guia":"48'), json(''), {}],
          [{ ...whole, fault: 'hang' }, { ...whole, fault: 'hang-mid-body' }, json('{}'), json('[1]')],
          [
            { status: 200, body: '<html>' },
            { fault: 'reset' },
            { status: 503, headers: { 'retry-after': past } },
            { status: 429, headers: { 'retry-after': 'pronto' } },
          ],
        ];
        for (const { paths, stdout } of await Promise.all(
          four.map((faults) => create(language, [...faults, whole])),
        )) {
          expect(stdout).toMatch(/^pedido-\d+: guía 483920175567, pero está cancelada\n$/);
          expect(paths).toEqual(Array(5).fill('api/v1/guias'));
        }
      },
    );

    itInEach('follow no redirection, and wait no day: crear.*', async (language) => {
      const location = `${elsewhere.url}/api/v1/guias`;
      const later = (value: string) => ({ 'retry-after': value });
      const answers: [said: string, StubAnswer][] = [
        [location, { ...whole, status: 301, headers: { location } }],
        [location, { ...whole, status: 302, headers: { location } }],
        [location, { ...whole, status: 308, headers: { location } }],
        ['HTTP 429', { status: 429, headers: later('61') }],
        ['HTTP 503', { status: 503, headers: later(new Date(Date.now() + 86_400_000).toUTCString()) }],
        ['HTTP 400', { status: 400, body: '<html>' }],
      ];
      const found = await Promise.all(answers.map(([, answer]) => create(language, [answer, whole])));
      for (const [i, { failed, paths, stdout, said }] of found.entries()) {
        expect({ failed, requests: paths.length }).toEqual({ failed: true, requests: 1 });
        expect(stdout).not.toMatch(/pedido-\d+: guía/);
        expect(said).toContain(answers[i]![0]);
      }
      expect(elsewhere.requests).toEqual([]);
    });

    itInEach(
      'never take the page of a proxy for a guide, and miss their variables by name: crear.*',
      async (language) => {
        const found = await Promise.all([
          create(language, [{ body: '<html>' }]),
          create(language, [whole], { GUIAS_URL: '' }),
          create(language, [whole], { GUIAS_CLAVE: undefined }),
        ]);
        expect(found.map(({ failed, paths }) => [failed, paths.length])).toEqual([
          [true, 5],
          [true, 0],
          [true, 0],
        ]);
        for (const { stdout } of found) expect(stdout).not.toMatch(/pedido-\d+: guía/);
        const [, withoutUrl, withoutKey] = found;
        expect(withoutUrl.said).toContain('GUIAS_URL');
        expect(withoutKey.said).toContain('GUIAS_CLAVE');
      },
    );

    it('in the shell go on with no guide that was not created', async () => {
      const commands = /```sh\n(GUIA=[^?]*?-d[\s\S]*?)```/.exec(PAGE)![1]!;
      const { failed, paths, said } = await runAgainst('bash', ['-c', commands], [{ status: 301 }]);
      expect({ failed, requests: paths.length }).toEqual({ failed: true, requests: 1 });
      expect(said).toContain('no se creó');
    });
  });
});
