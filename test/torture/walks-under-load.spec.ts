import { Reads } from '../../src/platform/database/replicas/reads.js';
import { startPostgresCluster, type PostgresCluster } from '../support/postgres-cluster.js';
import { createTestApp, guiaBody, type TestApp } from '../support/test-app.js';
import type { Acknowledgement } from './clients.js';
import { Walks } from './walks.js';

/** At least so many through each, of which 8 at a time. */
const WALKS = Number(process.env.WALKS ?? 8);
const WALKERS = 8;
const WRITERS = 32;

/** Guides of each writer, for one merchant. */
const GUIDES = 10;

/** `npm run torture -- walks` makes more. */
describe.each([
  ['one server', 0],
  ['a primary and two replicas', 2],
])('walks through a list on %s, while 32 clients create,', (_, replicas) => {
  let cluster: PostgresCluster | undefined;
  let test: TestApp;

  beforeAll(async () => {
    if (replicas > 0) cluster = await startPostgresCluster(replicas);
    test = await createTestApp({
      database: cluster?.primary,
      env: {
        RATE_LIMIT_PER_MINUTE: '1000000000',
        ...(cluster && { DATABASE_READ_URL: cluster.standbys.map(({ url }) => url).join(' ') }),
      },
    });
  });
  afterAll(async () => {
    await test?.close();
    await cluster?.drop();
  });

  /** For one merchant. Returns how many there were, and what was wrong with them. */
  async function walk(writers: number): Promise<{ walks: number; violations: string[] }> {
    const merchant = await test.merchant();
    const journal: Acknowledgement[] = [];
    const walkers = Array.from({ length: WALKERS }, () => new Walks(merchant.key, () => test.url, journal));
    for (const walker of walkers) walker.start();
    const write = async (writer: number) => {
      for (let n = 0; n < GUIDES; n++) {
        const ref = `${writer}-${n}`;
        const { status, body } = await merchant.post('/api/v1/guias', guiaBody({ external_ref: ref }));
        expect(status).toBe(201);
        journal.push({ ref, id: body.id, guia: body.guia, status });
      }
    };
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    const verdicts = await Promise.all(walkers.map((walker) => walker.end()));
    return {
      walks: verdicts.reduce((sum, { trials }) => sum + trials, 0),
      violations: verdicts.flatMap(({ violations }) => violations),
    };
  }

  it(
    'show each guide that was acknowledged before once, and none twice',
    async () => {
      const { counts } = test.app.get(Reads);
      // Replicas that lag behind are not read, as on a slow machine with so many clients: then a single one goes on.
      for (let made = 0; made < WALKS || (replicas > 0 && counts.replica === 0);) {
        const { walks, violations } = await walk(made < WALKS ? WRITERS : 1);
        expect(violations).toEqual([]);
        made += walks;
      }
      expect(counts.replica > 0).toBe(replicas > 0);
    },
    300_000 + WALKS * 1_000,
  );
});
