import fc from 'fast-check';
import { getCountries } from 'libphonenumber-js';
import { labelRow, LONGEST } from '../../test/support/label-rows.js';
import { propertyRuns } from '../../test/support/property-runs.js';
import { currencyOf } from '../auth/merchants/currency.js';
import type { LabelRow } from './etiquetas.queries.js';
import { toLabelContent } from './label-content.js';
import { layOut } from './label-layout.js';
import type { Mark, TextMark } from './marks.js';
import { SHEETS, TAMANOS, type Tamano } from './sheets.js';
import { FONT_ALPHABET, measure } from './typeface.js';

const { nombre, ...longTexts } = LONGEST;
const LONG = { ...longTexts, destinatario: nombre, comercio: nombre, cod_amount: '1000000.00' };

const marksOf = (row: LabelRow, tamano: Tamano) =>
  layOut(toLabelContent(row, FONT_ALPHABET), SHEETS[tamano].label, measure);
const textsOf = (marks: Mark[]) => marks.filter((mark): mark is TextMark => mark.kind === 'text');
/** The label as one line, without its line breaks. */
const read = (marks: Mark[]) =>
  textsOf(marks)
    .map(({ text }) => text)
    .join(' ');

/** Modules of a code, and those that must be free on every side. */
const QR_MODULES = { 1: 21, 3: 29 };
const QR_QUIET = 4;

/** From the top of a line to below its descenders. */
const extentOf = ({ x, baseline, size, text, isBold }: TextMark) => ({
  left: x,
  right: x + measure(text, { size, isBold }),
  top: baseline - 0.93 * size,
  bottom: baseline + 0.24 * size,
});

/** A code of 12 digits has 101 modules: start, check and the digits in pairs 11 each, the stop 13. */
const BAR_MODULES = 8 * 11 + 13;

const placeOf = (mark: Mark) => {
  if (mark.kind === 'text') return extentOf(mark);
  const qr = mark.kind === 'qr' ? QR_MODULES[mark.version] * mark.module : 0;
  const width = mark.kind === 'box' ? mark.width : mark.kind === 'qr' ? qr : BAR_MODULES * mark.module;
  const height = mark.kind === 'qr' ? qr : mark.height;
  return { left: mark.x, right: mark.x + width, top: mark.y, bottom: mark.y + height };
};

const UNCONFIRMED = { direccion_confirmada: false, destino_lat: null, destino_lng: null } as const;

/** Currencies without cents in use have larger amounts. */
const largestIn = (moneda: string) =>
  ['COP', 'CLP', 'PYG', 'CRC', 'ARS'].includes(moneda) ? '100000000.00' : '1000000.00';

/** The texts of the boxes for attempts, for which there may be no room. */
const isOfAttempts = ({ text }: TextMark) => /^[1-3]$|^_|^No /.test(text);

