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

/** The boxes of a label are the band of its warning, if it has one; three rules; and the frame of its amount. */
const frameOf = (marks: Mark[]) => {
  const boxes = marks.filter((mark) => mark.kind === 'box');
  return boxes[marks[0]!.kind === 'box' ? 4 : 3]!;
};

const QR_SIZE = 21 * 8;
/** Four modules. */
const QR_QUIET = 4 * 8;

/** From the top of a line to below its descenders. */
const extentOf = ({ x, baseline, size, text, isBold }: TextMark) => ({
  left: x,
  right: x + measure(text, { size, isBold }),
  top: baseline - 0.93 * size,
  bottom: baseline + 0.24 * size,
});

/** A code of 12 digits has 101 modules: start, check and the digits in pairs 11 each, the stop 13. */
const BAR_MODULES = 8 * 11 + 13;

const placeOf = (mark: Exclude<Mark, { kind: 'qr' }>) => {
  if (mark.kind === 'text') return extentOf(mark);
  const width = mark.kind === 'box' ? mark.width : BAR_MODULES * mark.module;
  return { left: mark.x, right: mark.x + width, top: mark.y, bottom: mark.y + mark.height };
};

describe.each(TAMANOS)('a label of %s', (tamano) => {
  const { label } = SHEETS[tamano];

  it('has every text of a usual guide, whole', () => {
    const row = labelRow();
    const text = read(marksOf(row, tamano));
    for (const expected of [
      ...[row.guia, row.comercio, row.destinatario, row.municipio, row.departamento],
      ...[row.direccion, row.referencia, row.notas, row.contenido, row.external_ref],
      ...['21/11/2026', 'COBRAR Q 349.50', '+502 5555 1234'],
    ])
      expect(text).toContain(expected);
    expect(text).not.toContain('…');
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
    const words = (all: TextMark[]) => all.map(({ text }) => text).join(' ');
    expect(words(others)).toBe(words(usual));
  });

  it('has the largest amount of every country whole, on one line', () => {
    const symbols = new Set<string>();
    for (const pais of getCountries()) {
      const content = toLabelContent(
        labelRow({ pais, moneda: currencyOf(pais), cod_amount: '1000000.00' }),
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
    for (const name of [row.comercio, row.destinatario, row.municipio, row.departamento])
      expect(text).toContain(name);
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
    const frame = frameOf(marks);
    const last = textsOf(marks).findLast(({ text }) => text === 'Contenido:')!;
    expect(extentOf(last).bottom).toBeLessThanOrEqual(frame.y);
    const text = read(marks);
    for (const title of ['Dirección:', 'Referencia:', 'Notas:', 'Contenido:', 'Pedido:'])
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
      if (!['Antigua Guatemala', '931637862414', 'SIN COBRO'].includes(text))
        expect(size).toBeLessThan(place);
  });

  it.each([
    ['a usual guide', labelRow()],
    ['the longest guide', labelRow(LONG)],
    ['a test guide', labelRow({ de_prueba: true })],
    ['the longest cancelled guide', labelRow({ ...LONG, estado: 'cancelado' })],
    ['a guide with the shortest names', labelRow({ comercio: 'X', destinatario: '' })],
  ])('leaves four modules free on every side of the QR code of %s', (_, row) => {
    const marks = marksOf(row, tamano);
    const qr = marks.find((mark) => mark.kind === 'qr')!;
    const zone = {
      left: qr.x - QR_QUIET,
      right: qr.x + QR_SIZE + QR_QUIET,
      top: qr.y - QR_QUIET,
      bottom: qr.y + QR_SIZE + QR_QUIET,
    };
    expect(zone.right).toBeLessThanOrEqual(label.width);
    expect(zone.top).toBeGreaterThanOrEqual(0);
    const within = marks.filter((mark) => {
      if (mark.kind === 'qr') return false;
      const { left, right, top, bottom } = placeOf(mark);
      return left < zone.right && right > zone.left && top < zone.bottom && bottom > zone.top;
    });
    expect(within).toEqual([]);
  });

  it('keeps every text inside its margins, and above what is to be collected', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 500 }),
      fc.constantFrom('W'.repeat(500), 'Ñ ñ '.repeat(120), 'i'.repeat(500), 'a\n'.repeat(200)),
      fc.integer({ min: 1, max: 120 }).map((length) => '8'.repeat(length)),
    );
    const texts = fc.record({
      destinatario: text,
      comercio: text,
      municipio: text,
      departamento: text,
      direccion: text,
      referencia: text,
      notas: text,
      contenido: text,
      external_ref: text,
      de_prueba: fc.boolean(),
    });
    fc.assert(
      fc.property(texts, (over) => {
        const marks = marksOf(labelRow(over), tamano);
        const all = textsOf(marks);
        const frame = frameOf(marks);
        for (const mark of all) {
          const { left, right, top, bottom } = extentOf(mark);
          expect(left).toBeGreaterThanOrEqual(label.margin);
          expect(right).toBeLessThanOrEqual(label.width - label.margin + 1);
          expect(top).toBeGreaterThanOrEqual(label.margin - 1);
          expect(bottom).toBeLessThanOrEqual(label.height - label.margin);
          if (mark !== all.at(-1)) expect(bottom).toBeLessThanOrEqual(frame.y);
        }
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
