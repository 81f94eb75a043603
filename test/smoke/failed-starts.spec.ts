import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/embedded-postgres.js';
import { createTestDatabase, withAdmin, withClient, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { APP_SECRET } from '../support/guia-body.js';
import { runNode, useServices } from '../support/service-process.js';

/** The migration lock. */
const LOCK = 0x6775696173;

/** The built service: another process, with ESM. */
/** A database URL without its parameters. */
const withoutQuery = (url: string) => url.split('?', 1)[0]!;

describe('a start that fails exits with 1 and prints one line for each fault, without a stack', () => {
  const { newFolder } = useServices();
  let taken: Server;
  let lone: Server;
  let database: TestDatabase;
  let newer: TestDatabase;
  let empty: TestDatabase;

  beforeAll(async () => {
    [database, newer, empty] = await Promise.all([
      createTestDatabase(),
      createTestDatabase(),
      createTestDatabase('template0'),
    ]);
    await empty.query("create role guest login password 'guest'");
    await newer.query(`insert into migraciones (timestamp, name) values (9e12, 'Futuro9000000000000')`);
    taken = await listening(0);
    lone = await listening(0);
    // What a Redis that is no node of a cluster says of each of a cluster's commands.
    lone.on('connection', (socket) =>
      socket.on('data', (data) => {
        for (const _command of data.toString().match(/^\*/gm) ?? [])
          socket.write('-ERR This instance has cluster support disabled\r\n');
      }),
    );
  });
  afterAll(async () => {
    taken.close();
    lone.close();
    await Promise.all([database, newer, empty].map((one) => one.drop()));
    await withAdmin((client) => client.query('drop role guest'));
  });

  const on = (url: string) => ({ DATABASE_URL: url, APP_SECRET });
  const as = (user: string, { url }: TestDatabase) => on(url.replace(/\/\/[^@]*@/, `//${user}@`));
  const portOf = (server: Server) => String((server.address() as { port: number }).port);
  const takenPort = () => ({ PORT: portOf(taken) });
  const embedded = () => ({ DATA_DIR: newFolder() });
  const aFile = () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    return file;
  };

  const CASES: [what: string, env: () => Record<string, string>, ...lines: RegExp[]][] = [
    [
      'a taken port with DATABASE_URL, before Redis is missed',
      () => ({ ...on(database.url), ...takenPort(), REDIS_URL: 'redis://127.0.0.1:1' }),
      /^PORT: \d+ is taken; /,
    ],
    [
      'a Redis that is no node of a cluster, before the database is missed',
      () => ({
        ...on('postgres://u:geheim@127.0.0.1:1/d'),
        REDIS_URL: `redis+cluster://127.0.0.1:1,127.0.0.1:${portOf(lone)}`,
      }),
      /^REDIS_URL: 127\.0\.0\.1:\d+ is no node of a Redis Cluster; write redis:/,
    ],
    ['an address of another machine', () => ({ ...embedded(), HOST: '192.0.2.1' }), /^HOST: 192\.0\.2\.1 /],
    [
      'invalid variables',
      () => ({ PORT: 'x', ROLE: 'boss', DATABASE_URL: 'postgres://u:geheim@h/d' }),
      /^PORT: must /,
      /^ROLE: must /,
      /^APP_SECRET: is required /,
    ],
    ['a data folder that is a file', () => ({ DATA_DIR: aFile() }), /^DATA_DIR: .* set DATA_DIR to /],
    [
      'a data folder where nobody can make one',
      () => ({ DATA_DIR: '/proc/guias/data' }),
      /^DATA_DIR: .* set DATA_DIR to /,
    ],
    [
      'a data folder of another PostgreSQL',
      () => {
        const folder = newFolder();
        writeFileSync(join(folder, 'postgres'), '');
        return { DATA_DIR: folder };
      },
      /^DATA_DIR: /,
    ],
    [
      'a cut secret',
      () => {
        const folder = newFolder();
        writeFileSync(join(folder, 'app-secret'), 'geheim');
        return { DATA_DIR: folder };
      },
      /^DATA_DIR: .*app-secret has fewer than 32 bytes; put it back /,
    ],
    [
      'no PostgreSQL',
      () => on('postgres://u:geheim@127.0.0.1:1/d'),
      /^DATABASE_URL: nothing listens there; /,
    ],
    [
      'an unknown host',
      () => on('postgres://u:geheim@h.invalid/d'),
      /^DATABASE_URL: no machine has the name /,
    ],
    ['a wrong password', () => as('guest:geheim', empty), /^DATABASE_URL: .* refuses its user or password; /],
    [
      'an unknown database',
      () => on(`${withoutQuery(database.url)}x`),
      /^DATABASE_URL: its database does not exist; /,
    ],
    [
      'TLS that PostgreSQL lacks',
      () => on(`${withoutQuery(database.url)}?sslmode=verify-full`),
      /^DATABASE_URL: .* SSL /,
    ],
    [
      'a user without rights',
      () => as('guest:guest', empty),
      /^DATABASE_URL: its user may not make tables; /,
    ],
    [
      'a database of a newer version',
      () => on(newer.url),
      /newer version \(Futuro9000000000000\); start that /,
    ],
  ];

  it.each(CASES)('%s', async (_what, env, ...lines) => {
    const given = { PORT: '0', ...env() };
    const { code, stdout, stderr } = await runNode('main.js', [], given);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual(lines.map((line) => expect.stringMatching(line)));
    expect(stderr).not.toContain('geheim');
  });

  it('a taken port, embedded, and leaves nothing in DATA_DIR', async () => {
    const DATA_DIR = join(newFolder(), 'data');
    const { code, stdout, stderr } = await runNode('main.js', [], { DATA_DIR, ...takenPort() });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^PORT: \d+ is taken; .*\n$/);
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it('also prints one line if the port is taken during startup and PostgreSQL stops with it', async () => {
    const DATA_DIR = newFolder();
    // PostgreSQL alone: the start that fails joins it, and is then the only one that uses it.
    const first = await startEmbeddedPostgres({ dataDir: DATA_DIR });
    const port = await freePort();

    const [failing, thief] = await withClient(first.ownerUrl, async (lock) => {
      await lock.query('select pg_advisory_lock($1)', [LOCK]);
      const ended = runNode('main.js', [], { DATA_DIR, APP_SECRET, PORT: String(port) });
      await eventually(async () => {
        const { rows } = await lock.query("select from pg_locks where locktype = 'advisory' and not granted");
        expect(rows).not.toEqual([]);
      });
      await first.stop();
      return [ended, await listening(port)] as const;
    });
    const { code, stdout, stderr } = await failing;
    thief.close();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^PORT: \d+ is taken; .*\n$/);
  });
});

async function listening(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
