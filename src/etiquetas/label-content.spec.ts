import { getCountries } from 'libphonenumber-js';
import { currencyOf } from '../auth/merchants/currency.js';
import type { LabelRow } from './etiquetas.queries.js';
import { toLabelContent } from './label-content.js';
import { ZPL_ALPHABET } from './printable.js';
import { labelRow } from '../../test/support/label-rows.js';
import { FONT_ALPHABET } from './typeface.js';

describe('toLabelContent', () => {
  it.each([
    ['GT', 'GTQ', '349.50', 'COBRAR Q 349.50'],
    ['MX', 'MXN', '0.01', 'COBRAR $ 0.01'],
    ['DO', 'DOP', '1000000.00', 'COBRAR RD$ 1,000,000.00'],
    ['GT', 'GTQ', '12345.67', 'COBRAR Q 12,345.67'],
    ['GT', 'USD', '5.00', 'COBRAR USD 5.00'],
    ['GT', 'GTQ', '0.00', 'SIN COBRO'],
  ] as const)('in %s, %s %s to be collected is %j', (pais, moneda, cod_amount, cobro) => {
    const content = toLabelContent(labelRow({ pais, moneda, cod_amount }), FONT_ALPHABET);
    expect(content).toMatchObject({ cobro, hasCobro: cobro !== 'SIN COBRO' });
  });

  it('names the currency where its symbol cannot be printed', () => {
    const row = labelRow({ pais: 'CR', moneda: 'CRC', cod_amount: '3500.00' });
    expect(toLabelContent(row, FONT_ALPHABET).cobro).toBe('COBRAR ₡ 3,500.00');
    expect(toLabelContent(row, ZPL_ALPHABET).cobro).toBe('COBRAR CRC 3,500.00');
  });

  it("has the date of the merchant's country, not that of UTC", () => {
    const fecha = (pais: 'GT' | 'ES' | 'US') =>
      toLabelContent(labelRow({ pais, creada_en: '2026-11-21T05:30:00.000Z' }), FONT_ALPHABET).fecha;
    expect([fecha('GT'), fecha('ES'), fecha('US')]).toEqual(['20/11/2026', '21/11/2026', '21/11/2026']);
  });

  it('has a date and an amount for every country that phone numbers have', () => {
    for (const pais of getCountries()) {
      const row = labelRow({ pais, moneda: currencyOf(pais) });
      const { fecha, cobro } = toLabelContent(row, FONT_ALPHABET);
      expect({ pais, fecha, cobro }).toEqual({
        pais,
        fecha: expect.stringMatching(/^2[0-2]\/11\/2026$/),
        cobro: expect.stringMatching(/^COBRAR .+ 349\.50$/),
      });
    }
  });

  it('leaves out what the guide does not have', () => {
    const noted = toLabelContent(labelRow({ nota: 'El timbre no sirve.' }), FONT_ALPHABET);
    expect(noted.detalles).toContainEqual({
      titulo: 'Notas:',
      texto: 'Llamar antes. – El timbre no sirve.',
      isPlace: false,
    });
    const row = labelRow({ direccion: 'Zona 4', referencia: null, notas: '\u200b', contenido: '' });
    expect(toLabelContent(row, FONT_ALPHABET).detalles).toEqual([
      { titulo: 'Dirección:', texto: 'Zona 4', isPlace: true },
      { titulo: 'Pedido:', texto: 'pedido-1042', isPlace: false },
    ]);
  });

  it('decodes texts of pages, and leaves the reference of the merchant as it is', () => {
    const row = labelRow({
      contenido: 'Zapatos &#8211; 38',
      notas: null,
      external_ref: 'R&amp;1',
      direccion: '',
    });
    expect(
      toLabelContent({ ...row, destinatario: 'L&oacute;pez', referencia: null }, ZPL_ALPHABET),
    ).toMatchObject({
      destinatario: 'López',
      detalles: [
        { titulo: 'Pedido:', texto: 'R&amp;1' },
        { titulo: 'Contenido:', texto: 'Zapatos – 38' },
      ],
    });
  });

  it.each([
    ['+50255551234', '5555 1234'],
    ['+50370001234', '+503 7000 1234'],
    ['+525512345678', '+52 55 1234 5678'],
    ['+14155552671', '+1 415 555 2671'],
    ['+123456789012345', '+1 23456789012345'],
    ['+999123', '+999123'],
  ])('groups the digits of the phone %s for who dials it', (telefono, text) => {
    expect(toLabelContent(labelRow({ telefono }), FONT_ALPHABET).telefono).toBe(text);
  });

  it.each([
    [14.6407, -90.5133, '14.6407, -90.5133'],
    [14.64071234, -90.51329876, '14.640712, -90.513299'],
    [14, -0.0000001, '14, 0'],
    [0.000001, -90.00001, '0.000001, -90.00001'],
    [-80.1234567, -179.7654321, '-80.123457, -179.765432'],
  ])(
    'has the coordinates %d, %d with at most six decimals, also in the link of the map',
    (lat, lng, texto) => {
      const { destino } = toLabelContent(labelRow({ destino_lat: lat, destino_lng: lng }), FONT_ALPHABET);
      const enlace = `https://maps.google.com/?q=${texto.replace(' ', '')}`;
      expect(destino).toEqual({ texto, enlace });
    },
  );

  it('says where coordinates are approximate, and leads to the same place', () => {
    const of = (advertencias: string[]) => toLabelContent(labelRow({ advertencias }), FONT_ALPHABET).destino;
    const { enlace } = of([])!;
    expect(of(['cod_distinto', 'destino_impreciso'])).toEqual({ texto: '14.6407, -90.5133 APROX.', enlace });
  });

  it('has no coordinates where they are unknown or not confirmed', () => {
    const content = (over: Partial<LabelRow>) => toLabelContent(labelRow(over), FONT_ALPHABET);
    const unknown = { destino_lat: null, destino_lng: null };
    expect(content(unknown)).toMatchObject({ destino: null, isUnconfirmed: false });
    for (const over of [{}, unknown])
      expect(content({ ...over, direccion_confirmada: false })).toMatchObject({
        destino: null,
        isUnconfirmed: true,
      });
  });

  it('is unconfirmed where the guide got another town after its place was confirmed', () => {
    const row = labelRow({ advertencias: ['telefono_dudoso', 'destino_por_revisar'] });
    expect(toLabelContent(row, FONT_ALPHABET)).toMatchObject({ destino: null, isUnconfirmed: true });
  });

  it.each([
    ['aceptado', false, null],
    ['entregado', false, null],
    ['aceptado', true, 'PRUEBA – NO ENVIAR'],
    ['cancelado', false, 'CANCELADA – NO ENVIAR'],
    ['cancelado', true, 'CANCELADA – NO ENVIAR'],
  ] as const)('of a guide in %s, of test mode: %j, warns %j', (estado, de_prueba, aviso) => {
    const content = toLabelContent(labelRow({ estado, de_prueba }), ZPL_ALPHABET);
    expect(content).toMatchObject({ aviso, cobro: 'COBRAR Q 349.50' });
    expect([...(aviso ?? '')].every(ZPL_ALPHABET.has)).toBe(true);
  });
});
