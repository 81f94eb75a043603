import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { useOperatorCommands } from '../support/operator-commands.js';
import { createGuia, startService, type ServiceProcess } from '../support/service-process.js';

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

  it.each([...new Set([...commandsOf('operations.md'), ...commandsOf('support.md')])])(
    'guias %s',
    async (command) => {
      const args = command
        .replace(/--guia \d+/, `--guia ${ids.guia}`)
        .replace('--merchant ID', `--merchant ${ids.merchant}`)
        .replace('KEY_ID', ids.key)
        .replace('FILE', join(folder, 'pedidos.csv'))
        .replace('--operator NAME', '--operator Mensajeros')
        .replace(/--expires \S+/, '--expires 2999-12-31')
        .match(/"[^"]*"|\S+/g)!
        .map((word) => word.replaceAll('"', ''));
      expect(await run(args, env)).toMatchObject({ code: 0, stderr: '' });
    },
  );

  const hasCurl = spawnSync('curl', ['--version']).status === 0 || process.env.CI;
  (hasCurl ? it : it['skip'])(`curl …${hasCurl ? '' : ' (skipped: no curl)'}`, () => {
    const script = [...blocksOf('api.md', 'sh'), ...blocksOf('webhooks.md', 'sh')].join('\necho\n');
    const here = script
      .replaceAll('http://localhost:3000', service.url)
      .replaceAll(GUIAS, `${process.execPath} ${join(ROOT, 'dist/src/cli.js')} `);
    const { stdout } = spawnSync('sh', ['-ec', here], {
      cwd: folder,
      env: { PATH: process.env.PATH, KEY: service.demoKey, ...env },
      encoding: 'utf8',
    });
    const answers = stdout.split('\n').filter((line) => line.startsWith('{'));
    expect(answers.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ ok: true, creadas: 1 }),
      expect.objectContaining({ ok: true, creadas: 1 }),
      expect.objectContaining({ ok: true, estado: 'en_camino_a_recoger' }),
      expect.objectContaining({ ok: true, secreto: expect.any(String) as string }),
    ]);
    expect(readFileSync(join(folder, 'etiquetas.pdf'), 'latin1')).toMatch(/^%PDF-/);
  });
});
