import { expectFaults, expectProblem } from '../support/problem.js';
import { guiaBody, type TestMerchant } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';
const CONFIRMED = { lat: 14.6407, lng: -90.5133 };

interface Made {
  id: string;
  guia: string;
}

describe('GET /api/v1/guias filtered by values of a guide', () => {
  let ana: Made;
  let bea: Made;
  let another: Made;

  const test = useSharedApp();
  const merchant = opened(() => test.merchant());
  const other = opened(() => test.merchant());

  beforeAll(async () => {
    const create = async (by: TestMerchant, over: object) =>
      (await by.post(GUIAS, guiaBody({ ...over }))).body as Made;
    ana = await create(merchant, { external_ref: ' Pedido 1 ', telefono: '5555 1234', ...CONFIRMED });
    bea = await create(merchant, { external_ref: 'Pedido 2', telefono: '+13055551234' });
    another = await create(other, { external_ref: 'Pedido 3', telefono: '5555 9999', ...CONFIRMED });
    await create(other, { external_ref: 'Pedido 1', telefono: '5555 1234' });
  });

  const list = (query: Record<string, string>, by = merchant) =>
    by.get(`${GUIAS}?${new URLSearchParams(query).toString()}`);
  const found = async (query: Record<string, string>, by = merchant) => {
    const { status, body } = await list(query, by);
    expect({ query, status }).toEqual({ query, status: 200 });
    return body;
  };
  const refs = async (query: Record<string, string>) =>
    (await found(query)).guias.map(({ external_ref }: any) => external_ref);

  it.each(['Pedido 1', ' Pedido 1\t'])(
    'external_ref %j finds one guide, trimmed like at creation',
    async (ref) => {
      const { guias, siguiente_cursor } = await found({ external_ref: ref, limit: '1' });
      expect(guias).toMatchObject([{ id: ana.id, external_ref: 'Pedido 1' }]);
      expect(siguiente_cursor).toBeNull();
    },
  );

  it.each(['pedido 1', 'Pedido', 'Pedido_1', 'Pedido 3'])(
    'external_ref %j finds nothing, because it must match exactly a guide of the merchant',
    async (ref) => {
      expect(await found({ external_ref: ref })).toEqual({ ok: true, guias: [], siguiente_cursor: null });
    },
  );

  it('guia finds the guide with that number, if it belongs to the merchant', async () => {
    const { guias, siguiente_cursor } = await found({ guia: ana.guia });
    expect([guias.length, guias[0].id, siguiente_cursor]).toEqual([1, ana.id, null]);
    expect((await found({ guia: another.guia })).guias).toEqual([]);
    expect((await found({ guia: '483920175567' })).guias).toEqual([]);
  });

  it("telefono without a country code is read in the merchant's country", async () => {
    const mexican = await test.merchant({ country: 'MX' });
    const { id } = (await mexican.post(GUIAS, guiaBody({ telefono: '55 1234 5678' }))).body;
    for (const telefono of ['5512345678', '+525512345678']) {
      expect((await found({ telefono }, mexican)).guias.map((guia: any) => guia.id)).toEqual([id]);
    }
    expectFaults(await list({ telefono: '5555 1234' }, mexican), ['telefono: formato']);
  });

  it('telefono with a + that was not encoded is read like the encoded one', async () => {
    const encoded = await merchant.get(`${GUIAS}?telefono=${encodeURIComponent('+50255551234')}`);
    expect(encoded.body.guias).not.toHaveLength(0);
    expect((await merchant.get(`${GUIAS}?telefono=+50255551234`)).body).toEqual(encoded.body);
  });

  it('direccion_confirmada uses the current value of each guide', async () => {
    const desde = '2026-01-01';
    const ids = async (direccion_confirmada: string) =>
      (await found({ direccion_confirmada, desde })).guias.map(({ id }: any) => id);
    expect([await ids('true'), await ids('false')]).toEqual([[ana.id], [bea.id]]);
    await test.database.query(
      'update guias set direccion_confirmada = true, destino_lat = 1, destino_lng = 2 where id = $1',
      [bea.id],
    );
    expect([await ids('true'), await ids('false')]).toEqual([[bea.id, ana.id], []]);
  });

  it('number and reference find a guide only if both are of the same one', async () => {
    expect(await refs({ guia: ana.guia, external_ref: 'Pedido 1' })).toEqual(['Pedido 1']);
    expect(await refs({ guia: ana.guia, external_ref: 'Pedido 2' })).toEqual([]);
  });

  it('a number or a reference is not accepted with a cursor of another list', async () => {
    const { siguiente_cursor: cursor } = await found({ limit: '1' });
    expectProblem(await list({ external_ref: 'Pedido 1', cursor }), 'cursor_invalido');
    expectProblem(await list({ guia: ana.guia, cursor }), 'cursor_invalido');
  });

  it('states are trimmed, and the unknown ones are named', async () => {
    expect(await refs({ estado: ' aceptado , aceptado' })).toEqual(await refs({ estado: 'aceptado' }));
    const one = await list({ estado: ' cancelado,x ' });
    expectFaults(one, ['estado: formato']);
    expect(one.body.errores[0].mensaje).toMatch(/^`x` no es un estado\. /);
    const { body } = await list({ estado: 'y, recogido,x' });
    expect(body.errores[0].mensaje).toMatch(/^`y`, `x` no son estados\. /);
    const { body: split } = await list({ estado: 'a\nb' });
    expect(split.errores[0].mensaje).toMatch(/^`a b` no es un estado\. .+$/);
    const { body: empty } = await list({ estado: 'recogido,' });
    expect(empty.errores[0].mensaje).toMatch(/^Hay una coma de más\. /);
  });
});
