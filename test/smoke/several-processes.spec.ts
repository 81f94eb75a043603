import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STOP_LIMIT_MS } from '../../src/platform/config/stop-limits.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { APP_SECRET } from '../support/guia-body.js';
import { HAPROXY } from '../support/haproxy.js';
import { ROOT, useServices, type ServiceProcess } from '../support/service-process.js';
import { describeWithProgram } from '../support/skipping.js';

const SCALING = join(ROOT, 'docs/scaling');
const UNIT = readFileSync(join(SCALING, 'guias@.service'), 'utf8');
const SYSTEMD_ANALYZE = '/usr/bin/systemd-analyze';

/** The command line of `npm start`. */
const COMMAND = /node --.*main\.js/.exec(
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } }).scripts
    .start,
)![0];

describe('several processes on one host', () => {
  const { start } = useServices();
  let database: TestDatabase;
  let service: ServiceProcess;
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(`alter database ${new URL(database.url).pathname.slice(1)} connection limit 12`);
    service = await start({ DATABASE_URL: database.url, APP_SECRET, ROLE: 'api', WEB_CONCURRENCY: 'auto' });
  });
  afterAll(async () => {
    await service?.stop();
    await database.drop();
  });

  const warnings = () =>
    eventually(() => {
      const lines = service.output().match(/^\{"level":40.*$/gm) ?? [];
      expect(lines.length).toBeGreaterThanOrEqual(2);
      return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    });

  it('are not started for WEB_CONCURRENCY: one warning names the ways', async () => {
    expect((await warnings()).filter((msg) => msg.includes('WEB_CONCURRENCY'))).toEqual([
      expect.stringMatching(/is ignored.*Compose, systemd or PM2/),
    ]);
  });

  it('have a warning each if PostgreSQL has too few connections left, with what to change', async () => {
    expect((await warnings()).filter((msg) => msg.includes('connections left'))).toEqual([
      expect.stringMatching(
        /^PostgreSQL has \d+ connections left, and this process may open 14: raise max_connections, start fewer processes, or set REDIS_URL, with which a process opens 10$/,
      ),
    ]);
  });
});

describeWithProgram(SYSTEMD_ANALYZE)('the systemd unit', () => {
  it('is valid', () => {
    const folder = mkdtempSync(join(tmpdir(), 'guias-unit-'));
    const unit = join(folder, 'guias@.service');
    writeFileSync(unit, UNIT.replace('/usr/bin/node', process.execPath));
    const { status, stderr } = spawnSync(SYSTEMD_ANALYZE, ['verify', unit], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect({ status, faults: stderr.split('\n').filter((line) => line.includes('guias@')) }).toEqual({
      status: 0,
      faults: [],
    });
  });
});

describe('the files of docs/scaling', () => {
  const { apps } = createRequire(import.meta.url)(join(SCALING, 'ecosystem.config.cjs')) as {
    apps: { script: string; node_args: string; kill_timeout: number }[];
  };

  it('start the service with the flags of npm start', () => {
    expect(UNIT).toContain(`ExecStart=/usr/bin/${COMMAND}\n`);
    for (const { node_args, script } of apps) expect(`node ${node_args} ${script}`).toBe(COMMAND);
  });

  it('leave a process the time to stop', () => {
    const seconds = Number(/^TimeoutStopSec=(\d+)s$/m.exec(UNIT)![1]);
    for (const ms of [seconds * 1_000, ...apps.map((app) => app.kill_timeout)])
      expect(ms).toBeGreaterThan(STOP_LIMIT_MS + 1_000);
  });
});

describeWithProgram(HAPROXY)('HAProxy of docs/scaling/compose.yml', () => {
  it('has a valid configuration, in which the names of the API processes come from DNS', () => {
    const env = { API_SERVICE: 'api:3000' };
    const checked = spawnSync(HAPROXY, ['-c', '-f', join(SCALING, 'haproxy.cfg')], { env, encoding: 'utf8' });
    expect({ status: checked.status, stderr: checked.stderr }).toEqual({ status: 0, stderr: '' });
  });
});
