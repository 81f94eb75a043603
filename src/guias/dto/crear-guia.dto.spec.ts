import { AppError } from '../../platform/errors/app-error.js';
import { inspect, readInput } from '../../platform/validation/read-input.js';
import { CrearGuiaDto, toNewGuia } from './crear-guia.dto.js';
import { EditarGuiaDto } from './editar-guia.dto.js';
import { CREAR_GUIA_EXAMPLES } from './crear-guia.examples.js';

type Body = Record<string, unknown>;

const VALID = {
  telefono: '+50255551234',
  departamento: 'Guatemala',
  municipio: 'Mixco',
  recogida: { lat: 14.6349, lng: -90.5069 },
};

const read = (body: unknown) => readInput(CrearGuiaDto, body, { country: 'GT', currency: 'GTQ' });

/** The valid body with one field, named by its path, set. */
function withField(path: string, value: unknown): Body {
  const [outer = '', inner] = path.split('.');
  return inner === undefined
    ? { ...VALID, [outer]: value }
    : { ...VALID, recogida: { ...VALID.recogida, [inner]: value } };
}

/** The field as it was read. */
function readField(path: string, value: unknown): unknown {
  const dto = read(withField(path, value));
  const [outer = '', inner] = path.split('.');
  // A class has no index signature.
  const field = (dto as unknown as Body)[outer];
  return inner === undefined ? field : (field as Body)[inner];
}

/** `campo: codigo` of each fault, in order; none when the body is accepted. */
function faults(body: unknown): string[] {
  try {
    read(body);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).codigo).toBe('validacion');
    return (error as AppError).errores!.map(({ campo, codigo }) => `${campo}: ${codigo}`);
  }
}

const REQUIRED = ['telefono', 'departamento', 'municipio', 'recogida'];
const TEXTS: [campo: string, max: number, multiline: boolean][] = [
  ['departamento', 120, false],
  ['municipio', 120, false],
  ['nombre', 120, false],
  ['direccion', 500, true],
  ['referencia', 500, true],
  ['contenido', 500, false],
  ['notas', 1_000, true],
  ['external_ref', 100, false],
  ['recogida.nombre', 120, false],
  ['recogida.direccion', 500, true],
];
const OPTIONAL = [
  ...TEXTS.map(([campo]) => campo).filter((campo) => !REQUIRED.includes(campo)),
  'cod_amount',
  'maps_url',
  'recogida.maps_url',
];

describe('CrearGuiaDto', () => {
  it.each(Object.entries(CREAR_GUIA_EXAMPLES))('accepts the documented example %s', (_name, { value }) => {
    expect(faults(value)).toEqual([]);
    expect(() => toNewGuia(read(value))).not.toThrow();
  });

  it.each(REQUIRED)('requires %s, which may not be null', (campo) => {
    const { [campo]: _absent, ...rest } = VALID as Body;
    expect(faults(rest)).toEqual([`${campo}: requerido`]);
    expect(faults(withField(campo, null))).toEqual([`${campo}: requerido`]);
  });

  it.each(['telefono', 'departamento', 'municipio'])('treats an empty required %s as absent', (campo) => {
    expect(faults(withField(campo, ''))).toEqual([`${campo}: requerido`]);
    expect(faults(withField(campo, ' \r\n\t\u00a0'))).toEqual([`${campo}: requerido`]);
  });

  it.each(OPTIONAL)('treats null for %s as absent', (campo) => {
    expect(readField(campo, null)).toBeUndefined();
  });

  it.each(OPTIONAL.filter((campo) => campo !== 'cod_amount'))(
    'treats an empty optional %s as absent',
    (campo) => {
      expect([readField(campo, ''), readField(campo, ' \r\n\t\u00a0')]).toEqual([undefined, undefined]);
    },
  );
});

describe.each(TEXTS)('CrearGuiaDto %s', (campo, max, multiline) => {
  it.each([0, 5, true, false, ['a'], [], {}, { a: 1 }])('refuses %j: not a text', (value) => {
    expect(faults(withField(campo, value))).toEqual([`${campo}: tipo`]);
  });

  it(`allows up to ${max} characters`, () => {
    expect(readField(campo, 'ñ'.repeat(max))).toBe('ñ'.repeat(max));
    expect(faults(withField(campo, 'ñ'.repeat(max + 1)))).toEqual([`${campo}: demasiado_largo`]);
  });

  it('counts a surrogate pair as one character', () => {
    expect(readField(campo, '😀'.repeat(max))).toBe('😀'.repeat(max));
    expect(faults(withField(campo, '😀'.repeat(max + 1)))).toEqual([`${campo}: demasiado_largo`]);
  });

  it('is trimmed before it is measured', () => {
    expect(readField(campo, `  ${'a'.repeat(max)}\r\n`)).toBe('a'.repeat(max));
  });

  it.each(['\0', '\u0001', '\b', '\v', '\f', '\u001b', '\u007f', '\u0085', '\u009f', '\ud83d', '\ude00'])(
    'refuses %j',
    (character) => {
      expect(faults(withField(campo, `a${character}b`))).toEqual([`${campo}: formato`]);
    },
  );

  it(multiline ? 'keeps line breaks as \\n, and tabs' : 'refuses line breaks and tabs', () => {
    for (const layout of ['\n', '\r\n', '\r', '\t']) {
      if (multiline) expect(readField(campo, `a${layout}b`)).toBe(layout === '\t' ? 'a\tb' : 'a\nb');
      else expect(faults(withField(campo, `a${layout}b`))).toEqual([`${campo}: formato`]);
    }
  });

  it('keeps every other character', () => {
    const text = 'Ñandú "\'\\ <b>&</b> %00 ${x} 👨‍👩‍👧 中文 n\u0303';
    // Names of places are compared without accents, and so have them joined to their letters.
    const kept = ['departamento', 'municipio'].includes(campo) ? text.normalize('NFC') : text;
    expect(readField(campo, text)).toBe(kept);
  });
});

