import fc from 'fast-check';
import { AppError } from '../../platform/errors/app-error.js';
import { readInput } from '../../platform/validation/read-input.js';
import { CrearGuiaDto, toNewGuia } from '../dto/crear-guia.dto.js';
import type { NewGuia } from './guia-row.js';

/** The names of the CHECKs and column types in guia.entity.ts that a row violates. */
function brokenChecks(row: NewGuia): string[] {
  const lengthBetween = (column: keyof NewGuia, min: number, max: number) => {
    const value = row[column] as string | null;
    return value === null || ([...value].length >= min && [...value].length <= max);
  };
  const pointHolds = (lat: number | null, lng: number | null) =>
    (lat === null) === (lng === null) &&
    (lat === null || (Math.abs(lat) <= 90 && Math.abs(lng!) <= 180 && !(lat === 0 && lng === 0)));
  const isKeptByUtf8 = (value: unknown) =>
    typeof value !== 'string' || (!value.includes('\0') && Buffer.from(value).toString() === value);

  const rules: [name: string, holds: boolean][] = [
    ['telefono', /^\+[1-9][0-9]{3,14}$/.test(row.telefono)],
    ['external_ref', lengthBetween('external_ref', 1, 100)],
    ['destinatario', row.destinatario !== null && lengthBetween('destinatario', 0, 120)],
    ['direccion', row.direccion !== null && lengthBetween('direccion', 0, 500)],
    ['departamento', lengthBetween('departamento', 1, 120)],
    ['municipio', lengthBetween('municipio', 1, 120)],
    ['referencia', lengthBetween('referencia', 1, 500)],
    ['contenido', row.contenido !== null && lengthBetween('contenido', 0, 500)],
    ['notas', lengthBetween('notas', 1, 1_000)],
    ['cod_amount', row.cod_amount >= 0 && row.cod_amount <= 1_000_000],
    ['numeric(12,2)', Number(row.cod_amount.toFixed(2)) === row.cod_amount],
    ['destino', pointHolds(row.destino_lat, row.destino_lng)],
    ['destino_maps_url', lengthBetween('destino_maps_url', 1, 4_096)],
    [
      'direccion_confirmada',
      !row.direccion_confirmada || row.destino_lat !== null || row.destino_maps_url !== null,
    ],
    [
      'recogida',
      pointHolds(row.recogida_lat, row.recogida_lng) &&
        (row.recogida_lat !== null || row.recogida_maps_url !== null),
    ],
    ['recogida_maps_url', lengthBetween('recogida_maps_url', 1, 4_096)],
    ['recogida_nombre', lengthBetween('recogida_nombre', 1, 120)],
    ['recogida_direccion', lengthBetween('recogida_direccion', 1, 500)],
    ['encoding', Object.values(row).every(isKeptByUtf8)],
    ['undefined', Object.values(row).every((value) => value !== undefined)],
  ];
  return rules.filter(([, holds]) => !holds).map(([name]) => name);
}

const anyJunk = fc.oneof(fc.jsonValue(), fc.constantFrom(null, '', ' ', '\0', '\ud83d', -0, 1e308));
/** Nearly always a valid value, sometimes an edge case, rarely any value. */
const mostly = (wanted: fc.Arbitrary<unknown>, edges: fc.Arbitrary<unknown> = wanted) =>
  fc.oneof(
    { arbitrary: wanted, weight: 90 },
    { arbitrary: edges, weight: 6 },
    { arbitrary: anyJunk, weight: 1 },
  );

const anyText = (max: number) =>
  mostly(
    fc.string({ unit: fc.constantFrom(...'aZ9ñ中😀\u0301\u200b\'"\\%$;<'), minLength: 1, maxLength: 20 }),
    fc.string({ unit: fc.constantFrom('a', '😀', '\r\n', ' '), minLength: max - 1, maxLength: max + 1 }),
  );
const anyPhone = mostly(
  fc.constantFrom('5555 1234', '+50255551234', '+290 51234', '+1 202 555 0123'),
  fc.constantFrom('+49 1234 5678 9012 345', '+800 1234 5678', '123'),
);
const anyPoint = fc.record({
  lat: mostly(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(0, -0, 90, 91)),
  lng: mostly(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(0, -0, -180, 181)),
});
const anyAmount = mostly(
  fc.integer({ min: 0, max: 1e8 }).map((cents) => cents / 100),
  fc.oneof(fc.double(), fc.constantFrom(0, -0, 1e6, 1.005)),
);
const anyLink = mostly(
  fc.constantFrom(
    'https://www.google.com/maps?q=14.6,-90.5',
    '14.6407, -90.5133',
    'https://maps.app.goo.gl/a',
  ),
  fc.oneof(
    fc.tuple(fc.double(), fc.double()).map(([lat, lng]) => `${lat},${lng}`),
    fc.constantFrom(
      'https://www.google.com/maps?q=0,0',
      'https://www.google.com/maps/place/Mixco',
      'https://evil.example/?q=14.6,-90.5',
      'https://www.google.com/maps?q=14.6,-90.5&x='.padEnd(4_096, 'x'),
    ),
  ),
);

const anyBody = fc
  .record(
    {
      required: fc.record({
        telefono: anyPhone,
        departamento: anyText(120),
        municipio: anyText(120),
        recogida: fc
          .record(
            {
              place: fc.oneof(anyPoint, fc.record({ maps_url: anyLink })),
              nombre: anyText(120),
              direccion: anyText(500),
            },
            { requiredKeys: ['place'] },
          )
          .map(({ place, ...rest }) => ({ ...place, ...rest })),
      }),
      optional: fc.record(
        {
          ...{ nombre: anyText(120), direccion: anyText(500), referencia: anyText(500) },
          ...{ contenido: anyText(500), notas: anyText(1_000), cod_amount: anyAmount },
          ...{ external_ref: anyText(100), maps_url: anyLink },
        },
        { requiredKeys: [] },
      ),
      point: anyPoint,
    },
    { requiredKeys: ['required', 'optional'] },
  )
  .map(({ required, optional, point }) => ({ ...required, ...optional, ...point }));

function accepted(body: unknown): NewGuia | undefined {
  try {
    return toNewGuia(readInput(CrearGuiaDto, body, { country: 'GT' }));
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return undefined;
  }
}

describe('guias', () => {
  it('accepts no request that a constraint of the table would refuse', () => {
    let count = 0;
    fc.assert(
      fc.property(anyBody, (body) => {
        const row = accepted(body);
        if (!row) return;
        count++;
        expect(brokenChecks(row)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
    // Usually half of them are accepted.
    expect(count).toBeGreaterThan(0);
  });
});
