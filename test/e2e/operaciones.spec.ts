import {
  createTestApp,
  guiaBody,
  type TestApp,
  type TestMerchant,
  type TestOperator,
} from '../support/test-app.js';

describe('operators move guides', () => {
  let test: TestApp;
  let merchant: TestMerchant;
  let operator: TestOperator;
  beforeAll(async () => {
    test = await createTestApp();
    merchant = await test.merchant();
    operator = await test.operator();
  });
  afterAll(() => test.close());

  const create = async (over = {}) => (await merchant.post('/api/v1/guias', guiaBody(over))).body;

  it('quick', async () => {
    const { id, guia } = await create({ lat: 14.6, lng: -90.5, cod_amount: 100 });
    const first = await operator.move(id, { estado: 'en_camino_a_recoger', ref: 'a' });
    expect([first.status, first.body]).toEqual([
      201,
      expect.objectContaining({
        estado: 'en_camino_a_recoger',
        estado_anterior: 'aceptado',
        secuencia: 2,
        aplicado: true,
      }),
    ]);
    const again = await operator.move(guia, { estado: 'en_camino_a_recoger', ref: 'a' });
    expect([again.status, again.body]).toEqual([200, { ...first.body, duplicado: true }]);
    const bad = await operator.move(id, { estado: 'entregado' });
    expect([bad.status, bad.body]).toMatchObject([
      409,
      { codigo: 'transicion_invalida', detail: expect.stringContaining('recogido, aceptado, cancelado') },
    ]);
    const late = await operator.move(id, { estado: 'cancelado', ocurrido_en: '2020-01-01T00:00:00Z' });
    expect([late.status, late.body]).toMatchObject([
      201,
      { aplicado: false, estado: 'en_camino_a_recoger', secuencia: 3 },
    ]);
    for (const estado of ['recogido', 'en_ruta'])
      expect((await operator.move(id, { estado })).status).toBe(201);
    const fin = await operator.move(id, { estado: 'entregado', cod_cobrado: 90 });
    expect([fin.status, fin.body]).toMatchObject([201, { secuencia: 6 }]);
    const detail = await merchant.get(`/api/v1/guias/${id}`);
    expect(detail.headers.get('etag')).toBe('"7"');
    expect(detail.body.guia).toMatchObject({ estado: 'entregado', advertencias: ['cod_distinto'] });
    const walk = [];
    let cursor = '';
    do {
      const page = await merchant.get(`/api/v1/guias/${guia}/eventos?limit=2${cursor}`);
      expect(page.status).toBe(200);
      walk.push(...page.body.eventos);
      cursor = page.body.siguiente_cursor && `&cursor=${page.body.siguiente_cursor}`;
    } while (cursor);
    console.log(JSON.stringify(walk, null, 1));
    const bulk = await operator.post('/api/v1/operaciones/eventos', {
      eventos: [{ guia, estado: 'devuelto' }, { guia: 'x', estado: 'nada' }, 3],
    });
    console.log(JSON.stringify(bulk.body, null, 1));
    const g2 = await create({ telefono: '55551111' });
    const etag = (await merchant.get(`/api/v1/guias/${g2.id}`)).headers.get('etag')!;
    const p1 = await merchant.patch(
      `/api/v1/guias/${g2.id}`,
      { telefono: '55552222', notas: 'x', direccion: null },
      { 'if-match': etag },
    );
    expect([p1.status, p1.body.guia?.telefono, p1.headers.get('etag')]).toEqual([200, '+50255552222', '"3"']);
    const p2 = await merchant.patch(
      `/api/v1/guias/${g2.id}`,
      { lat: 14.6, lng: -90.5, notas: null },
      { 'if-match': etag },
    );
    expect(p2.status).toBe(412);
    const p3 = await merchant.patch(`/api/v1/guias/${g2.id}`, { lat: 14.6, lng: -90.5, notas: null });
    expect([p3.status, p3.body.guia.direccion_confirmada, p3.body.guia.notas]).toEqual([200, true, null]);
    const c = await merchant.post(`/api/v1/guias/${g2.id}/cancelar`);
    expect([c.status, c.body.guia.estado]).toEqual([200, 'cancelado']);
    expect((await merchant.post(`/api/v1/guias/${g2.id}/cancelar`, { nota: 'x' })).status).toBe(200);
    console.log(
      JSON.stringify(
        (await merchant.get(`/api/v1/guias/${g2.id}/eventos`)).body.eventos.map((e: any) => [
          e.secuencia,
          e.tipo,
          e.actor,
          e.estado,
          e.campos,
        ]),
      ),
    );
    expect((await operator.get('/api/v1/guias')).status).toBe(403);
    expect(
      (await merchant.post(`/api/v1/operaciones/guias/${g2.id}/eventos`, { estado: 'recogido' })).status,
    ).toBe(403);
  });
});
