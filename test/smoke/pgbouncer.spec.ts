import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { APP_SECRET } from '../support/guia-body.js';
import { insertMerchant } from '../support/merchant-rows.js';
import { useOperatorCommands } from '../support/operator-commands.js';
import { describeWithPgBouncer, startPgBouncer, type PgBouncer } from '../support/pgbouncer.js';
import { createGuia, useServices } from '../support/service-process.js';

/** The built service on Debian's PgBouncer, also with the queues. */
describeWithPgBouncer('PgBouncer', () => {
  const { start } = useServices();
  const { failToStart } = useOperatorCommands();
  let database: TestDatabase;
  let bouncer: PgBouncer | undefined;

  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await bouncer?.stop();
    await database.drop();
  });

  const env = async (mode: 'session' | 'transaction') => {
    bouncer = await startPgBouncer(database, mode);
    return { DATABASE_URL: bouncer.url, APP_SECRET, PUBLIC_URL: 'http://localhost' };
  };

  it('in session mode serves a service that migrates, sends messages, stops and starts again', async () => {
    const through = await env('session');
    const key = await insertMerchant(database);
    const accepted = (count: number) =>
      eventually(async () => {
        const sent = await database.query(`select from mensajes where estado = 'aceptado'`);
        expect(sent).toHaveLength(count);
      });

    for (const count of [1, 2]) {
      const service = await start(through);
      expect((await createGuia(service, key)).status).toBe(201);
      await accepted(count);
      expect((await service.stop()).code).toBe(0);
      // A busy machine may open so many connections late.
      const complaints = service.output().match(/^.*"level":[4-6]0.*$/gm) ?? [];
      expect(complaints.filter((line) => !line.includes('timeout exceeded when trying to connect'))).toEqual(
        [],
      );
    }
  });

  it('in transaction mode is refused in one line', async () => {
    const { code, stdout, stderr } = await failToStart(await env('transaction'));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^DATABASE_URL: a pooler in transaction mode; .*\n$/);
  });
});
