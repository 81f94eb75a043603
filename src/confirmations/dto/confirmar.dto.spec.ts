import fc from 'fast-check';
import { AppError } from '../../platform/errors/app-error.js';
import { readInput } from '../../platform/validation/read-input.js';
import { ConfirmarDto, fromForm } from './confirmar.dto.js';

const read = (body: unknown) => ({ ...readInput(ConfirmarDto, body, {}) });
const readForm = (form: Record<string, string>) => read(fromForm(form));

/** `campo: codigo` of each fault, in order; none when the body is accepted. */
function faults(run: () => unknown): string[] {
  try {
    run();
    return [];
  } catch (error) {
    expect((error as AppError).codigo).toBe('validacion');
    return (error as AppError).errores!.map(({ campo, codigo }) => `${campo}: ${codigo}`).sort();
  }
}

describe('ConfirmarDto', () => {
  it.each<[string, object]>([
    ['coordinates', { lat: 14.6407, lng: -90.5133 }],
    ['the ends of the ranges', { lat: -90, lng: 180 }],
    ['the equator', { lat: 0, lng: -78.5 }],
    ['a note alone', { nota: 'x'.repeat(200) }],
    ['a link', { maps_url: 'https://maps.app.goo.gl/abc' }],
    ['all of it', { lat: 1, lng: 2, maps_url: 'x', referencia: 'a\nb', precision: 20.5 }],
  ])('accepts %s', (_, body) => {
    expect(read(body)).toEqual(body);
  });

  it.each<[string, unknown, string[]]>([
    ['nothing', {}, ['maps_url: requerido']],
    ['only empty texts', { maps_url: ' ', referencia: '' }, ['maps_url: requerido']],
    ['a reference alone', { referencia: 'Casa azul' }, ['maps_url: requerido']],
    ['nulls', { lat: null, lng: null, maps_url: null }, ['maps_url: requerido']],
    ['half a pair', { lat: 14.6 }, ['lng: incompleto']],
    ['the other half, with a link', { lng: -90.5, maps_url: 'x' }, ['lat: incompleto']],
    ['numbers as texts', { lat: '14.6', lng: '-90.5' }, ['lat: tipo', 'lng: tipo']],
    ['what is out of range', { lat: 90.1, lng: -180.1 }, ['lat: fuera_de_rango', 'lng: fuera_de_rango']],
    ['an empty place', { lat: 0, lng: 0 }, ['lat: fuera_de_rango']],
    ['a precision below nothing', { lat: 1, lng: 2, precision: -1 }, ['precision: fuera_de_rango']],
    ['a long reference', { maps_url: 'x', referencia: 'ñ'.repeat(501) }, ['referencia: demasiado_largo']],
    ['a long note', { nota: 'ñ'.repeat(201) }, ['nota: demasiado_largo']],
    ['a long link', { maps_url: 'x'.repeat(4097) }, ['maps_url: demasiado_largo']],
    ['a NUL', { maps_url: 'x', referencia: '\0' }, ['referencia: formato']],
    ['an unknown field', { maps_url: 'x', estado: 'entregado' }, ['estado: campo_desconocido']],
    ['a version that is a number', { lat: 1, lng: 2, version: 3 }, ['version: tipo']],
    ['a long version', { lat: 1, lng: 2, version: 'x'.repeat(65) }, ['version: demasiado_largo']],
    ['a version with a NUL', { lat: 1, lng: 2, version: '\0' }, ['version: formato']],
    ['an accuracy of 100 km', { lat: 1, lng: 2, precision_m: 100_001 }, ['precision_m: fuera_de_rango']],
    ['an accuracy below nothing', { lat: 1, lng: 2, precision_m: -1 }, ['precision_m: fuera_de_rango']],
    ['an accuracy as text', { lat: 1, lng: 2, precision_m: '850' }, ['precision_m: tipo']],
    ['its acceptance as text', { lat: 1, lng: 2, precision_aceptada: 'si' }, ['precision_aceptada: tipo']],
    ['a list', [], ['cuerpo: tipo']],
    ['no body', undefined, ['cuerpo: tipo']],
  ])('refuses %s', (_, body, expected) => {
    expect(faults(() => read(body))).toEqual(expected);
  });
});

describe('a form', () => {
  it.each<[string, string, number, number]>([
    ['14.6407', '-90.5133', 14.6407, -90.5133],
    ['14,6407', '-90,5133', 14.6407, -90.5133],
    [' 14.6407\t', '\n-90.5133 ', 14.6407, -90.5133],
    ['+14', '\u221290.5', 14, -90.5],
    ['-0', '-78', -0, -78],
  ])('is parsed into numbers: %j %j', (lat, lng, ...expected) => {
    const read = readForm({ lat, lng });
    expect([read.lat, read.lng]).toEqual(expected);
  });

  it.each(['abc', '14.6407, -90.5133', '1.2.3', '1e1', '0x1F', 'Infinity', 'NaN', '14°', '--1', '.5', '5.'])(
    'with %j for a number is refused',
    (lat) => {
      expect(faults(() => readForm({ lat, lng: '-90' }))).toEqual(['lat: tipo']);
    },
  );

  it('has its empty fields left out, as browsers send them', () => {
    const form = { lat: ' ', lng: '', maps_url: ' https://x ', referencia: '\r\n', precision: '' };
    expect(readForm(form)).toEqual({ maps_url: 'https://x' });
  });

  it('has line breaks of a reference as one character', () => {
    expect(readForm({ maps_url: 'x', referencia: 'Casa azul\r\nportón negro' }).referencia).toBe(
      'Casa azul\nportón negro',
    );
  });

  it('gives only finite numbers in range, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (lat) => {
        const form = { lat, lng: '-90.5' };
        if (faults(() => readForm(form)).length === 0)
          expect(Math.abs(readForm(form).lat!)).toBeLessThanOrEqual(90);
      }),
    );
  });
});
