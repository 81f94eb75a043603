import { PanelBrowser } from '../support/panel.js';
import type { TestMerchant } from '../support/test-app.js';
import { useSharedApp } from '../support/use.js';

const SHOPIFY =
  'Name,Financial Status,Currency,Total,Outstanding Balance,Lineitem name,Shipping Name,Shipping Phone,Shipping City,Shipping Address1';
const WOOCOMMERCE =
  'order_number,status,order_total,order_currency,payment_method,billing_first_name,billing_last_name,billing_phone,shipping_first_name,shipping_last_name,shipping_address_1,shipping_city,shipping_state';
const SIMPLE = 'Pedido,Cliente,Teléfono,Municipio,Dirección,Total';

describe('an import judges what the columns of a sheet mean', () => {
  const test = useSharedApp();
  let merchant: TestMerchant;
  let browser: PanelBrowser;

  // What one file teaches counts for no other.
  beforeEach(async () => {
    merchant = await test.merchant();
    browser = await PanelBrowser.in(test, merchant);
  });

  const upload = async (lines: string[]) => {
    const { status, headers } = await browser.upload('/panel/importar', {
      name: 'a.csv',
      bytes: lines.join('\n'),
    });
    expect(status).toBe(303);
    return headers.get('location')!;
  };
  const guias = async () => {
    const { body } = await merchant.get('/api/v1/guias');
    return body.guias as Record<string, unknown>[];
  };
  const make = async (path: string, fields: Record<string, string> = {}) => {
    await browser.post(`${path}/recogida`, { 'recogida.maps_url': '14.6407,-90.5133' });
    await browser.post(`${path}/crear`, fields);
    return (await guias())[0]!;
  };
  const nameOf = async (guia: Record<string, unknown>) => browser.page(`/panel/guias/${String(guia.guia)}`);

  it.each<[rule: string, lines: string[], made: Record<string, unknown>, nombre: string]>([
    [
      "the total of WooCommerce's export, from who receives",
      [
        WOOCOMMERCE,
        'WC-5,processing,349.50,GTQ,cod,Ana,López,5555 4321,Ana,López,4a calle 5-10,Mixco,Guatemala',
      ],
      { external_ref: 'WC-5', cod_amount: 349.5, direccion: '4a calle 5-10', municipio: 'Mixco' },
      'Ana López',
    ],
    [
      'camelCase headings, also of an address in parts',
      [
        'orderNumber,customerName,phoneNumber,shippingCity,shippingAddress1,orderTotal,paymentStatus',
        'CC-1,Ana López,5555 1234,Mixco,4a calle,349.50,unpaid',
      ],
      { external_ref: 'CC-1', cod_amount: 349.5, municipio: 'Mixco', direccion: '4a calle' },
      'Ana López',
    ],
    [
      'a state of the order, which is no department',
      [
        'Pedido,Cliente,Teléfono,Ciudad,Dirección,Total,Estado',
        'E-1,Ana López,5555 1234,Mixco,4a calle,120,Pendiente',
        'E-0,Eva López,5555 1235,Mixco,4a calle,120,Completado',
      ],
      { departamento: 'Guatemala', municipio: 'Mixco', cod_amount: 120 },
      'López',
    ],
    [
      'a department under `Ciudad`, beside the municipality',
      [
        'Pedido,Cliente,Teléfono,Ciudad,Municipio,Dirección,Total',
        'C-1,Ana López,5555 1234,Guatemala,Mixco,4a calle,120',
      ],
      { departamento: 'Guatemala', municipio: 'Mixco' },
      'Ana López',
    ],
    [
      'departments and municipalities under headings that say nothing, though a department bears the name of a town',
      [
        'Pedido,Quién,Número,Col A,Col B,Dirección,Total',
        'D-1,Ana López,5555 1234,Guatemala,Mixco,4a calle,120',
      ],
      { departamento: 'Guatemala', municipio: 'Mixco' },
      'Ana López',
    ],
    [
      'a file separated by tabs',
      [SIMPLE, 'T-1,Ana López,5555 1234,Mixco,4a calle,120'].map((line) => line.replaceAll(',', '\t')),
      { external_ref: 'T-1', cod_amount: 120, direccion: '4a calle' },
      'Ana López',
    ],
    [
      'a file separated by pipes',
      [SIMPLE, 'P-1,Ana López,5555 1234,Mixco,4a calle,120'].map((line) => line.replaceAll(',', '|')),
      { external_ref: 'P-1', cod_amount: 120, direccion: '4a calle' },
      'Ana López',
    ],
  ])('reads %s', async (_, lines, made, nombre) => {
    const guia = await make(await upload(lines));
    expect(guia).toMatchObject(made);
    expect(await nameOf(guia)).toContain(nombre);
  });

  it('collects nothing of an order that is paid, makes none that is cancelled, and joins names and streets in two columns', async () => {
    const path = await upload([
      'Pedido,Nombre,Apellido,Teléfono,Municipio,Calle,Número,Total,Estado de pago,Estado del pedido',
      'PC-2,Rosa,Pérez,5555 4321,Mixco,4a calle,5-10,120.00,Pagado,Abierto',
      'PC-3,Rosa,Pérez,5555 4321,Mixco,4a calle,5-10,120.00,Pendiente,Cancelado',
    ]);
    expect(await browser.page(path)).toContain('Un pedido está cancelado en el archivo');
    const made = await make(path);
    expect(made).toMatchObject({ external_ref: 'PC-2', cod_amount: 0, direccion: '4a calle 5-10' });
    expect(await nameOf(made)).toContain('Rosa Pérez');
    expect(await guias()).toHaveLength(1);
  });

  it.each([
    [
      'Pedido\tCliente\tTeléfono\tMunicipio\tDirección\tTotal\tMoneda',
      'M-1\tAna\t5555 1234\tMixco\t4a calle\t45.00\tUSD',
    ],
    [SHOPIFY, 'M-1,pending,USD,45.00,45.00,Blusa,Rosa Pérez,5555 4321,Mixco,4a calle'],
  ])('asks for the amount of another currency, and takes the one that is written', async (...lines) => {
    const path = await upload(lines);
    expect(await browser.page(path)).toContain('El archivo dice «USD», con 45.00');
    expect(await make(path)).toBeUndefined();
    await browser.post(`${path}/filas`, { '2.cod_amount': '350' });
    expect(await make(path)).toMatchObject({ external_ref: 'M-1', cod_amount: 350 });
  });

  it("takes what is owed of Shopify's export after a file whose Total was kept as proposed", async () => {
    const first = await upload([SIMPLE, 'S-1,Ana López,5555 1234,Mixco,4a calle,120']);
    const campos = ['external_ref', 'nombre', 'telefono', 'municipio', 'direccion', 'cod_amount'];
    const columnas = Object.fromEntries(campos.map((campo, i) => [`columna.${i}`, campo]));
    expect((await browser.post(`${first}/columnas`, columnas)).status).toBe(303);
    const path = await upload([
      SHOPIFY,
      '#9,partially_paid,GTQ,300.00,200.00,Blusa,Rosa Pérez,5555 4321,Mixco,4a calle',
    ]);
    expect(await make(path)).toMatchObject({ external_ref: '#9', cod_amount: 200 });
  });

  it.each([
    ['where a column may be it', 'Precio', '349.50', '¿Es el monto alguna de estas: «Precio»?'],
    ['where nothing looks like one', 'Color', 'azul', 'Ninguna columna trae el monto'],
    ['where only yes stands below a heading of it', 'Contra entrega', 'Sí', 'Ninguna columna trae el monto'],
  ])('asks for the amount before it makes anything: %s', async (_, heading, cell, question) => {
    const path = await upload([
      `Pedido,Cliente,Teléfono,Municipio,${heading}`,
      `N-1,Ana,5555 9876,Mixco,${cell}`,
    ]);
    expect(await make(path)).toBeUndefined();
    const page = await browser.page(path);
    expect(page).toContain(question);
    expect(page).toContain('name="sin_cobro"');
    expect((await browser.post(`${path}/crear`, {})).status).toBe(422);
    expect(await guias()).toEqual([]);
    expect(await make(path, { sin_cobro: 'si' })).toMatchObject({ external_ref: 'N-1', cod_amount: 0 });
  });
});
