import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NODE_RELEASES } from '../support/node-releases.js';
import { createGuia, useServices, type ServiceProcess } from '../support/service-process.js';

/** What precedes the link in a message. */
const LINK = 'confirma aquí dónde estás:';

/** The beginning of an operator command that is repeated until its output contains a text. */
function untilItShows(text: string, node: string): string {
  const cli = join(import.meta.dirname, '../../dist/src/cli.js');
  const loop = `until out=$(${node} ${cli} "$@") && echo "$out" | grep -q "${text}"; do :; done; echo "$out"`;
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
describe.each(NODE_RELEASES)('the built service on $release', ({ path: node }) => {
  const { newFolder, start: startOn } = useServices();
  const start = (env: Record<string, string>) => startOn(env, undefined, node);
  const list = async (service: ServiceProcess, key: string) => {
    const response = await fetch(`${service.url}/api/v1/guias`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return (await response.json()) as { guias: { id: string }[] };
  };

  it('starts on nothing but Node, keeps guides over kill -9 and a second start, and stops with 0', async () => {
    const env = { DATA_DIR: newFolder() };
    const first = await start(env);
    expect(first.demoKey).toBeDefined();
    const made = await createGuia(first, first.demoKey!, { external_ref: 'a' });
    expect(made.status).toBe(201);
    await first.stop('SIGKILL');

    const second = await start(env);
    expect(second.demoKey).toBe(first.demoKey);
    const again = await createGuia(second, second.demoKey!, { external_ref: 'a' });
    expect(again.status).toBe(200);
    expect((await list(second, second.demoKey!)).guias).toHaveLength(1);
    expect((await second.stop('SIGTERM')).code).toBe(0);
  });

  const hasCurl = spawnSync('curl', ['--version']).status === 0 || process.env.CI;
  (hasCurl ? it : it['skip'])(
    `answers the README's own commands as printed there${hasCurl ? '' : ' (skipped: no curl)'}`,
    async () => {
      const folder = newFolder();
      const service = await start({ DATA_DIR: join(folder, '.data') });
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
        .replaceAll('npm run -s guias --', untilItShows(LINK, node));
      const { stdout } = await promisify(execFile)('sh', ['-ec', here], { cwd: folder });
      const answers = stdout.split('\n').filter((line) => line.startsWith('{'));
      expect(answers.slice(0, printed.length).map((line) => shape(JSON.parse(line)))).toEqual(
        printed.map(shape),
      );
      expect(readFileSync(join(folder, 'etiqueta.pdf'), 'latin1')).toMatch(/^%PDF-/);
      const link = new RegExp(`${LINK} (\\S+)`).exec(stdout)![1]!;
      expect((await fetch(link)).status).toBe(200);
      await service.stop();
    },
  );
});
