import { withClient } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { Lives } from '../support/lives.js';
import { expectProblem } from '../support/problem.js';
import { createTestApp } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const MOVE = { estado: 'en_camino_a_recoger' };

const LOCK = 'select from guias where id = any ($1) for update';

describe('changes of guides', () => {
  const test = useSharedApp();
  const operator = opened(() => test.operator());
  const lives = opened(async () => new Lives(test, await test.merchant()));

  it('leave half of the connections to others, however many wait for a lock', async () => {
    const guias = await Promise.all(Array.from({ length: 12 }, () => lives.create()));
    const ids = guias.map(({ id }) => id);
    await withClient(test.database.url, async (holder) => {
      await holder.query('begin');
      await holder.query(LOCK, [ids]);
      const moves = [...ids, ...ids].map((id) => operator.move(id, { ...MOVE, ref: 'r' }));
      const waiting = `select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await eventually(async () => expect(await test.database.query(waiting)).toEqual([{ count: 5 }]));
      expect((await lives.merchant.get('/api/v1/guias')).status).toBe(200);
      await holder.query('rollback');
      const answers = await Promise.all(moves);
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array<number>(12).fill(200),
        ...Array<number>(12).fill(201),
      ]);
    });
  });

  it('of a guide that another transaction holds for too long are answered with 503, and may be repeated', async () => {
    const hurried = await createTestApp({ database: test.database, timeLimits: { lock: 100, turn: 100 } });
    const own = new Lives(hurried, await hurried.merchant());
    const courier = await hurried.operator();
    const guia = await own.create();
    await withClient(hurried.database.url, async (holder) => {
      await holder.query('begin');
      await holder.query(LOCK, [[guia.id]]);
      const answers = await Promise.all([courier.move(guia.id, MOVE), courier.move(guia.id, MOVE)]);
      for (const answer of answers) {
        expectProblem(answer, 'no_disponible');
        expect(answer.headers.get('retry-after')).toBe('1');
      }
      await holder.query('rollback');
    });
    expect(await own.events(guia)).toHaveLength(1);
    expect((await courier.move(guia.id, MOVE)).status).toBe(201);
    await hurried.close();
  });
});
