import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OTHER_NODE_RELEASES } from '../support/node-releases.js';
import { createGuia, runNode, useServices, type ServiceProcess } from '../support/service-process.js';
import { unlessMissing } from '../support/skipping.js';

/** What precedes the link in a message. */
const LINK = 'confirma aquí dónde entregarlo:';

/** The beginning of an operator command that is repeated until its output contains a text. */
function untilItShows(text: string): string {
  const cli = join(import.meta.dirname, '../../dist/src/cli.js');
  const loop = `until out=$(${process.execPath} ${cli} "$@") && echo "$out" | grep -q "${text}"; do :; done; echo "$out"`;
  return `sh -c '${loop}' guias`;
}

/** An answer without the values that differ from run to run. */
function shape(answer: unknown): unknown {
  const varying = ['guia', 'id', 'instance', 'creada_en', 'actualizada_en'];
  return JSON.parse(
    JSON.stringify(answer, (key, value) =>
      varying.includes(key) && typeof value === 'string' ? typeof value : value,
    ),
  );
}

/** The built service as `npm start` runs it: other processes, ESM, an embedded PostgreSQL of its own. */
describe('the built service', () => {
  const { newFolder, start } = useServices();
  let folder: string;
  let env: Record<string, string>;
  let service: ServiceProcess;

  beforeAll(async () => {
    folder = newFolder();
    env = { DATA_DIR: join(folder, '.data') };
    service = await start(env);
  });

  const hasCurl = spawnSync('curl', ['--version']).status === 0;
  unlessMissing(it, hasCurl ? undefined : 'no curl')(
    `answers the README's own commands as printed there`,
    async () => {
      const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
      const tour = readme.split('## A tour')[1]!.split(/^## /m)[0]!;
      const blocks = [...tour.matchAll(/```(sh|json)\n([\s\S]*?)```/g)].map(([, language, text]) => ({
        language,
        text: text!,
      }));
      const commands = blocks.filter((block) => block.language === 'sh').map((block) => block.text);
      const printed = blocks
        .filter((block) => block.language === 'json')
        .map((block) => JSON.parse(block.text));
      // The second answer shown is that of the first command sent again.
      const script = [commands[0], commands[0]!.replace(/^KEY=.*$/m, ''), ...commands.slice(1)].join(
        '\necho\n',
      );
      const here = script
        .replaceAll('http://localhost:3000', service.url)
        .replaceAll('npm run -s guias --', untilItShows(LINK));
      const { stdout } = await promisify(execFile)('sh', ['-ec', here], { cwd: folder });
      const answers = stdout.split('\n').filter((line) => line.startsWith('{'));
      expect(answers.slice(0, printed.length).map((line) => shape(JSON.parse(line)))).toEqual(
        printed.map(shape),
      );
      expect(readFileSync(join(folder, 'etiqueta.pdf'), 'latin1')).toMatch(/^%PDF-/);
      const link = new RegExp(`${LINK} (\\S+)`).exec(stdout)![1]!;
      expect((await fetch(link)).status).toBe(200);
    },
  );

  it('starts on nothing but Node, keeps guides over kill -9 and a second start, and stops with 0', async () => {
    const key = service.demoKey!;
    expect((await createGuia(service, key, { external_ref: 'a' })).status).toBe(201);
    const { testKey } = service;
    const trial = await createGuia(service, testKey!, { external_ref: 'a' });
    expect([trial.status, trial.headers.get('guias-modo')]).toEqual([201, 'prueba']);
    expect(statSync(join(env.DATA_DIR!, 'demo-test-key')).mode & 0o777).toBe(0o600);
    await service.stop('SIGKILL');

    const second = await start(env);
    expect([second.demoKey, second.testKey]).toEqual([key, testKey]);
    expect((await createGuia(second, key, { external_ref: 'a' })).status).toBe(200);
    const response = await fetch(`${second.url}/api/v1/guias?external_ref=a`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(((await response.json()) as { guias: unknown[] }).guias).toHaveLength(1);
    expect((await second.stop('SIGTERM')).code).toBe(0);
  });

  /** What another release may break. An empty list, of a machine without them, is no `it.each`. */
  for (const { release, path: node } of OTHER_NODE_RELEASES) {
    it(`starts on nothing but ${release}, makes a guide, obeys a command and stops with 0`, async () => {
      const own = { DATA_DIR: newFolder() };
      const other = await start(own, undefined, node);
      expect(other.demoKey).toBeDefined();
      expect((await createGuia(other, other.demoKey!)).status).toBe(201);
      const { code, stdout } = await runNode('cli.js', ['merchants', 'list', '--json'], own, node);
      expect(code).toBe(0);
      expect((JSON.parse(stdout) as { merchants: unknown[] }).merchants).toHaveLength(1);
      expect((await other.stop('SIGTERM')).code).toBe(0);
    });
  }
});
