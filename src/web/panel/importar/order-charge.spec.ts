import { guessColumns } from './columns.js';
import { judgeColumns } from './judged-columns.js';
import { joinPart } from './file-item.js';
import { chargeReader, decidesCharge } from './order-charge.js';

const GT = { currency: 'GTQ', country: 'GT' } as const;

const PLACES = new Map([
  [
    'sacatepequez',
    [{ kind: 'departamento', departamento: 'Sacatepéquez', municipio: 'Sacatepéquez' } as const],
  ],
]);

const chargeOf = (row: Record<string, string>): string => {
  const header = Object.keys(row);
  const rows = [{ cells: Object.values(row) }];
  const columnas = guessColumns(header, {}, judgeColumns(header, rows, PLACES, 'GT'));
  return chargeReader({ header, columnas, separador: ',', merchant: GT })(Object.values(row)).kind;
};

describe('the charge of an order', () => {
  it.each<[kind: string, row: Record<string, string>]>([
    ['pagado', { Total: '120.00', 'Forma de pago': 'Tarjeta', 'Estado de pago': 'Pagado' }],
    ['cobrar', { Total: '120.00', 'Forma de pago': 'Contra entrega', 'Estado de pago': 'Pendiente' }],
    ['pagado', { Total: '120.00', 'Estado de pago': 'Cancelado' }],
    ['cancelado', { Total: '120.00', 'Estado del pedido': 'Cancelado' }],
    ['preguntar', { Total: '120.00', Estado: 'Cancelado' }],
    ['preguntar', { Total: '120.00', 'Estado de pago': 'Pago parcial' }],
    ['cobrar', { 'Saldo pendiente': '20.00', Total: '120.00', 'Estado de pago': 'Pago parcial' }],
    ['preguntar', { Total: '350', Anticipo: '100' }],
    ['pagado', { Total: '350', Anticipo: '350' }],
    ['cobrar', { Total: '350', Anticipo: '0' }],
    ['preguntar', { Total: '45.00', Moneda: 'USD' }],
    ['cobrar', { Total: '45.00', Moneda: 'Quetzales' }],
    ['preguntar', { 'Total (USD)': '45.00' }],
    ['cobrar', { Total: '120.00' }],
    ['cobrar', { Total: '120.00', Estado: 'Pendiente' }],
    ['cobrar', { Total: '120.00', Estado: 'Sacatepéquez' }],
    ['pagado', { Total: '120.00', Pagado: 'Sí' }],
    ['cobrar', { Total: '120.00', Pagado: 'No' }],
    [
      'pagado',
      { order_total: '349.50', status: 'processing', payment_method: 'stripe', billing_first_name: 'A' },
    ],
    [
      'cobrar',
      { order_total: '349.50', status: 'processing', payment_method: 'cod', billing_first_name: 'A' },
    ],
    [
      'cancelado',
      { order_total: '349.50', status: 'cancelled', payment_method: 'cod', billing_first_name: 'A' },
    ],
    ['pagado', { order_total: '349.50', status: 'refunded', payment_method: 'cod', billing_first_name: 'A' }],
    ['cancelado', { Total: '120.00', 'Estado del pago': 'Anulado', 'Estado del envío': 'x' }],
    ['pagado', { Total: '120.00', Estado: 'Pago aceptado', Pago: 'Tarjeta' }],
    ['pagado', { Total: '120.00', paymentStatus: 'Paid in full' }],
    ['pagado', { Total: '120.00', 'Estado del cobro': 'Cobrado' }],
    ['pagado', { Total: '120.00', 'Transaction Status': 'Captured' }],
    ['pagado', { Total: '120.00', Prepagado: 'Sí' }],
    ['pagado', { Total: '120.00', 'Estado de pago': 'Prepaid' }],
    ['pagado', { Total: '120.00', 'Estado de pago': 'Pago revertido' }],
    ['cobrar', { Total: '120.00', 'Payment Status': 'To be paid on delivery' }],
    ['cobrar', { Total: '120.00', 'Estado de pago': 'Cobrar' }],
    ['cancelado', { Total: '120.00', orderStatus: 'Canceled' }],
    ['cancelado', { Total: '120.00', 'Estado de la compra': 'Pedido descartado' }],
    ['cancelado', { Total: '120.00', isCancelled: 'true' }],
    ['cobrar', { Total: '120.00', Cancelado: 'No' }],
    ['cancelado', { Total: '120.00', 'Fecha de anulación': '2026-11-21' }],
    ['preguntar', { Total: '120.00', 'Estado del envío': 'Devuelto' }],
    ['cobrar', { Total: '120.00', 'Fulfillment Status': 'partial' }],
    ['cobrar', { Total: '120.00', 'Estado del envío': 'Listo para enviar' }],
    ['preguntar', { Total: '120.00', Reembolsado: 'Sí' }],
    ['cobrar', { Total: '120.00', Reembolsado: 'No' }],
    ['preguntar', { Total: '120.00', Enganche: '50' }],
    ['preguntar', { Total: '120.00', 'Pasarela de pago': 'Stripe' }],
    ['preguntar', { Total: '120.00', Notas: 'Ya está cancelado, por transferencia' }],
    ['cobrar', { Total: '120.00', Notas: 'Llamar antes, no está pagado' }],
    ['cobrar', { 'Total a cobrar': '20.00', Notas: 'Pagado el anticipo' }],
    ['preguntar', { Total: '120.00', 'Forma de pago': 'Cancelado' }],
    ['preguntar', { Total: '120.00', 'Forma de pago': 'Ya pagado' }],
    ['preguntar', { Total: '120.00', 'Método de pago': 'Pagado en efectivo' }],
    ['cobrar', { Total: '120.00', 'Método de pago': 'Pago contra entrega' }],
    ['cobrar', { Total: '120.00', 'Método de pago': 'Contado' }],
    ['preguntar', { Total: '120.00', Estado: 'Pago cancelado' }],
    ['pagado', { total_paid_tax_incl: '120.00', payment: 'Tarjeta', osname: 'Pago aceptado' }],
    ['cobrar', { order_total: '120.00', shipping_state: 'Guatemala', billing_state: 'Guatemala' }],
    ['cobrar', { Total: '120.00', 'Estado (Facturación)': 'Guatemala', 'Estado facturación': 'Guatemala' }],
    ['pagado', { 'Total (ARS)': '120.00', '# de venta': '1', Estado: 'Listo para enviar' }],
  ])('is %s of %j', (kind, row) => {
    expect(chargeOf(row)).toBe(kind);
  });

  it.each(['authorized', 'paid', 'refunded'])('is nothing of an order of Shopify that is %s', (status) => {
    const row = {
      ...{ Name: '#1', 'Lineitem name': 'x', 'Financial Status': status, Total: '70' },
      'Outstanding Balance': '70',
    };
    expect(chargeOf(row)).toBe('pagado');
  });
});

