import { groupOrders, guessColumns, headerAt } from './columns.js';

describe('the columns of a file', () => {
  it.each<[title: string, header: string[], columns: string[]]>([
    [
      'of ours',
      ['telefono', 'departamento', 'recogida.lat', 'cod_amount', 'external_ref', 'maps_url'],
      ['telefono', 'departamento', 'recogida.lat', 'cod_amount', 'external_ref', 'maps_url'],
    ],
    [
      'in Spanish',
      ['Pedido', 'Cliente', 'Celular', 'Dirección', 'Ciudad', 'Total a cobrar', 'Talla'],
      ['external_ref', 'nombre', 'telefono', 'direccion', 'municipio', 'cod_amount', ''],
    ],
    [
      'in Spanish, otherwise',
      ['ORDEN', 'Destinatario', 'WhatsApp', 'Monto', 'Teléfono:'],
      ['external_ref', 'nombre', '', 'cod_amount', 'telefono'],
    ],
    [
      "of Shopify's export",
      ['Name', 'Total', 'Lineitem name', 'Shipping Name', 'Phone', 'Shipping City', 'Id', 'Vendor'],
      ['external_ref', 'cod_amount', 'contenido', 'nombre', 'telefono', 'municipio', '', ''],
    ],
    [
      'of the list that the API exports',
      ['guia', 'id', 'estado', 'telefono', 'nombre'],
      ['guia', '', '', 'telefono', 'nombre'],
    ],
    ['of refused rows', ['Tel', 'motivo'], ['telefono', '']],
    ['without headings', ['', 'x'.repeat(300), '__proto__'], ['', '', '']],
  ])('are known: %s', (_, header, columns) => {
    expect(Object.values(guessColumns(header))).toEqual(columns);
  });

  it('are what the merchant chose before, and two never the same field', () => {
    const remembered = { quien: 'nombre', cliente: '' };
    expect(Object.values(guessColumns(['Quién', 'Cliente', 'Nombre'], remembered))).toEqual([
      'nombre',
      '',
      '',
    ]);
  });
});

describe("orders of Shopify's export", () => {
  const HEADER = [
    ...['Name', 'Financial Status', 'Total', 'Lineitem quantity', 'Lineitem name', 'Outstanding Balance'],
  ];

  it.each([
    ['pending', '100.00', '100.00', '100.00'],
    ['paid', '0.00', '0', '0.00'],
    ['partially_paid', '40.00', '100.00', '40.00'],
    ['pending', '', '100.00', '100.00'],
    ['paid', '', '0', '0'],
    ['refunded', '', '0', '0'],
    ['partially_refunded', '0.00', '0', '0.00'],
  ])('are one row with all articles, and what is owed: %s, %s', (status, due, total, owed) => {
    const rows = [
      { linea: 2, cells: ['#1', status, '100.00', '2', 'Blusa', due] },
      { linea: 3, cells: ['#1', '', '', '1', 'Falda', ''] },
      { linea: 4, cells: ['#2', status, '100.00', '1', 'Gorra', due] },
    ];
    expect(groupOrders(HEADER, rows)).toEqual([
      { linea: 2, cells: ['#1', status, total, '2', '2 × Blusa, Falda', owed] },
      { linea: 4, cells: ['#2', status, total, '1', 'Gorra', owed] },
    ]);
  });
});

describe("a cancelled order of Shopify's export", () => {
  it('has no row', () => {
    const header = ['Name', 'Lineitem name', 'Cancelled at'];
    const rows = [
      { linea: 2, cells: ['#1', 'Blusa', '2026-11-21 10:00:00 -0600'] },
      { linea: 3, cells: ['#1', 'Falda', ''] },
      { linea: 4, cells: ['#2', 'Gorra', ''] },
    ];
    expect(groupOrders(header, rows)).toEqual([{ linea: 4, cells: ['#2', 'Gorra', ''] }]);
  });
});

describe('headerAt', () => {
  it.each<[what: string, rows: string[][], at: number]>([
    [
      'the first row',
      [
        ['Tel', 'Ciudad'],
        ['5555', 'Mixco'],
      ],
      0,
    ],
    ['the row below a title', [['Noviembre'], [''], ['Tel', 'Ciudad']], 2],
    [
      'the row with the most, below the address of the shop',
      [
        ['Dirección', 'Zona 1', 'Tel', '5555'],
        ['Pedido', 'Tel', 'Ciudad', 'Total'],
      ],
      1,
    ],
    [
      'the first of two',
      [
        ['Tel', 'Ciudad'],
        ['Tel', 'Ciudad'],
      ],
      0,
    ],
    ['none with the phone alone', [['Noviembre'], ['Tel']], -1],
    ['none without the phone', [['Noviembre'], ['Ciudad', 'Cliente', 'Total']], -1],
    ['none far below', [...Array.from({ length: 11 }, () => ['x']), ['Tel', 'Ciudad', 'Total']], -1],
  ])('is %s', (_, rows, at) => {
    expect(headerAt(rows, {})).toBe(at);
  });
});
