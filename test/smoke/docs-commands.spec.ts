import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { useOperatorCommands } from '../support/operator-commands.js';
import { createGuia, startService, type ServiceProcess } from '../support/service-process.js';
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

describe('the commands that docs/ shows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guias-smoke-'));
  const { run, guias } = useOperatorCommands();
  const env = { DATA_DIR: join(folder, '.data') };
  let service: ServiceProcess;
  /** What the placeholders of the documentation stand for. */
  let ids: { guia: string; merchant: string; key: string };

  beforeAll(async () => {
    // Open to others: PostgreSQL does not run as root.
    chmodSync(folder, 0o755);
    service = await startService(env);
    const created = await createGuia(service, service.demoKey!, { external_ref: 'pedido-1' });
    const { guia } = (await created.json()) as { guia: string };
    const { merchant_id: merchant } = await guias(['merchants', 'create', '--name', 'Otra'], env);
    const { key_id: key } = await guias(['keys', 'create', '--merchant', merchant], env);
    ids = { guia, merchant, key };
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
        .replace('KEY_ID', ids.key)
        .replace('FILE', join(folder, 'pedidos.csv'))
        .replace('FOLDER', join(folder, 'copia'))
        .replace('--operator NAME', '--operator Mensajeros')
        .replace(/--expires \S+/, '--expires 2999-12-31')
        .match(/"[^"]*"|\S+/g)!
        .map((word) => word.replaceAll('"', ''));
      expect(await run(args, env)).toMatchObject({ code: 0, stderr: '' });
    },
  );

  const hasCurl = spawnSync('curl', ['--version']).status === 0;
  const itWithCurl = unlessMissing(it, hasCurl ? undefined : 'no curl');

  /** The JSON answers to the commands of pages, run one after the other in one shell. */
  function answersTo(pages: string[], variables: Record<string, string> = {}): any[] {
    const script = ['curl() { command curl "$@"; echo; }', ...pages.flatMap((page) => blocksOf(page, 'sh'))]
      .join('\n')
      .replaceAll('http://localhost:3000', service.url)
      .replaceAll(GUIAS, `${process.execPath} ${join(ROOT, 'dist/src/cli.js')} `);
    const { stdout, stderr } = spawnSync('sh', ['-ec', script], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...variables, ...env },
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  }

  itWithCurl(`a merchant's day and a courier's day`, () => {
    const answers = answersTo(['dia-del-comercio.md', 'dia-del-mensajero.md']);
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

  itWithCurl(`curl …`, () => {
    expect(answersTo(['api.md', 'webhooks.md'], { CLAVE: service.demoKey! })).toEqual([
      expect.objectContaining({ ok: true, creadas: 1 }),
      expect.objectContaining({ ok: true, creadas: 1 }),
      expect.objectContaining({ ok: true, estado: 'en_camino_a_recoger' }),
      expect.objectContaining({ ok: true, secreto: expect.any(String) as string }),
      expect.objectContaining({ ok: true, avisos: [] }),
    ]);
    expect(readFileSync(join(folder, 'etiquetas.pdf'), 'latin1')).toMatch(/^%PDF-/);
  });
});
