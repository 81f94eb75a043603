import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres/embedded-postgres.js';
import { createTestDatabase, withAdmin, withClient, type TestDatabase } from '../support/database.js';
import { copyDataDir } from '../support/data-dir.js';
import { eventually } from '../support/eventually.js';
import { freePort, onFreePort } from '../support/free-port.js';
import { APP_SECRET } from '../support/guia-body.js';
import { insertMerchant } from '../support/merchant-rows.js';
import { OLD_NODE } from '../support/node-releases.js';
import { useOperatorCommands } from '../support/operator-commands.js';
import { describeWithRedis, redisServer } from '../support/redis.js';
import {
  createGuia,
  environment,
  ROOT,
  runNode,
  useServices,
  type Finished,
} from '../support/service-process.js';
import { unless, unlessMissing } from '../support/skipping.js';
import { TEST_CERTIFICATE } from '../support/test-certificate.js';

/** The migration lock. */
const LOCK = 0x6775696173;

const CERTIFICATE = join(ROOT, 'test/data/test-only-map-hosts.cert.pem');
const KEY = join(ROOT, 'test/data/test-only-map-hosts.key.pem');

const { failToStart } = useOperatorCommands();

type Row = [what: string, env: () => Record<string, string>, ...lines: RegExp[]];

/** Starts of the built service that end with exit code 1 and these lines. */
function itFails(cases: Row[]): void {
  it.each(cases.map(([what, env, ...lines]) => [what, env, lines] as const))(
    '%s',
    async (_what, env, lines) => {
      const { code, stdout, stderr } = await failToStart(env());
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr.trim().split('\n')).toEqual(lines.map((line) => expect.stringMatching(line)));
      expect(stderr).not.toContain('geheim');
    },
  );
}

const on = (url: string) => ({ DATABASE_URL: url, APP_SECRET });
const portOf = (server: Server) => (server.address() as { port: number }).port;

/** A database URL without its parameters. */
const withoutQuery = (url: string) => url.split('?', 1)[0]!;

describe('a start that fails exits with 1 and prints one line for each fault, without a stack', () => {
  const { newFolder } = useServices();
  let taken: Server;
  let lone: Server;
  let database: TestDatabase;
  let newer: TestDatabase;
  let empty: TestDatabase;
  let latin: TestDatabase;
  let secure: Server;

  beforeAll(async () => {
    [database, newer, empty, latin] = await Promise.all([
      createTestDatabase(),
      createTestDatabase(),
      createTestDatabase('template0'),
      createTestDatabase("template0 encoding 'LATIN1'"),
    ]);
    secure = await listening(0);
    secure.on('connection', answerTls);
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
    secure.close();
    await Promise.all([database, newer, empty, latin].map((one) => one.drop()));
    await withAdmin((client) => client.query('drop role guest'));
  });

  const as = (user: string, { url }: TestDatabase) => on(url.replace(/\/\/[^@]*@/, `//${user}@`));
  const takenPort = () => ({ PORT: String(portOf(taken)) });
  const onTls = (query: string) => on(`postgres://u:geheim@127.0.0.1:${portOf(secure)}/d?${query}`);
  const embedded = () => ({ DATA_DIR: newFolder() });
  const aFile = () => {
    const file = join(newFolder(), 'file');
    fs.writeFileSync(file, '');
    return file;
  };

  itFails([
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
      /^DATABASE_URL: PostgreSQL does not speak TLS there; /,
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
    [
      'a database in another encoding',
      () => on(latin.url),
      /^DATABASE_URL: the encoding of its database is LATIN1, not UTF8; /,
    ],
    [
      'PGSSLMODE that PostgreSQL lacks',
      () => ({ ...on(withoutQuery(database.url)), PGSSLMODE: 'require' }),
      /^DATABASE_URL: .* unset PGSSLMODE$/,
    ],
    [
      'PGSSLNEGOTIATION without TLS',
      () => ({ ...on(withoutQuery(database.url)), PGSSLNEGOTIATION: 'direct' }),
      /^DATABASE_URL: the database cannot be used \(sslnegotiation=direct requires SSL/,
    ],
    ...['require', 'verify-full'].map((mode): Row => [
      `a certificate of an unknown authority, with ${mode}`,
      () => onTls(`sslmode=${mode}`),
      /^DATABASE_URL: the authority of its TLS certificate .*sslrootcert=FILE.*sslmode=no-verify/,
    ]),
    [
      'a certificate for another host',
      () => onTls(`sslmode=require&sslrootcert=${CERTIFICATE}`),
      /^DATABASE_URL: its TLS certificate is for another host name; /,
    ],
    [
      'a file of a certificate that does not exist',
      () => onTls('sslmode=verify-full&sslrootcert=/nirgends.pem'),
      /^DATABASE_URL: the file of its sslrootcert, sslcert or sslkey cannot be read; /,
    ],
    [
      'a certificate that is none',
      () => onTls(`sslmode=verify-full&sslcert=${join(ROOT, 'package.json')}&sslkey=${KEY}`),
      /^DATABASE_URL: the file of its sslrootcert, sslcert or sslkey is not PEM; /,
    ],
  ]);

  it('a taken port, embedded, and leaves nothing in DATA_DIR', async () => {
    const DATA_DIR = join(newFolder(), 'data');
    const { code, stdout, stderr } = await runNode('main.js', [], { DATA_DIR, ...takenPort() });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^PORT: \d+ is taken; .*\n$/);
    expect(fs.existsSync(DATA_DIR)).toBe(false);
  });

  it('also prints one line if the port is taken during startup and PostgreSQL stops with it', async () => {
    const DATA_DIR = copyDataDir(newFolder());
    // PostgreSQL alone: the start that fails joins it, and is then the only one that uses it.
    const first = await startEmbeddedPostgres({ dataDir: DATA_DIR });

    const [failing, thief] = await onFreePort((port) =>
      withClient(first.ownerUrl, async (lock) => {
        await lock.query('select pg_advisory_lock($1)', [LOCK]);
        const ended = runNode('main.js', [], { DATA_DIR, APP_SECRET, PORT: String(port) });
        let early: Awaited<typeof ended> | undefined;
        void ended.then((run) => (early = run));
        await eventually(async () => {
          const { rows } = await lock.query(
            "select from pg_locks where locktype = 'advisory' and not granted",
          );
          if (!early) expect(rows).not.toEqual([]);
        });
        if (early) throw new Error(`ended before it waited for the lock: ${early.stderr}`);
        await first.stop();
        return [ended, await listening(port)] as const;
      }),
    );
    const { code, stdout, stderr } = await failing;
    thief.close();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^PORT: \d+ is taken; .*\n$/);
  });

  unless(it, process.getuid?.() === 0 ? undefined : 'not root')('a user without an account', async () => {
    const folder = newFolder();
    fs.chownSync(folder, 4_242, 4_242);
    const child = spawn(process.execPath, ['dist/src/main.js'], {
      cwd: ROOT,
      env: environment({ PORT: '0', DATA_DIR: folder }),
      uid: 4_242,
      gid: 4_242,
    });
    let stderr = '';
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(stderr).toMatch(/^PostgreSQL does not run as uid 4242, .*\/etc\/passwd.*\n$/);
  });
});