describe('columns', () => {
  it.each([
    ...['Order Total', 'orderTotal', 'TotalPrice', 'total_paid_tax_incl', 'codAmount', 'Monto COD'],
    ...['A cobrar', 'Total de la compra', 'Amount to collect', 'Valor del pedido'],
  ])('are the amount under %s', (heading) => {
    expect(Object.values(guessColumns(['Pedido', heading]))).toEqual(['external_ref', 'cod_amount']);
  });

  it('in one word are read as their words', () => {
    const header = ['orderNumber', 'customerFirstName', 'customerLastName', 'phoneNumber', 'WhatsApp'];
    expect(Object.values(guessColumns(header))).toEqual([
      ...['external_ref', 'nombre', 'nombre_2', '', 'telefono'],
    ]);
  });

  it('of WooCommerce are known, names in two columns too', () => {
    const header =
      'order_number,status,order_total,order_currency,payment_method,billing_first_name,billing_last_name,billing_phone,shipping_first_name,shipping_last_name,shipping_address_1,shipping_city,shipping_state';
    expect(Object.values(guessColumns(header.split(',')))).toEqual([
      ...['external_ref', '', 'cod_amount', '', '', '', '', 'telefono', 'nombre', 'nombre_2'],
      ...['direccion', 'municipio', 'departamento'],
    ]);
  });

  it('of a last name and a house number continue the name and the street', () => {
    expect(Object.values(guessColumns(['Nombre', 'Apellido', 'Calle', 'Número']))).toEqual([
      ...['nombre', 'nombre_2', 'direccion', 'direccion_2'],
    ]);
    expect(joinPart('4a calle', '5-10')).toBe('4a calle 5-10');
    expect(joinPart('Ana López', 'lópez')).toBe('Ana López');
  });

  it('left as proposed for one file overrule no better column of another, and no known export', () => {
    expect(guessColumns(['Tel', 'Total', 'Total a cobrar'], { total: 'cod_amount' })).toMatchObject({
      2: 'cod_amount',
    });
    const shopify = ['Name', 'Lineitem name', 'Total', 'Outstanding Balance'];
    expect(guessColumns(shopify, { total: 'cod_amount' })).toMatchObject({ 2: '', 3: 'cod_amount' });
  });

  it('called Estado are a department only where their cells are', () => {
    const judge = (cells: string[]) =>
      judgeColumns(
        ['Estado'],
        cells.map((cell) => ({ cells: [cell] })),
        PLACES,
        'GT',
      );
    expect(judge(['Pendiente', 'Completado'])).toEqual({ 0: '' });
    expect(judge(['Sacatepéquez'])).toEqual({ 0: 'departamento' });
  });
});

it.each([
  ['Estado del pago', true],
  ['Moneda', true],
  ['Teléfono', false],
  ['Estado de facturación', false],
])('a column %j is read for what is to be collected: %s', (heading, decides) => {
  expect(decidesCharge(heading)).toBe(decides);
});
