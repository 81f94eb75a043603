import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { copyDataDir } from '../support/data-dir.js';
import { useOperatorCommands } from '../support/operator-commands.js';
import { createGuia, startService, type ServiceProcess } from '../support/service-process.js';
import { Shell } from '../support/shell.js';
import { unlessMissing } from '../support/skipping.js';

const ROOT = resolve(import.meta.dirname, '../..');
const GUIAS = 'npm run -s guias -- ';

/** Code blocks of a page, in order. */
function blocksOf(page: string, language: string): string[] {
  const markdown = readFileSync(join(ROOT, 'docs', page), 'utf8');
  return [...markdown.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text]) => text!,
  );
}

/** Operator commands of a page, without comments and with everything that is optional. */
function commandsOf(page: string): string[] {
  return blocksOf(page, '')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith(GUIAS))
    .map((line) => line.slice(GUIAS.length).replace(/#.*/, '').replaceAll(/[[\]]/g, '').trim());
}

/** JSON answers in what a shell printed, which may stand side by side. */
const answersIn = (output: string): any[] =>
  output
    .replaceAll('}{', '}\n{')
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));

/** Does what mensajeria.md says, in a shell, and what the driver does on their phone. @param adapt what is typed. */
async function firstDay(shell: Shell, adapt: (commands: string) => string, folder: string): Promise<void> {
  const [variables, create, pilotos, today, link, close, ...more] = blocksOf('mensajeria.md', '');
  expect(more).toEqual([]);
  const ids: Record<string, string> = {};
  const type = async (block: string) => {
    const named = block
      .replaceAll('NÚMERO', ids.guia ?? '')
      .replaceAll(/pilotos\/ID|"piloto": "ID"/g, (text) => text.replace('ID', ids.piloto!))
      .replaceAll('liquidaciones/ID', `liquidaciones/${ids.liquidacion}`);
    const answers = answersIn(await shell.type(adapt(named)));
    expect(answers.filter(({ ok }) => ok !== true)).toEqual([]);
    return answers;
  };
  await type(variables!);
  const [{ guia }] = await type(create!);
  ids.guia = guia;
  ids.piloto = (await type(pilotos!))[0].piloto.id;
  const [{ guias }, { resultados }] = await type(today!);
  expect(guias.map((one: any) => one.guia)).toContain(guia);
  expect(resultados).toMatchObject([{ ok: true, guia, piloto: { id: ids.piloto } }]);
  expect(readFileSync(join(folder, 'etiquetas.pdf'), 'latin1')).toMatch(/^%PDF-/);
  const [{ enlace }] = await type(link!);
  const phone = adapt(enlace);
  expect(await (await fetch(phone)).text()).toContain(`data-guia="${guia}"`);
  const eventos = ['en_camino_a_recoger', 'recogido', 'en_ruta', 'entregado'].map((estado) => ({
    ...{ guia, estado, ref: randomUUID(), ocurrido_en: new Date().toISOString() },
    ...(estado === 'entregado' && { cod_cobrado: 349.5 }),
  }));
  const delivered = await fetch(`${phone}/eventos`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ eventos }),
  });
  const { resultados: moves }: any = await delivered.json();
  expect(moves.map(({ estado }: any) => estado)).toEqual(eventos.map(({ estado }) => estado));
  const [handOver, settle, pay] = close!.trim().split('\n');
  expect((await type(handOver!))[0].entrega).toMatchObject({ esperado: 349.5, diferencia: 0 });
  ids.liquidacion = (await type(settle!))[0].liquidacion.id;
  expect((await type(pay!))[0].liquidacion).toMatchObject({ cobrado: 349.5, referencia_pago: 'TRF-1' });
}