describeWithRedis('a Redis that refuses us ends the start in one line', () => {
  let redis: ChildProcess;
  let port: number;
  let tlsPort: number;

  beforeAll(async () => {
    [port, tlsPort] = [await freePort(), await freePort()];
    const settings = `
      port ${port}
      tls-port ${tlsPort}
      tls-cert-file ${CERTIFICATE}
      tls-key-file ${KEY}
      tls-ca-cert-file ${CERTIFICATE}
      tls-auth-clients no
      bind 127.0.0.1
      save ""
      requirepass geheim
      user lee on >clave ~* &* +@read +@connection
      user nada on >clave ~* &* -@all
      user otras on >clave ~otras:* &* +@all
      user colas on >clave ~bull:* &* +@all`;
    redis = spawn(redisServer(), ['-'], { stdio: ['pipe', 'pipe', 'inherit'] });
    redis.stdin!.end(settings);
    await once(redis.stdout!, 'data');
    await eventually(() => listens(port));
  });
  afterAll(async () => {
    redis.kill('SIGKILL');
    await once(redis, 'exit');
  });

  const at =
    (login: string, rest = '') =>
    () => ({
      // Without a database: Redis is asked first.
      ...on('postgres://u:geheim@127.0.0.1:1/d'),
      REDIS_URL: `redis://${login}127.0.0.1:${port}${rest}`,
    });
  const overTls = (scheme: string, to: () => number) => () => ({
    ...at('')(),
    REDIS_URL: `${scheme}://:geheim@127.0.0.1:${to()}`,
  });

  itFails([
    ['no password', at(''), /^REDIS_URL: Redis wants a password; /],
    ['a wrong password', at(':falsch@'), /^REDIS_URL: Redis refuses its user or password; /],
    ['an unknown user', at('nadie:clave@'), /^REDIS_URL: Redis refuses its user or password; /],
    [
      'a database beyond the last',
      at(':geheim@', '/99'),
      /^REDIS_URL: Redis has no database of that number; /,
    ],
    ['a user who may only read', at('lee:clave@'), /^REDIS_URL: its user lacks rights in Redis; /],
    ['a user who may do nothing', at('nada:clave@'), /^REDIS_URL: its user lacks rights in Redis; /],
    ['a user of other keys', at('otras:clave@'), /^REDIS_URL: its user lacks rights in Redis; /],
    ['a user of the queues alone', at('colas:clave@'), /^REDIS_URL: its user lacks rights in Redis; /],
    [
      'TLS to a port without',
      overTls('rediss', () => port),
      /^REDIS_URL: Redis does not speak TLS there; write redis:/,
    ],
    [
      'a port with TLS, without it',
      overTls('redis', () => tlsPort),
      /^REDIS_URL: Redis speaks TLS there; write rediss:/,
    ],
    [
      'a certificate of an unknown authority',
      overTls('rediss', () => tlsPort),
      /^REDIS_URL: .* NODE_EXTRA_CA_CERTS /,
    ],
  ]);
});

