import { guiaBody } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';

describe('POST /api/v1/guias repeated with the same external_ref', () => {
  const test = useSharedApp();
  const merchant = opened(() => test.merchant());

  const post = (over: Record<string, unknown>, by = merchant) => by.post(GUIAS, guiaBody(over));
  const detail = async (id: string) => (await merchant.get(`${GUIAS}/${id}`)).body.guia;
  const distinct = (answer: { headers: Headers }) => answer.headers.get('guias-campos-distintos');

  it('answers 200 with the existing guide and duplicada, and creates no other', async () => {
    const first = await post({ external_ref: 'r-1' });
    const again = await post({ external_ref: 'r-1' });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...first.body, duplicada: true });
    expect(again.headers.get('location')).toBeNull();
    expect(distinct(again)).toBeNull();
    const rows = await test.database.query(
      `select (select count(*)::int from guias where comercio_id = $2 and external_ref = 'r-1') as guias,
         (select count(*)::int from eventos where guia_id = $1) as eventos`,
      [first.body.id, merchant.id],
    );
    expect(rows).toEqual([{ guias: 1, eventos: 1 }]);
  });

  it("does not change the guide, and lists every differing field by the request's names", async () => {
    const { body } = await post({ external_ref: 'r-todo', lat: 14.5, lng: -90.5 });
    const before = await detail(body.id);
    const other = { telefono: '+50255559999', notas: 'otras', lat: 14.6, recogida: { lat: 1, lng: 2 } };
    const again = await post({ external_ref: 'r-todo', lng: -90.5, ...other });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...body, duplicada: true });
    expect(distinct(again)!.split(', ').sort()).toEqual(
      ['telefono', 'notas', 'lat', 'recogida.lat', 'recogida.lng'].sort(),
    );
    expect(await detail(body.id)).toEqual(before);
  });

  it.each([{}, { external_ref: null }, { external_ref: '' }, { external_ref: '  ' }])(
    'creates a new guide each time without an external_ref: %j',
    async (over) => {
      const answers = [await post(over), await post(over)];
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(answers[0]!.body.id).not.toBe(answers[1]!.body.id);
    },
  );

  it('distinguishes references by case and accents', async () => {
    const refs = ['Ref-ñ', 'ref-ñ', 'ref-n', 'ref-ñ.', 'réf-ñ'];
    const answers = await Promise.all(refs.map((external_ref) => post({ external_ref })));
    expect(answers.map(({ status }) => status)).toEqual(refs.map(() => 201));
  });

  it('says that the existing guide is cancelled, and only then', async () => {
    const warning = (answer: { headers: Headers }) => answer.headers.get('guias-advertencia');
    const { body } = await post({ external_ref: 'r-cancelada' });
    expect(warning(await post({ external_ref: 'r-cancelada' }))).toBeNull();
    await merchant.post(`${GUIAS}/${body.id}/cancelar`);
    const again = await post({ external_ref: 'r-cancelada' });
    expect(again.body).toEqual({ ...body, estado: 'cancelado', duplicada: true });
    expect(warning(again)).toBe('cancelada');
  });

  describe('with an Idempotency-Key', () => {
    const keyed = (key: string, over: Record<string, unknown> = {}) =>
      merchant.post(GUIAS, guiaBody(over), { 'idempotency-key': key });

    it.each([
      ['as it is', 'llave-1', 'llave-1'],
      ['without blanks around', '  llave 2 ', 'llave 2'],
      ['of 100 characters', 'k'.repeat(100), 'k'.repeat(100)],
      ['without quotes', '"llave-4"', 'llave-4'],
      ['without escapes', String.raw`"a\"b\\c"`, String.raw`a"b\c`],
      ['with a quote that is not closed', '"llave-5', '"llave-5'],
      ['with quotes inside', 'a"b"', 'a"b"'],
      ['of 100 characters in quotes', `"${'q'.repeat(100)}"`, 'q'.repeat(100)],
    ])('keeps the key %s as external_ref', async (_, key, external_ref) => {
      const first = await keyed(key);
      expect(first).toMatchObject({ status: 201, body: { external_ref } });
      const again = await keyed(key);
      expect(again).toMatchObject({ status: 200, body: { ...first.body, duplicada: true } });
      expect(distinct(again)).toBeNull();
      expect((await post({ external_ref })).body.id).toBe(first.body.id);
    });

    it('is one key with and without quotes', async () => {
      const [plain, quoted] = [await keyed('llave-6'), await keyed(' "llave-6" ')];
      expect(quoted).toMatchObject({ status: 200, body: { id: plain.body.id, duplicada: true } });
    });

    it('ignores the key of a body with an external_ref', async () => {
      for (const key of ['llave-3', 'ñ'.repeat(200)]) {
        const { body } = await keyed(key, { external_ref: `cuerpo-${key.length}` });
        expect(body.external_ref).toBe(`cuerpo-${key.length}`);
      }
      expect((await keyed('llave-3')).status).toBe(201);
    });

    it('names the faults of the body before that of the key', async () => {
      const answer = await keyed('k'.repeat(101), { telefono: 5 });
      expect(answer.body.errores.map(({ campo }: any) => campo)).toEqual(['telefono']);
    });

    it.each([
      ['', 'formato'],
      ['   ', 'formato'],
      ['""', 'formato'],
      ['" "', 'formato'],
      ['pedido-ñ', 'formato'],
      ['k'.repeat(101), 'demasiado_largo'],
    ])('refuses the key %j', async (key, codigo) => {
      expect(await keyed(key)).toMatchObject({
        status: 400,
        body: { codigo: 'validacion', errores: [{ campo: 'Idempotency-Key', codigo }] },
      });
    });
  });
});
