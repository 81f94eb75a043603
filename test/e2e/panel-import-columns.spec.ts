import { PanelBrowser } from '../support/panel.js';
import { createTestApp, type TestApp, type TestMerchant } from '../support/test-app.js';

describe('an import judges what the columns of a sheet mean', () => {
  let test: TestApp;
  let merchant: TestMerchant;
  let browser: PanelBrowser;

  beforeAll(async () => {
    test = await createTestApp({ env: { ROLE: 'api' } });
    merchant = await test.merchant();
    browser = await PanelBrowser.in(test, merchant);
  });
  afterAll(() => test.close());

  const upload = async (lines: string[]) => {
    const { status, headers } = await browser.upload('/panel/importar', {
      name: 'a.csv',
      bytes: lines.join('\n'),
    });
    expect(status).toBe(303);
    return headers.get('location')!;
  };
  const make = async (path: string) => {
    await browser.post(`${path}/recogida`, { 'recogida.maps_url': '14.6407,-90.5133' });
    await browser.post(`${path}/crear`, {});
    const { body } = await merchant.get('/api/v1/guias');
    return (body.guias as Record<string, unknown>[])[0]!;
  };

  it('collects nothing of an order that is paid, and makes none that is cancelled', async () => {
    const path = await upload([
      'Pedido,Nombre,Apellido,Teléfono,Municipio,Calle,Número,Total,Estado de pago,Estado del pedido',
      'PC-2,Rosa,Pérez,5555 4321,Mixco,4a calle,5-10,120.00,Pagado,Abierto',
      'PC-3,Rosa,Pérez,5555 4321,Mixco,4a calle,5-10,120.00,Pendiente,Cancelado',
    ]);
    expect(await browser.page(path)).toContain('Un pedido está cancelado en el archivo');
    const guia = await make(path);
    expect(await browser.page(`/panel/guias/${String(guia.guia)}`)).toContain('Rosa Pérez');
    expect(guia).toMatchObject({
      external_ref: 'PC-2',
      cod_amount: 0,
      direccion: '4a calle 5-10',
    });
  });

  it('asks for the amount of another currency, and takes the one that is written', async () => {
    const path = await upload([
      'Pedido\tCliente\tTeléfono\tMunicipio\tDirección\tTotal\tMoneda',
      'M-1\tAna\t5555 1234\tMixco\t4a calle\t45.00\tUSD',
    ]);
    expect(await browser.page(path)).toContain('El archivo dice «USD», con 45.00');
    await browser.post(`${path}/filas`, { '2.cod_amount': '350' });
    expect(await make(path)).toMatchObject({ external_ref: 'M-1', cod_amount: 350 });
  });

  it('asks before it makes anything where a column may be the amount', async () => {
    const path = await upload(['Pedido,Cliente,Teléfono,Municipio,Precio', 'N-1,Ana,5555 9876,Mixco,349.50']);
    expect(await browser.page(path)).toContain('¿Es el monto alguna de estas: «Precio»?');
    expect((await browser.post(`${path}/crear`, {})).status).toBe(422);
  });
});