describe('a start is ready on', () => {
  const { start } = useServices();

  it('an empty database with settings of its own, which it migrates', async () => {
    const database = await createTestDatabase('template0');
    const name = new URL(database.ownerUrl).pathname.slice(1);
    const settings = ["datestyle = 'SQL, DMY'", 'search_path = otro', 'standard_conforming_strings = off'];
    for (const setting of [...settings, "bytea_output = 'escape'"])
      await withAdmin((client) => client.query(`alter database ${name} set ${setting}`));
    const service = await start({
      ...on(withoutQuery(database.ownerUrl)),
      PGREPLICATION: 'database',
      PGCLIENT_ENCODING: 'LATIN1',
    });
    const key = await insertMerchant({
      ...database,
      query: async (text, values) =>
        withClient(database.ownerUrl, async (client) => {
          await client.query('set search_path to public');
          return (await client.query(text, values)).rows as never;
        }),
    });
    const made = await createGuia(service, key);
    const { id } = (await made.json()) as { id: string };
    const read = await fetch(`${service.url}/api/v1/guias/${id}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { guia } = (await read.json()) as { guia: { creada_en: string } };
    expect(guia.creada_en.slice(0, 10)).toBe(new Date().toISOString().slice(0, 10));
    expect((await service.stop()).code).toBe(0);
    await database.drop();
  });
});

describe('npm start', () => {
  const { newFolder } = useServices();

  /** A small copy of this folder: its scripts, one source, and the names of its packages. */
  const copy = (packages: 'none' | 'production' | 'all') => {
    const folder = newFolder();
    for (const name of ['package.json', 'build.cjs']) fs.copyFileSync(join(ROOT, name), join(folder, name));
    const { dependencies } = JSON.parse(fs.readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: object;
    };
    fs.mkdirSync(join(folder, 'src'));
    fs.writeFileSync(join(folder, 'src/main.ts'), '');
    const install = (name: string, file: string, text: string) => {
      const path = join(folder, 'node_modules', name, file);
      fs.mkdirSync(dirname(path), { recursive: true });
      fs.writeFileSync(path, text);
    };
    if (packages !== 'none')
      for (const name of Object.keys(dependencies)) install(name, 'package.json', '{}');
    if (packages !== 'all') return folder;
    install('typescript', 'package.json', '{}');
    install(
      '@nestjs/cli',
      'bin/nest.js',
      `require('fs').mkdirSync('dist/src', { recursive: true });
       require('fs').writeFileSync('dist/src/main.js', 'console.log("started")')`,
    );
    return folder;
  };
  /** Folders whose packages that build are gone after the build. */
  const built = async () => {
    const folder = copy('all');
    expect((await npmStart(folder)).stdout).toContain('started');
    for (const name of ['typescript', '@nestjs'])
      fs.rmSync(join(folder, 'node_modules', name), { recursive: true });
    fs.cpSync(join(copy('production'), 'node_modules'), join(folder, 'node_modules'), { recursive: true });
    return folder;
  };
  const npmStart = async (folder: string, node?: string): Promise<Finished> => {
    const env = environment({ npm_config_update_notifier: 'false', NODE_ENV: 'production' });
    if (node) env.PATH = `${dirname(node)}:${env.PATH}`;
    const child = spawn('npm', ['start'], { cwd: folder, env });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, stdout, stderr };
  };
  const fails = ({ code, stderr }: Finished, line: RegExp) => {
    expect(code).toBe(1);
    // npm warns of Node 18, too.
    expect(stderr.replace(/^npm warn .*\n/gm, '')).toMatch(line);
  };

  it('without packages says to install them', async () =>
    fails(await npmStart(copy('none')), /^The package \S+ is not installed; run npm ci\n$/));

  it('without the packages that build says how to install them', async () =>
    fails(await npmStart(copy('production')), /^The service is not built, .*; run npm ci --include=dev\n$/));

  it('starts what was built from the same sources, copied at any time, and says if they have changed', async () => {
    const first = await built();
    const folder = newFolder();
    fs.cpSync(first, folder, { recursive: true });
    fs.utimesSync(join(folder, 'src/main.ts'), new Date(), new Date(Date.now() + 60_000));
    const { code, stdout, stderr } = await npmStart(folder);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('started');
    fs.writeFileSync(join(folder, 'src/main.ts'), '//');
    fails(
      await npmStart(folder),
      /^The sources have changed since the last build, .*; run npm ci --include=dev\n$/,
    );
  });

  unlessMissing(it, OLD_NODE ? undefined : 'no Node 18')('on Node 18 says which Node to install', async () =>
    fails(
      await npmStart(copy('none'), OLD_NODE),
      /^Node 18\.\S+ is too old for Guías; install Node 24 from \S+\n$/,
    ),
  );
});

async function listening(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function listens(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}

/** Answers as a PostgreSQL with TLS, whose certificate no authority has signed; after the handshake not at all. */
function answerTls(socket: Socket): void {
  socket.on('error', () => undefined);
  socket.once('data', () => {
    socket.write('S');
    new TLSSocket(socket, { isServer: true, ...TEST_CERTIFICATE }).on('error', () => undefined);
  });
}
