import { labelRow, LONGEST } from '../../test/support/label-rows.js';
import type { LabelRow } from './etiquetas.queries.js';
import { toLabelContent } from './label-content.js';
import { fitDetails, leastHeight } from './label-details.js';
import { FONT_ALPHABET, measure } from './typeface.js';

const WIDTH = 736;
/** Of a line in the smallest size. */
const LINE = 24;

const { direccion, referencia, contenido, notas, external_ref } = LONGEST;

/** The details of the longest guide. */
const longest = (over: Partial<LabelRow> = {}) =>
  toLabelContent(labelRow({ direccion, referencia, contenido, notas, external_ref, ...over }), FONT_ALPHABET)
    .detalles;

/** The lines of each detail that all together have room for this many. */
const linesWithin = (max: number, detalles = longest()) =>
  fitDetails(detalles, { width: WIDTH, height: max * LINE }, measure).details.map(
    ({ titulo, lines }) => [titulo, lines] as const,
  );

describe('fitDetails', () => {
  it('cuts contents first, then the order, then notes, and reference and address last', () => {
    const cut = new Set<string>();
    for (let max = 60; max >= 5; max--)
      for (const [titulo, lines] of linesWithin(max)) if (lines.at(-1)!.endsWith('…')) cut.add(titulo);
    expect([...cut]).toEqual(['Contenido:', 'Pedido:', 'Notas:', 'Referencia:', 'Dirección:']);
  });

  it.each([
    [5, [1, 1, 1, 1, 1]],
    [6, [2, 1, 1, 1, 1]],
    [7, [2, 2, 1, 1, 1]],
  ])('shares %d lines evenly between address and reference, and leaves each detail one', (max, counts) => {
    expect(linesWithin(max).map(([, lines]) => lines.length)).toEqual(counts);
  });

  it('writes the lines of an address after each other before it cuts any', () => {
    const address = 'Ana López\n4a calle 5-10,\nzona 1\nMixco.\nPortón azul\nfrente a la iglesia\ntimbre 3';
    const [direccion] = longest({ direccion: address });
    expect(linesWithin(7, [direccion!])[0]![1]).toHaveLength(7);
    expect(linesWithin(2, [direccion!])[0]![1].join(' ')).toBe(
      'Ana López, 4a calle 5-10, zona 1, Mixco. Portón azul, frente a la iglesia, timbre 3',
    );
  });

  it('leaves a short detail whole, however long the others are', () => {
    const lines = linesWithin(6, longest({ referencia: 'Frente a la tienda', notas: 'Llamar antes.' }));
    expect(lines[1]).toEqual(['Referencia:', ['Frente a la tienda']]);
    expect(lines[2]).toEqual(['Notas:', ['Llamar antes.']]);
  });
});

describe('leastHeight', () => {
  it.each([
    [3, longest(), 14],
    [1, longest(), 5],
    [3, longest({ direccion: 'Zona 4' }), 12],
    [3, [], 0],
  ])('is up to %d lines of each detail', (most, detalles, lines) => {
    expect(leastHeight(detalles, { width: WIDTH, most }, measure)).toBe(lines * LINE);
  });
});