describe('CrearGuiaDto telefono', () => {
  it.each([
    ['5555 1234', '+50255551234'],
    ['  +502 5555-1234\n', '+50255551234'],
    ['+525512345678', '+525512345678'],
  ])('reads %j as %s', (text, number) => {
    expect(readField('telefono', text)).toBe(number);
  });

  it.each([50255551234, true, ['+50255551234'], {}])('refuses %j: not a text', (value) => {
    expect(faults(withField('telefono', value))).toEqual(['telefono: tipo']);
  });

  it.each([
    '123',
    'hola',
    '+',
    '5555\u00001234',
    '5555 1234\ud83d',
    '+502 5555 1234 y 5555 4321',
    '1'.repeat(200),
  ])('refuses %j, which is not a possible number', (text) => {
    expect(faults(withField('telefono', text))).toEqual(['telefono: formato']);
  });

  it('refuses a local number if the merchant has no country', () => {
    expect(() => readInput(CrearGuiaDto, withField('telefono', '5555 1234'), {})).toThrow(AppError);
    expect(readInput(CrearGuiaDto, VALID, {}).telefono).toBe('+50255551234');
  });
});

describe('CrearGuiaDto cod_amount', () => {
  it.each([0, 0.01, 0.1, 0.29, 0.57, 1.1, 19.99, 349.5, 1.15, 999_999.99, 1_000_000])(
    'takes %d',
    (amount) => {
      expect(readField('cod_amount', amount)).toBe(amount);
    },
  );

  it.each(['1', '1.0', '1.10', '1e2', '0.290', '1000000.00'])('accepts the JSON number %s', (json) => {
    expect(readField('cod_amount', JSON.parse(json))).toBe(Number(json));
  });

  it.each([-0.01, -1, 1_000_000.01, 1_000_001, 1e15, JSON.parse('1e400'), JSON.parse('-1e400'), NaN])(
    'refuses %d, which is out of range',
    (amount) => {
      expect(faults(withField('cod_amount', amount))).toEqual(['cod_amount: fuera_de_rango']);
    },
  );

  it.each([
    ['COP', 100_000_000],
    ['CLP', 100_000_000],
    ['PYG', 100_000_000],
    ['CRC', 100_000_000],
    ['ARS', 100_000_000],
    ['MXN', 1_000_000],
    ['USD', 1_000_000],
  ])('of %s is up to %d', (currency, limit) => {
    const of = (amount: number) =>
      inspect(CrearGuiaDto, withField('cod_amount', amount), { country: 'GT', currency });
    expect(of(limit).errors).toEqual([]);
    const refused = {
      campo: 'cod_amount',
      codigo: 'fuera_de_rango',
      mensaje: `Debe estar entre 0 y ${limit}.`,
    };
    for (const outside of [limit + 0.01, -0.01]) expect(of(outside).errors).toEqual([refused]);
  });

  it.each([
    [59.970000000000006, 59.97],
    [1_000_000.0000001, 1_000_000],
    [59.97 - 1e-13, 59.97],
    [0.1 + 0.2, 0.3],
    [19.99 * 3, 59.97],
    [100.0000009, 100],
    [1e-7, 0],
    [-1e-7, 0],
    [-0, 0],
    [1_000_000.0000001, 1_000_000],
  ])('reads %d, which is within a millionth of two decimals, as %d', (amount, read) => {
    expect(readField('cod_amount', amount)).toBe(read);
  });

  it.each([1.005, 0.001, 0.295, 1e-5, 59.97001, 59.970002, 999_999.999])(
    'refuses %d, which has more than two decimals',
    (amount) => {
      expect(faults(withField('cod_amount', amount))).toEqual(['cod_amount: formato']);
    },
  );

  it.each(['5', '', 'NaN', true, [5], {}])('refuses %j, which is not a number', (value) => {
    expect(faults(withField('cod_amount', value))).toEqual(['cod_amount: tipo']);
  });
});