describe.each(TAMANOS)('a label of %s', (tamano) => {
  const { label } = SHEETS[tamano];

  it('has every text of a usual guide, whole', () => {
    const row = labelRow();
    const text = read(marksOf(row, tamano));
    for (const expected of [
      ...[
        '9316 3786 2414',
        'GUÍA',
        '14.6407, -90.5133',
        'MAPA',
        row.comercio,
        row.destinatario,
        row.municipio,
        row.departamento,
      ],
      ...[row.direccion, row.referencia, row.notas, row.contenido, row.external_ref],
      ...['21/11/2026', 'COBRAR Q 349.50', '5555 1234'],
    ])
      expect(text).toContain(expected);
    expect(text).not.toContain('…');
    expect(text.match(/____\/____/g)).toHaveLength(3);
  });

  it('of an unconfirmed guide says so in place of coordinates and map', () => {
    const marks = marksOf(labelRow(UNCONFIRMED), tamano);
    expect(read(marks)).toMatch(/SIN CONFIRMAR.*LLAMAR ANTES/);
    expect(read(marks)).not.toMatch(/MAPA|14\.6407/);
    expect(marks.filter(({ kind }) => kind === 'qr')).toHaveLength(1);
  });

  it('of a place whose coordinates are not known has neither map nor warning', () => {
    const text = read(marksOf(labelRow({ destino_lat: null, destino_lng: null }), tamano));
    expect(text).not.toMatch(/MAPA|SIN CONFIRMAR/);
  });

  it.each([
    ['PRUEBA – NO ENVIAR', { de_prueba: true }],
    ['CANCELADA – NO ENVIAR', { estado: 'cancelado' }],
  ] as const)('has %s in the only black band, above every text of a guide', (aviso, over) => {
    const marks = marksOf(labelRow(over), tamano);
    const texts = textsOf(marks);
    expect(texts.filter(({ isInverse }) => isInverse).map(({ text }) => text)).toEqual([aviso]);
    const [band] = marks;
    if (band?.kind !== 'box') throw new Error('the band is drawn first');
    expect(band).toMatchObject({ x: label.margin, width: label.width - 2 * label.margin });
    const [warning, ...others] = texts;
    const { left, right } = extentOf(warning!);
    expect([left > band.x, right < band.x + band.width]).toEqual([true, true]);
    for (const text of others) expect(extentOf(text).top).toBeGreaterThanOrEqual(band.y + band.height);

    const isWarning = ({ text }: TextMark) => text === aviso;
    const usual = textsOf(marksOf(labelRow(), tamano)).filter((mark) => !isWarning(mark));
    // In large letters a landmark has no title.
    const words = (all: TextMark[]) =>
      read(all.filter((mark) => !isOfAttempts(mark) && mark.text !== 'Referencia:'))
        .split(' ')
        .sort();
    expect(words(others)).toEqual(words(usual));
  });

  it.each([
    ['beside a long address', { direccion: longTexts.direccion.slice(0, 230) }, 220],
    ['of an unconfirmed guide', { direccion_confirmada: false }, 380],
    ['of a test guide', { de_prueba: true }, 220],
    ['of a usual guide', {}, 380],
  ])('prints contents that fit whole, with a smaller municipality where need be: %s', (_, over, length) => {
    for (const field of ['contenido', 'notas'])
      expect(
        read(marksOf(labelRow({ ...over, [field]: longTexts.notas.slice(0, length) }), tamano)),
      ).not.toContain('…');
  });

  it('prints APROX. beside coordinates that may be far off, on their line', () => {
    const place = { destino_lat: -80.123457, destino_lng: -179.765432 };
    for (const over of [{}, place]) {
      const row = labelRow({ ...over, advertencias: ['destino_impreciso'] });
      const texts = textsOf(marksOf(row, tamano)).map(({ text }) => text);
      expect(texts).toContain(`${row.destino_lat}, ${row.destino_lng} APROX.`);
      expect(read(marksOf({ ...row, direccion_confirmada: false }, tamano))).not.toContain('APROX.');
    }
    expect(read(marksOf(labelRow(), tamano))).not.toContain('APROX.');
  });

  it('has the largest amount of every country whole, on one line', () => {
    const symbols = new Set<string>();
    for (const pais of getCountries()) {
      const content = toLabelContent(
        labelRow({ pais, moneda: currencyOf(pais), cod_amount: largestIn(currencyOf(pais)) }),
        FONT_ALPHABET,
      );
      if (symbols.has(content.cobro)) continue;
      symbols.add(content.cobro);
      expect(textsOf(layOut(content, label, measure)).map(({ text }) => text)).toContain(content.cobro);
    }
  });

  it('has the names and places of the longest guide whole, and of each other text what fits', () => {
    const row = labelRow(LONG);
    const text = read(marksOf(row, tamano));
    for (const name of [row.destinatario, row.municipio, row.departamento]) expect(text).toContain(name);
    expect(text).toContain('De: El veloz murciélago hindú');
    for (const title of ['Dirección:', 'Referencia:', 'Notas:', 'Contenido:', 'Pedido:'])
      expect(text).toContain(`${title} El veloz murciélago hindú`);
    expect(text).toContain('…');
  });

  it.each([
    ['', false],
    [' of a test guide', true],
  ])('keeps a line of each detail below the tallest names and places%s', (_, de_prueba) => {
    const digits = (length: number) => '8'.repeat(length);
    const names = { comercio: digits(60), destinatario: digits(50) };
    const places = { municipio: digits(100), departamento: digits(80) };
    const marks = marksOf(labelRow({ ...names, ...places, de_prueba }), tamano);
    const all = textsOf(marks);
    const last = all.findLast(({ text }) => text === 'Contenido:')!;
    const sender = all.find(({ text }) => text.startsWith('De'))!;
    expect(extentOf(last).bottom).toBeLessThanOrEqual(extentOf(sender).top);
    const text = read(marks);
    for (const title of ['Dirección:', 'Frente a', 'Notas:', 'Contenido:', 'Pedido:'])
      expect(text).toContain(title);
  });

  it('writes nothing smaller than 20 dots, and cuts what does not fit', () => {
    const digits = (length: number) => '8'.repeat(length);
    const tall = { comercio: digits(120), destinatario: digits(120), municipio: digits(120) };
    for (const over of [{}, LONG, { ...LONG, ...tall, departamento: digits(120) }])
      for (const { size } of textsOf(marksOf(labelRow(over), tamano)))
        expect(size).toBeGreaterThanOrEqual(20);
  });

  it('names the merchant as the sender: a guide may have no name of a recipient', () => {
    const texts = textsOf(marksOf(labelRow({ destinatario: '' }), tamano));
    expect(texts.map(({ text }) => text)).toContain('De: Tienda Ñandú');
  });

  it('writes the municipality larger than anything but the number', () => {
    const texts = textsOf(marksOf(labelRow({ cod_amount: '0.00' }), tamano));
    const sizeOf = (text: string) => texts.find((mark) => mark.text === text)!.size;
    const place = sizeOf('Antigua Guatemala');
    for (const { text, size } of texts)
      if (!['Antigua Guatemala', '9316 3786 2414', 'SIN COBRO'].includes(text))
        expect(size).toBeLessThan(place);
  });

  it.each([
    ['a usual guide', labelRow()],
    ['the longest guide', labelRow(LONG)],
    ['a test guide', labelRow({ de_prueba: true })],
    ['the longest cancelled guide', labelRow({ ...LONG, estado: 'cancelado' })],
    ['a guide with the shortest names', labelRow({ comercio: 'X', destinatario: '' })],
    ['the longest test guide', labelRow({ ...LONG, de_prueba: true })],
  ])('leaves four modules free on every side of the QR codes of %s', (_, row) => {
    const marks = marksOf(row, tamano);
    const codes = marks.filter((mark) => mark.kind === 'qr');
    expect(codes).toHaveLength(2);
    for (const qr of codes) {
      const quiet = QR_QUIET * qr.module;
      const place = placeOf(qr);
      const zone = {
        left: place.left - quiet,
        right: place.right + quiet,
        top: place.top - quiet,
        bottom: place.bottom + quiet,
      };
      expect(zone.right).toBeLessThanOrEqual(label.width);
      expect(zone.top).toBeGreaterThanOrEqual(0);
      const within = marks.filter((mark) => {
        if (mark === qr) return false;
        const { left, right, top, bottom } = placeOf(mark);
        return left < zone.right && right > zone.left && top < zone.bottom && bottom > zone.top;
      });
      expect(within).toEqual([]);
    }
  });

  it('keeps every text inside its margins, and no text over another', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 500 }),
      fc.constantFrom('W'.repeat(500), 'Ñ ñ '.repeat(120), 'i'.repeat(500), 'a\n'.repeat(200)),
      fc.integer({ min: 1, max: 120 }).map((length) => '8'.repeat(length)),
    );
    const texts = fc.record({
      ...{ destinatario: text, comercio: text, municipio: text, departamento: text, direccion: text },
      ...{ referencia: text, notas: text, contenido: text, external_ref: text, de_prueba: fc.boolean() },
      direccion_confirmada: fc.boolean(),
    });
    fc.assert(
      fc.property(texts, (over) => {
        const marks = marksOf(labelRow(over), tamano);
        const all = textsOf(marks);
        const rows = all
          .filter(({ text }) => text !== '')
          .sort((one, other) => one.baseline - other.baseline);
        for (const [i, mark] of rows.entries()) {
          const { left, right, top, bottom } = extentOf(mark);
          expect(left).toBeGreaterThanOrEqual(label.margin);
          expect(right).toBeLessThanOrEqual(label.width - label.margin + 1);
          expect(top).toBeGreaterThanOrEqual(label.margin - 1);
          expect(bottom).toBeLessThanOrEqual(label.height - label.margin);
          const below = rows.slice(i + 1).find(({ baseline }) => baseline > mark.baseline + 2);
          const isBeside = below !== undefined && (below.x >= right || extentOf(below).right <= left);
          if (below && !isBeside)
            expect(below.baseline - mark.baseline).toBeGreaterThanOrEqual(0.73 * below.size);
        }
      }),
      { numRuns: propertyRuns(30) },
    );
  });
});
