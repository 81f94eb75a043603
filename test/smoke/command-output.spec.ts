import { spawnSync } from 'node:child_process';
import { APP_SECRET } from '../support/guia-body.js';
import { environment, ROOT } from '../support/service-process.js';
import { useDatabase } from '../support/use.js';

/** More than a pipe takes at once: its `--json` is 3 MB. */
const MERCHANTS = 20_000;

const LIST = '"$NODE" dist/src/cli.js merchants list';

/** The built commands in processes of their own: the end of a process is what loses output. */
describe('the output of a command', () => {
  const database = useDatabase();
  beforeAll(async () => {
    await database.query(
      `insert into comercios (id, nombre, pais)
        select gen_random_uuid(), repeat('x', 60), 'GT' from generate_series(1, $1)`,
      [MERCHANTS],
    );
  });

  const sh = (script: string) => {
    const env = environment({ DATABASE_URL: database.url, APP_SECRET, NODE: process.execPath });
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script], {
      cwd: ROOT,
      env,
      encoding: 'utf8',
      maxBuffer: 16e6,
    });
    return { status, stdout, stderr };
  };

  it('passes a pipe as a whole', () => {
    const { status, stdout, stderr } = sh(`{ ${LIST} --json; echo "exit $?" >&2; } | cat`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'exit 0\n' });
    expect(JSON.parse(stdout).merchants).toHaveLength(MERCHANTS);
  });

  it.each([LIST, '"$NODE" dist/src/cli.js --help'])(
    '%s ends with 0 when its reader leaves early',
    (command) => {
      expect(sh(`{ ${command}; echo "exit $?" >&2; } | head -n 1`)).toMatchObject({
        status: 0,
        stderr: 'exit 0\n',
      });
    },
  );

  it('is told as lost in one line, with exit code 1, where it cannot be written', () => {
    const { status, stderr } = sh(`${LIST} > /dev/full`);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'standard output cannot be written (ENOSPC): the command was done, but not all was printed\n',
    });
  });
});
