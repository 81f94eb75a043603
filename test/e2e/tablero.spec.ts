import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { basic, createTestBoard, type TestBoard } from '../support/board.js';
describe('the board', () => {
  let database: TestDatabase;
  let board: TestBoard;
  beforeAll(async () => {
    database = await createTestDatabase();
    board = await createTestBoard({ databaseUrl: database.url });
    await board.fail([{ name: 'confirmacion', data: { mensajeId: 'x', guia: '931637862414' }, id: 'm-1' }]);
  });
  afterAll(async () => {
    await board?.close();
    await database?.drop();
  });
  it.each([
    '/admin/queues',
    '/admin/queues/',
    '/admin/queues/api/queues?activeQueue=avisos&status=failed&page=1&jobsPerPage=10',
    '/admin/queues/static/favicon.ico',
    '/admin/queues/guias.css',
    '/admin/queues/api/queues/avisos/m-1',
    '/admin/queues/api/redis/stats',
    '/admin/x',
    '/admin/queues/queue/avisos?status=failed',
  ])('%s', async (path) => {
    const a = await board.request(path);
    const b = await board.request(path, { headers: {} });
    console.log(
      path,
      a.status,
      a.text.slice(0, 300),
      a.headers.get('cache-control'),
      a.headers.get('content-type'),
      b.status,
      b.text,
    );
  });
  it('retries', async () => {
    for (const p of ['m-1/retry', 'retry/failed', 'retry/completed', 'm-1/clean']) {
      const a = await board.request(`/admin/queues/api/queues/avisos/${p}`, { method: 'PUT' });
      console.log(p, a.status, a.text, board.logs);
    }
  });
});
