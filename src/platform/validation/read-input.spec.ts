import fc from 'fast-check';
import { AppError, type FieldError } from '../errors/app-error.js';
import { CrearGuiaDto, RecogidaDto } from '../../guias/dto/crear-guia.dto.js';
import { fieldsOf } from './dto-fields.js';
import { inspect, readInput } from './read-input.js';

const VALID = {
  telefono: '+50255551234',
  departamento: 'Guatemala',
  municipio: 'Mixco',
  recogida: { lat: 14.6349, lng: -90.5069 },
};

/** Names that every object inherits, or that libraries treat specially. */
const TRAPS = [
  ...['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype', '__proto__', 'then', 'toJSON'],
];

const errorsOf = (raw: unknown): FieldError[] => inspect(CrearGuiaDto, raw, { country: 'GT' }).errors;

/** Parsed from JSON, so that `__proto__` becomes a field as in a request's body. */
const withTrap = (name: string, value: string) => JSON.parse(`{"${name}": ${value}}`);

describe('readInput', () => {
  it('returns an instance of the class with only the fields that were sent', () => {
    const dto = readInput(CrearGuiaDto, VALID, { country: 'GT' });
    expect(dto).toBeInstanceOf(CrearGuiaDto);
    expect(dto.recogida).toBeInstanceOf(RecogidaDto);
    expect(Object.entries(dto).filter(([, value]) => value !== undefined)).toEqual(Object.entries(VALID));
  });

  it.each([undefined, null, 'texto', 5, true, [], [VALID]])(
    'refuses the body %j, which is not an object',
    (raw) => {
      expect(errorsOf(raw)).toMatchObject([{ campo: 'cuerpo', codigo: 'tipo' }]);
    },
  );

  it('names 50 faults at most, those of known fields first, and gives the number of all', () => {
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`x${n}`, 1]));
    const read = () => readInput(CrearGuiaDto, { ...unknown, lat: 91 }, { country: 'GT' });
    let error: AppError | undefined;
    try {
      read();
    } catch (thrown) {
      error = thrown as AppError;
    }
    expect(error!.detail).toBe('5006 campos no son válidos; `errores` nombra los primeros 50.');
    expect(error!.errores).toHaveLength(50);
    expect(
      error!
        .errores!.slice(0, 7)
        .map(({ campo }) => campo)
        .sort(),
    ).toEqual(['departamento', 'lat', 'lng', 'municipio', 'recogida', 'telefono', 'x0']);
  });

  it('throws `validacion` with every fault and their number', () => {
    const read = () => readInput(CrearGuiaDto, { ...VALID, telefono: 5, otro: 1 }, { country: 'GT' });
    expect(read).toThrow(
      expect.objectContaining({
        codigo: 'validacion',
        detail: '2 campos no son válidos.',
        errores: expect.arrayContaining([
          expect.objectContaining({ campo: 'telefono', codigo: 'tipo' }),
          expect.objectContaining({ campo: 'otro', codigo: 'campo_desconocido' }),
        ]),
      }),
    );
  });

  it('reports unknown fields of nested objects by their path', () => {
    expect(errorsOf({ ...VALID, recogida: { ...VALID.recogida, latitud: 1 } })).toMatchObject([
      { campo: 'recogida.latitud', codigo: 'campo_desconocido' },
    ]);
  });

  it('truncates a long field name', () => {
    const [error] = errorsOf({ ...VALID, ['x'.repeat(30_000)]: 1 });
    expect(error).toMatchObject({ campo: 'x'.repeat(100), codigo: 'campo_desconocido' });
  });

  describe.each(TRAPS)('a field named %s', (name) => {
    it.each(['"x"', '{"telefono": "+50255551234"}', 'null', '[]', '{"prototype": {"a": 1}}'])(
      'with the value %s is refused like any other unknown field',
      (value) => {
        const top = Object.defineProperty({ ...VALID }, name, own(value));
        expect(errorsOf(top)).toMatchObject([{ campo: name, codigo: 'campo_desconocido' }]);
        const recogida = Object.defineProperty({ ...VALID.recogida }, name, own(value));
        expect(errorsOf({ ...VALID, recogida })).toMatchObject([
          { campo: `recogida.${name}`, codigo: 'campo_desconocido' },
        ]);
      },
    );

    it('sets no field and pollutes no prototype', () => {
      const raw = withTrap(name, JSON.stringify({ ...VALID, polluted: true }));
      expect(errorsOf(raw).filter(({ codigo }) => codigo === 'requerido')).toHaveLength(4);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    });

    it('inside a value of the wrong type is reported as tipo of that field', () => {
      const element = withTrap(name, '{"a": 1}');
      expect(errorsOf({ ...VALID, recogida: [element] })).toMatchObject([
        { campo: 'recogida', codigo: 'tipo' },
      ]);
      expect(errorsOf({ ...VALID, nombre: element })).toMatchObject([{ campo: 'nombre', codigo: 'tipo' }]);
    });
  });
});

describe('readInput for any input', () => {
  const names = [...fieldsOf(CrearGuiaDto).byName.keys()];
  const withNames = (keys: string[], value: fc.Arbitrary<unknown>) =>
    fc.dictionary(fc.constantFrom(...keys, ...TRAPS), value, { maxKeys: 12 });

  it('does not change its input', () => {
    fc.assert(
      fc.property(withNames(names, fc.jsonValue()), (raw) => {
        const before = JSON.stringify(raw);
        inspect(CrearGuiaDto, raw, { country: 'GT' });
        expect(JSON.stringify(raw)).toBe(before);
      }),
    );
  });

  it.each([1, 7])('refuses lists nested %d deep in any field', (depth) => {
    const deep = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    for (const name of names) {
      expect(errorsOf({ ...VALID, [name]: deep })).toContainEqual(
        expect.objectContaining({ campo: name, codigo: 'tipo' }),
      );
    }
  });
});

/** An own property, like JSON.parse creates it, even if the name is `__proto__`. */
function own(json: string): PropertyDescriptor {
  return { value: JSON.parse(json), enumerable: true, configurable: true, writable: true };
}