describe('the commands that docs/ shows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guias-smoke-'));
  const { run, guias, serve } = useOperatorCommands();
  const env = { DATA_DIR: join(folder, '.data') };
  let service: ServiceProcess;
  /** What the placeholders of the documentation stand for. */
  let ids: { guia: string; merchant: string; closed: string; key: string };
  /** Defines `guias` in a shell. */
  let commands: string;

  beforeAll(async () => {
    // Open to others: PostgreSQL does not run as root.
    chmodSync(folder, 0o755);
    mkdirSync(env.DATA_DIR);
    copyDataDir(env.DATA_DIR);
    service = await startService(env);
    commands = await serve(env);
    const created = await createGuia(service, service.demoKey!, { external_ref: 'pedido-1' });
    const { guia } = (await created.json()) as { guia: string };
    const { merchant_id: merchant } = await guias(['merchants', 'create', '--name', 'Otra'], env);
    const { merchant_id: closed } = await guias(['merchants', 'create', '--name', 'Se va'], env);
    const { key_id: key } = await guias(['keys', 'create', '--merchant', merchant], env);
    ids = { guia, merchant, closed, key };
    const file = `telefono,departamento,municipio,recogida.lat,recogida.lng\n55551234,Petén,Flores,14.6,-90.5\n`;
    writeFileSync(join(folder, 'pedidos.csv'), file);
  });

  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  it.each([...new Set(['operations.md', 'backup.md', 'soporte.md'].flatMap(commandsOf))])(
    'guias %s',
    async (command) => {
      const args = command
        .replace(/--guia \d+/, `--guia ${ids.guia}`)
        .replace('--merchant ID', `--merchant ${ids.merchant}`)
        .replace('update ID', `update ${ids.merchant}`)
        .replace(/(close|reopen|export) ID/, `$1 ${ids.closed}`)
        .replace('KEY_ID', ids.key)
        .replace('FILE', join(folder, 'pedidos.csv'))
        .replace('FOLDER', join(folder, command.split(' ')[0]!))
        .replace('--operator NAME', '--operator Mensajeros')
        .replace(/--expires \S+/, '--expires 2999-12-31')
        .match(/"[^"]*"|\S+/g)!
        .map((word) => word.replaceAll('"', ''));
      expect(await run(args, env)).toMatchObject({ code: 0, stderr: '' });
    },
  );

  const hasCurl = spawnSync('curl', ['--version']).status === 0;
  const itWithCurl = unlessMissing(it, hasCurl ? undefined : 'no curl');

  /** What is typed, for this service. */
  const adapt = (text: string) =>
    text.replaceAll('http://localhost:3000', service.url).replaceAll(GUIAS, 'guias ');

  /** The JSON answers to the commands of pages, run one after the other in one shell. */
  async function answersTo(pages: string[], variables: Record<string, string> = {}): Promise<any[]> {
    const script = [
      commands,
      'curl() { command curl "$@"; echo; }',
      ...pages.flatMap((page) => blocksOf(page, 'sh')),
    ];
    const { stdout, stderr } = await promisify(execFile)('sh', ['-ec', adapt(script.join('\n'))], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...variables },
    });
    expect(stderr).toBe('');
    return stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  }

  itWithCurl(`a merchant's day and a courier's day`, async () => {
    const answers = await answersTo(['dia-del-comercio.md', 'dia-del-mensajero.md']);
    expect(answers.filter(({ ok }) => ok !== true)).toEqual([]);
    const of = (field: string) => answers.filter((answer) => field in answer).map((answer) => answer[field]);
    expect([of('creadas'), of('duplicadas'), of('rechazadas')]).toEqual([
      [3, 0],
      [0, 3],
      [0, 0],
    ]);
    expect(readFileSync(join(folder, 'etiquetas-del-dia.pdf'), 'latin1')).toMatch(/^%PDF-/);
    // Who has not answered, among others; then one guide, before and after its correction.
    expect(of('guia').map(({ cod_amount }) => cod_amount)).toEqual(
      expect.arrayContaining([120, 125.75]) as unknown,
    );
    const [events] = of('resultados').slice(-1);
    expect(events.map(({ status, estado }: any) => status ?? estado)).toEqual([
      ...['en_camino_a_recoger', 'recogido', 'en_ruta'],
      ...['en_camino_a_recoger', 'recogido', 'en_ruta'],
    ]);
    expect(of('liquidacion')).toEqual([
      expect.objectContaining({ guias: 2, cobrado: 475.25, pagada_en: null }),
      expect.objectContaining({ guias: 2, cobrado: 475.25, referencia_pago: 'TRF-20261122-0042' }),
    ]);
    expect(answers.at(-1)).toMatchObject({ liquidado: { guias: 2, cod_cobrado: 475.25 } });
    expect(readFileSync(join(folder, 'cobros.csv'), 'utf8')).toContain('dia-1');
  });

  itWithCurl("a courier's first day (mensajeria.md), with the driver's phone", async () => {
    const shell = new Shell({ cwd: folder, env: { PATH: process.env.PATH } });
    await shell.type(commands);
    await firstDay(shell, adapt, folder).finally(() => shell.end());
  });

  itWithCurl(`curl …`, async () => {
    expect(await answersTo(['api.md', 'webhooks.md'], { CLAVE: service.demoKey! })).toEqual([
      expect.objectContaining({ ok: true, creadas: 1 }),
      expect.objectContaining({ ok: true, creadas: 1 }),
      expect.objectContaining({ ok: true, estado: 'en_camino_a_recoger' }),
      expect.objectContaining({ ok: true, secreto: expect.any(String) as string }),
      expect.objectContaining({ ok: true, avisos: [] }),
    ]);
    expect(readFileSync(join(folder, 'etiquetas.pdf'), 'latin1')).toMatch(/^%PDF-/);
  });
});

// `npm run torture -- primer-dia`: from an empty folder, with what npm has to load.
if (process.env.PRIMER_DIA)
  it('the same from an empty folder', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'guias-primer-dia-'));
    chmodSync(parent, 0o755);
    const folder = join(parent, 'guias');
    const { PATH, HOME } = process.env;
    const began = Date.now();
    const seconds = () => Math.round((Date.now() - began) / 1_000);
    expect(spawnSync('git', ['clone', '-q', ROOT, folder]).status).toBe(0);
    expect(spawnSync('npm', ['ci'], { cwd: folder, stdio: 'inherit' }).status).toBe(0);
    const installed = seconds();
    const server = spawn('npm', ['start'], { cwd: folder, env: { PATH, HOME }, detached: true });
    let output = '';
    server.stdout.on('data', (data: Buffer) => (output += data.toString()));
    while (!output.includes('is ready')) await once(server.stdout, 'data');
    const started = seconds();
    const shell = new Shell({ cwd: folder, env: { PATH, HOME } });
    await firstDay(shell, (text) => text, folder).finally(() => shell.end());
    const done = seconds();
    process.kill(-server.pid!, 'SIGTERM');
    await once(server, 'exit');
    rmSync(parent, { recursive: true });
    console.log(`seconds: installed ${installed}, ready ${started}, delivered, settled and paid ${done}`);
  });
