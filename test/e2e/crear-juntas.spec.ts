import { setTimeout as sleep } from 'node:timers/promises';
import { Secrets } from '../../src/config/secrets.js';
import { GuiaNumeroGenerator } from '../../src/guias/create/guia-numero.js';
import { expectProblem } from '../support/problem.js';
import {
  APP_SECRET,
  client,
  createTestApp,
  guiaBody,
  type TestApp,
  type TestMerchant,
} from '../support/test-app.js';

const GUIAS = '/api/v1/guias';

/** Guides that are written in one statement answer for themselves alone. */
describe('POST /api/v1/guias, many at the same time', () => {
  let test: TestApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    test = await createTestApp();
    merchant = await test.merchant();
    await merchant.post(GUIAS, guiaBody());
  });
  afterAll(() => test.close());

  const together = (bodies: Record<string, unknown>[]) =>
    Promise.all(bodies.map((body) => merchant.post(GUIAS, guiaBody(body))));
  const written = (prefix: string) =>
    test.database.query(
      `select g.external_ref, count(e.id)::int as eventos
       from guias g join eventos e on e.guia_id = g.id and e.tipo = 'guia.creada'
       where g.comercio_id = $1 and g.external_ref like $2 group by 1`,
      [merchant.id, `${prefix}%`],
    );

  it('one that the database refuses is refused alone', async () => {
    await test.database.query(`
      create function refuse() returns trigger language plpgsql as $$
        begin raise exception 'no value' using errcode = '22023'; end $$;
      create trigger refuse before insert on guias for each row when (new.notas = 'imposible') execute function refuse()`);
    try {
      const answers = await together(
        Array.from({ length: 40 }, (_, n) => ({
          external_ref: `sola-${n}`,
          notas: n === 17 ? 'imposible' : 'posible',
        })),
      );
      const [refused, ...others] = [...answers].sort((one, other) => other.status - one.status);
      expectProblem(refused!, 'validacion');
      expect(others.map(({ status }) => status)).toEqual(Array(39).fill(201));
      const rows = await written('sola-');
      expect(rows).toHaveLength(39);
      expect(rows.map(({ eventos }) => eventos)).toEqual(Array(39).fill(1));
    } finally {
      await test.database.query('drop trigger refuse on guias; drop function refuse');
    }
  });

  it('each gets its own answer: new, repeated, and repeated with differences', async () => {
    await together(Array.from({ length: 10 }, (_, n) => ({ external_ref: `mezcla-${n}` })));
    const answers = await together(
      Array.from({ length: 30 }, (_, n) => ({
        external_ref: `mezcla-${n}`,
        ...(n < 5 && { contenido: `Libros ${n}` }),
      })),
    );
    answers.forEach(({ status, body, headers }, n) => {
      const expected = n < 10 ? { status: 200, duplicada: true } : { status: 201, duplicada: undefined };
      expect({ status, duplicada: body.duplicada }).toEqual(expected);
      expect(body.external_ref).toBe(`mezcla-${n}`);
      expect(headers.get('guias-campos-distintos')).toBe(n < 5 ? 'contenido' : null);
    });
    expect(new Set(answers.map(({ body }) => body.guia)).size).toBe(30);
    expect(await written('mezcla-')).toHaveLength(30);
  });

  it('a number that is taken costs nobody a guide', async () => {
    const [{ last }] = (await test.database.query('select last_value::int as last from guias_numero')) as [
      { last: number },
    ];
    const made = (await test.database.query('select count(*)::int as n from guias')) as [{ n: number }];
    const numbers = new GuiaNumeroGenerator(new Secrets(APP_SECRET).guiaNumeroKey).numerosFrom(last, 200);
    const used = await test.database.query('select guia from guias');
    const next = numbers.filter((guia) => !used.some((row) => row.guia === guia));
    // Which of them come next depends on who else took some: half of all that may.
    const taken = next.filter((_guia, n) => n % 2 === 0).slice(0, 15);
    await test.database.query(
      `insert into guias (comercio_id, id, guia, estado, telefono, departamento, municipio, direccion_confirmada,
         recogida_lat, recogida_lng, creada_en, actualizada_en)
       select gen_random_uuid(), gen_random_uuid(), guia, 'aceptado', '+50255551234', 'Guatemala', 'Mixco', false,
         14.6, -90.5, now(), now() from unnest($1::text[]) guia`,
      [taken],
    );
    const answers = await together(Array.from({ length: 20 }, (_, n) => ({ external_ref: `numero-${n}` })));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(answers.filter(({ body }) => taken.includes(body.guia))).toEqual([]);
    // They passed over some that were taken.
    expect(Math.max(...answers.map(({ body }) => next.indexOf(body.guia)))).toBeGreaterThan(20);
    const [after] = (await test.database.query('select count(*)::int as n from guias')) as [{ n: number }];
    expect(after.n).toBe(made[0].n + taken.length + 20);
  });

  it('two processes with the same references in another order never wait for each other in a circle', async () => {
    const second = await createTestApp({ database: test.database });
    const doors = [merchant, client(second.request, merchant.key)];
    const deadlocks = async () => {
      // As long as PostgreSQL's processes keep their counts to themselves.
      await sleep(1_100);
      const [row] = await test.database.query<{ deadlocks: number }>(
        'select deadlocks::int from pg_stat_database where datname = current_database()',
      );
      return row!.deadlocks;
    };
    try {
      const before = await deadlocks();
      for (let round = 0; round < 15; round++) {
        const references = Array.from({ length: 32 }, (_, n) => `orden-${round}-${n}`);
        const orders = [references, references.toReversed()];
        const answers = await Promise.all(
          doors.flatMap((door, i) =>
            orders[i]!.map((external_ref) => door.post(GUIAS, guiaBody({ external_ref }))),
          ),
        );
        const statuses = answers.map(({ status }) => status).sort();
        expect(statuses).toEqual([...Array<number>(32).fill(200), ...Array<number>(32).fill(201)]);
      }
      expect(await deadlocks()).toBe(before);
    } finally {
      await second.close();
    }
  });
});