describe.each(['', 'recogida.'])('CrearGuiaDto %slat and lng', (at) => {
  const pair = (lat: unknown, lng: unknown): Body =>
    at === '' ? { ...VALID, lat, lng } : { ...VALID, recogida: { lat, lng } };

  it.each([
    [14.6407, -90.5133],
    [90, 180],
    [-90, -180],
    [0, 1],
    [1, 0],
    [1e-7, 0],
  ])('accepts %d, %d', (lat, lng) => {
    expect(faults(pair(lat, lng))).toEqual([]);
  });

  it.each<[lat: unknown, lng: unknown, codes: string[]]>([
    [90.0000001, 0, ['lat: fuera_de_rango']],
    [-91, 0, ['lat: fuera_de_rango']],
    [0, 180.0000001, ['lng: fuera_de_rango']],
    [-90.5133, 214.6407, ['lat: fuera_de_rango', 'lng: fuera_de_rango']],
    [NaN, Infinity, ['lat: fuera_de_rango', 'lng: fuera_de_rango']],
    [0, 0, ['lat: fuera_de_rango']],
    [-0, 0, ['lat: fuera_de_rango']],
    [0, -0, ['lat: fuera_de_rango']],
    ['14.6', '-90.5', ['lat: tipo', 'lng: tipo']],
    [[14.6], {}, ['lat: tipo', 'lng: tipo']],
    [14.6, null, ['lng: incompleto']],
    [undefined, -90.5, ['lat: incompleto']],
    ['14.6', undefined, ['lat: tipo', 'lng: incompleto']],
    [0, undefined, ['lng: incompleto']],
  ])('refuses %j, %j', (lat, lng, codes) => {
    expect(faults(pair(lat, lng)).sort()).toEqual(codes.map((code) => at + code));
  });
});

describe('CrearGuiaDto', () => {
  const messages = (body: object) =>
    inspect(CrearGuiaDto, { ...VALID, ...body }, { country: 'GT' }).errors.map(({ mensaje }) => mensaje);

  it('asks whether coordinates are swapped where they would fit so', () => {
    expect(messages({ recogida: { lat: -90.5133, lng: 14.6407 } })).toEqual([
      'Debe estar entre -90 y 90. ¿Están `lat` y `lng` al revés?',
    ]);
    expect(messages({ recogida: { lat: -190, lng: 14.6407 } })).toEqual(['Debe estar entre -90 y 90.']);
  });

  it('says of a number for a phone that it takes quotes', () => {
    expect(messages({ telefono: 55551234 })).toEqual(['Debe ser un texto, entre comillas.']);
  });

  it('says of a text for a link what is accepted', () => {
    expect(messages({ recogida: { maps_url: '0,0' } })).toEqual([
      expect.stringContaining('latitud (de -90 a 90) y longitud (de -180 a 180)'),
    ]);
  });
});

describe('EditarGuiaDto', () => {
  const LONG = ['x', 'ñ'.repeat(121), '😀'.repeat(501), '😀'.repeat(1_001), 'a\nb', 'a\tb', 'x\0'];
  const values = ['', '   ', 5, 0.001, -1, 1_000_001, [], { a: 1 }, true, '+50255', '5555 1234', ...LONG];

  it.each(
    'telefono nombre departamento municipio direccion referencia contenido notas cod_amount lat lng maps_url'.split(
      ' ',
    ),
  )('takes and refuses the same values of %s as a create, with the same faults', (campo) => {
    const of = (type: typeof CrearGuiaDto | typeof EditarGuiaDto, body: object) =>
      inspect<object>(type, body, { country: 'GT', currency: 'GTQ' }).errors.map(
        ({ campo, codigo }) => `${campo}: ${codigo}`,
      );
    for (const value of values)
      expect({ value, errors: of(EditarGuiaDto, { [campo]: value }) }).toEqual({
        value,
        errors: of(CrearGuiaDto, { ...VALID, [campo]: value }),
      });
  });
});

describe('CrearGuiaDto recogida', () => {
  it.each<[value: unknown, codes: string[]]>([
    ['14.6,-90.5', ['recogida: tipo']],
    [5, ['recogida: tipo']],
    [true, ['recogida: tipo']],
    [[], ['recogida: tipo']],
    [[{ lat: 14.6, lng: -90.5 }], ['recogida: tipo']],
    [[{ lat: 'x', nombre: 5 }, 5, null], ['recogida: tipo']],
    [{}, ['recogida: requerido']],
    [{ nombre: 'Bodega' }, ['recogida: requerido']],
    [{ lat: null, lng: null, maps_url: ' ' }, ['recogida: requerido']],
    [{ nombre: 5 }, ['recogida.nombre: tipo', 'recogida: requerido']],
    [{ maps_url: 5 }, ['recogida.maps_url: tipo']],
    [{ maps_url: 'https://maps.app.goo.gl/a', lat: 1 }, ['recogida.lng: incompleto']],
  ])('refuses %j', (recogida, codes) => {
    expect(faults({ ...VALID, recogida }).sort()).toEqual([...codes].sort());
  });

  it.each([
    { lat: 14.6349, lng: -90.5069 },
    { maps_url: '14.6349, -90.5069' },
    {
      ...{ lat: 14.6349, lng: -90.5069, maps_url: 'https://maps.app.goo.gl/a', nombre: 'Bodega' },
      direccion: 'Zona 4',
    },
  ])('takes %j', (recogida) => {
    expect(read({ ...VALID, recogida }).recogida).toEqual(recogida);
  });
});
