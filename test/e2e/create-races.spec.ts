import { createTestApp, client, guiaBody, type TestApp, type TestMerchant } from '../support/test-app.js';

const GUIAS = '/api/v1/guias';
const REFERENCES = 10;
const PARALLEL = 100;

describe('simultaneous POST /api/v1/guias on two processes', () => {
  let test: TestApp;
  let second: TestApp;
  let merchant: TestMerchant;
  let processes: Pick<TestMerchant, 'post'>[];

  beforeAll(async () => {
    test = await createTestApp();
    second = await createTestApp({ database: test.database });
    merchant = await test.merchant();
    processes = [merchant, client(second.request, merchant.key)];
  });
  afterAll(async () => {
    await second.close();
    await test.close();
  });

  const race = (external_ref: string) =>
    Promise.all(
      Array.from({ length: PARALLEL }, (_, i) => processes[i % 2]!.post(GUIAS, guiaBody({ external_ref }))),
    );
  const count = async (external_ref: string) => {
    const [row] = await test.database.query(
      `select count(*)::int as guias, count(e.id)::int as eventos, count(distinct g.guia)::int as numbers
       from guias g left join eventos e on e.guia_id = g.id and e.tipo = 'guia.creada' where g.comercio_id = $1 and external_ref like $2`,
      [merchant.id, external_ref],
    );
    return row;
  };

  it('answers one 201 and ninety-nine 200 with one id to 100 creates with one external_ref, for 10 references', async () => {
    const statuses: Record<number, number> = {};
    for (let n = 0; n < REFERENCES; n++) {
      const answers = await race(`carrera-${n}`);
      for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(new Set(answers.map(({ body }) => body.guia)).size).toBe(1);
      for (const { status, body } of answers) expect(body.duplicada).toBe(status === 200 ? true : undefined);
    }
    expect(statuses).toEqual({ 201: REFERENCES, 200: REFERENCES * (PARALLEL - 1) });
    expect(await count('carrera-%')).toEqual({ guias: REFERENCES, eventos: REFERENCES, numbers: REFERENCES });
  });

  it('keeps one guide for each of two merchants that use one external_ref', async () => {
    const other = await test.merchant();
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const by = i % 2 ? merchant : other;
        const { status, body } = await by.post(GUIAS, guiaBody({ external_ref: 'ambos' }));
        return { merchant: by.id, status, id: body.id as string };
      }),
    );
    for (const { id } of [merchant, other]) {
      const own = answers.filter((answer) => answer.merchant === id);
      expect(own.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
      expect(new Set(own.map((answer) => answer.id)).size).toBe(1);
    }
    expect(new Set(answers.map(({ id }) => id)).size).toBe(2);
  });

  it('creates 300 guides with 300 different numbers from 300 creates without external_ref', async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, i) => processes[i % 2]!.post(GUIAS, guiaBody())),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(300).fill(201));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(300);
    expect(new Set(answers.map(({ body }) => body.guia)).size).toBe(300);
  });
});
