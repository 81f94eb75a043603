import type { Pool } from 'pg';
import { Secrets } from '../../src/platform/config/secrets.js';
import { Database } from '../../src/platform/database/database.js';
import { GuiaNumeroGenerator } from '../../src/guias/guia/guia-numero.js';
import { withClient } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { propertyRuns } from '../support/property-runs.js';
import {
  APP_SECRET,
  client,
  guiaBody,
  withTestApp,
  type TestApp,
  type TestMerchant,
} from '../support/test-app.js';
import { opened, useTestApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';

/** Guides written in one statement do not affect each other. */
describe('simultaneous POST /api/v1/guias', () => {
  const test = useTestApp();
  const merchant = opened(() => test.merchant());

  beforeAll(async () => {
    await merchant.post(GUIAS, guiaBody());
  });

  const together = (bodies: Record<string, unknown>[]) =>
    Promise.all(bodies.map((body) => merchant.post(GUIAS, guiaBody(body))));
  const withSecond = (run: (processes: Pick<TestMerchant, 'post'>[], second: TestApp) => Promise<void>) =>
    withTestApp({ database: test.database }, (second) =>
      run([merchant, client(second.request, merchant.key)], second),
    );
  const written = (prefix: string) =>
    test.database.query(
      `select g.external_ref, count(e.id)::int as eventos
       from guias g join eventos e on e.guia_id = g.id and e.tipo = 'guia.creada'
       where g.comercio_id = $1 and g.external_ref like $2 group by 1`,
      [merchant.id, `${prefix}%`],
    );

  it('gives each create of a batch its own result: a new guide, a repeat, a repeat with other fields', async () => {
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

  it('uses the next guide number if one is already taken, and loses no guide', async () => {
    const [{ last }] = (await test.database.query('select last_value::int as last from guias_numero')) as [
      { last: number },
    ];
    const made = (await test.database.query('select count(*)::int as n from guias')) as [{ n: number }];
    const numbers = new GuiaNumeroGenerator(new Secrets(APP_SECRET).guiaNumeroKey).numerosFrom(last, 200);
    const used = await test.database.query('select guia from guias');
    const next = numbers.filter((guia) => !used.some((row) => row.guia === guia));
    // Several of the next numbers are taken, whichever of them the process has reserved already.
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
    // They skipped some that were taken.
    expect(Math.max(...answers.map(({ body }) => next.indexOf(body.guia)))).toBeGreaterThan(20);
    const [after] = (await test.database.query('select count(*)::int as n from guias')) as [{ n: number }];
    expect(after.n).toBe(made[0].n + taken.length + 20);
  });

  it('writes other guides while one waits for a lock', async () => {
    const waiting = { external_ref: 'espera-1' };
    await withClient(test.database.url, async (holder) => {
      await holder.query('begin');
      await holder.query(
        `insert into guias (comercio_id, id, guia, external_ref, estado, telefono, departamento, municipio,
           direccion_confirmada, recogida_lat, recogida_lng, creada_en, actualizada_en)
         values ($1, gen_random_uuid(), 'GT-espera', $2, 'aceptado', '+50255551234', 'Guatemala', 'Mixco', false,
           14.6, -90.5, now(), now())`,
        [merchant.id, waiting.external_ref],
      );
      let isAnswered = false;
      const held = together([waiting]).finally(() => (isAnswered = true));
      await eventually(async () =>
        expect(
          await test.database.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        ).toHaveLength(1),
      );
      for (let n = 0; n < 3; n++)
        expect(await together([{ external_ref: `libre-${n}` }])).toMatchObject([{ status: 201 }]);
      expect(isAnswered).toBe(false);
      await holder.query('rollback');
      expect(await held).toMatchObject([{ status: 201 }]);
    });
  });

  it('makes one guide of 100 creates with one external_ref on two processes', async () => {
    await withSecond(async (processes) => {
      for (let n = 0; n < propertyRuns(1); n++) {
        const body = guiaBody({ external_ref: `carrera-${n}` });
        const answers = await Promise.all(
          Array.from({ length: 100 }, (_, i) => processes[i % 2]!.post(GUIAS, body)),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(99).fill(200), 201]);
        expect(new Set(answers.map(({ body: { id, guia } }) => `${id} ${guia}`)).size).toBe(1);
        for (const { status, body } of answers)
          expect(body.duplicada).toBe(status === 200 ? true : undefined);
        expect(await written(`carrera-${n}`)).toMatchObject([{ eventos: 1 }]);
      }
    });
  });

  it('makes 100 guides with 100 numbers of 100 creates without external_ref on two processes', async () => {
    await withSecond(async (processes) => {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) => processes[i % 2]!.post(GUIAS, guiaBody())),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(201));
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(100);
      expect(new Set(answers.map(({ body }) => body.guia)).size).toBe(100);
    });
  });

  it('keeps one guide for each of two merchants that use one external_ref', async () => {
    const other = await test.merchant();
    const answers = await Promise.all(
      [merchant, other, merchant, other].map((by) => by.post(GUIAS, guiaBody({ external_ref: 'ambos' }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201, 201]);
    const [mine, theirs, ...again] = answers.map(({ body }) => body.id);
    expect(again).toEqual([mine, theirs]);
    expect(mine).not.toBe(theirs);
  });

  it('does not deadlock when two processes write the same references in opposite order', async () => {
    await withSecond(async (processes, second) => {
      const errors = [test, second].map(({ app }) => errorCodesOf(app.get(Database).pool));
      for (let round = 0; round < propertyRuns(3); round++) {
        const references = Array.from({ length: 32 }, (_, n) => `orden-${round}-${n}`);
        const orders = [references, references.toReversed()];
        const answers = await Promise.all(
          processes.flatMap((process, i) =>
            orders[i]!.map((external_ref) => process.post(GUIAS, guiaBody({ external_ref }))),
          ),
        );
        const statuses = answers.map(({ status }) => status).sort();
        expect(statuses).toEqual([...Array<number>(32).fill(200), ...Array<number>(32).fill(201)]);
      }
      // A deadlock is retried and would not show in the answers.
      expect(errors.flat()).toEqual([]);
    });
  });
});

/** SQLSTATEs of the statements that fail on a pool from now on. */
function errorCodesOf(pool: Pick<Pool, 'query'>): string[] {
  const codes: string[] = [];
  // The only one of the pool's overloads that the service uses.
  const promising = pool as { query: (...args: unknown[]) => Promise<unknown> };
  const query = promising.query.bind(pool);
  jest.spyOn(promising, 'query').mockImplementation((...args) => {
    const result = query(...args);
    result.catch(({ code }: { code: string }) => codes.push(code));
    return result;
  });
  return codes;
}
