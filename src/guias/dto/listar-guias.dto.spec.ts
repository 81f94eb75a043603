import { newRowId } from '../../platform/database/row-id.js';
import { AppError } from '../../platform/errors/app-error.js';
import { limitOf } from '../../platform/pagination/page.fields.js';
import { fieldsOf } from '../../platform/validation/dto-fields.js';
import { readInput } from '../../platform/validation/read-input.js';
import { ADVERTENCIA_CODES } from '../guia/guia-advertencia.js';
import { GUIA_ESTADOS } from '../guia/guia-estado.js';
import { ListarGuiasDto, toListFilter } from './listar-guias.dto.js';

const read = (query: unknown) => readInput(ListarGuiasDto, query, { country: 'GT' });
const filter = (query: unknown) => {
  const dto = read(query);
  return { ...toListFilter(dto), limit: limitOf(dto) };
};
const PARAMETERS = [...fieldsOf(ListarGuiasDto).byName.keys()];
const idAt = (iso: string) => newRowId(Date.parse(iso));

function faults(query: unknown): string[] {
  try {
    read(query);
    return [];
  } catch (error) {
    return (error as AppError).errores!.map(({ campo, codigo }) => `${campo}: ${codigo}`);
  }
}

/** Whether a query's dates include a guide created at that time. */
function shows(query: object, creadaEn: string): boolean {
  const { from, before } = filter(query);
  const id = idAt(creadaEn);
  return (from === undefined || id >= from) && (before === undefined || id < before);
}

describe('ListarGuiasDto', () => {
  it('needs no parameter, and then means 50 guides without a filter', () => {
    expect(filter({})).toEqual({ estados: undefined, from: undefined, before: undefined, limit: 50 });
    expect(filter(Object.create(null))).toMatchObject({ limit: 50 });
  });

  it.each(GUIA_ESTADOS)('accepts estado %s', (estado) => {
    expect(filter({ estado }).estados).toEqual([estado]);
  });

  it.each<[estado: string, estados: string[]]>([
    ['aceptado,en_ruta', ['aceptado', 'en_ruta']],
    ['en_ruta,aceptado', ['en_ruta', 'aceptado']],
    ['aceptado,aceptado', ['aceptado']],
    ['aceptado, en_ruta', ['aceptado', 'en_ruta']],
    [' aceptado ', ['aceptado']],
    ['aceptado ,  en_ruta', ['aceptado', 'en_ruta']],
    [' aceptado,en_ruta ', ['aceptado', 'en_ruta']],
  ])('reads %j as several states', (estado, estados) => {
    expect(filter({ estado }).estados).toEqual(estados);
  });

  it.each(['cualquiera', ...ADVERTENCIA_CODES])('accepts advertencia %s', (advertencia) => {
    expect(filter({ advertencia }).advertencia).toBe(advertencia);
  });

  it.each(['', 'Cualquiera', 'otra', 'cod_distinto,mensaje_fallido'])(
    'refuses advertencia %j',
    (advertencia) => {
      expect(faults({ advertencia })).toEqual(['advertencia: formato']);
    },
  );

  it.each([
    ...['', 'Aceptado', 'perdido', 'toString', 'constructor', '__proto__', 'aceptado,'],
    ...['aceptado, ,en_ruta', 'aceptado,,recogido', 'aceptado,perdido', 'aceptado;recogido'],
  ])('refuses estado %j and lists the known ones', (estado) => {
    expect(faults({ estado })).toEqual(['estado: formato']);
    const fault = (error: AppError) => error.errores![0]!.mensaje;
    let mensaje = '';
    try {
      read({ estado });
    } catch (error) {
      mensaje = fault(error as AppError);
    }
    expect(GUIA_ESTADOS.filter((known) => !mensaje.includes(known))).toEqual([]);
  });

  it.each(PARAMETERS)('refuses %s given twice', (name) => {
    expect(faults({ [name]: ['1', '1'] })).toEqual([`${name}: tipo`]);
    expect(faults({ [name]: { a: '1' } })).toEqual([`${name}: tipo`]);
  });

  it.each(PARAMETERS.filter((name) => name !== 'cursor'))('refuses %s without a value', (name) => {
    expect(faults({ [name]: '' })).toEqual([`${name}: formato`]);
  });

  it.each<[query: object, understood: object]>([
    [{ external_ref: '  Pedido 1  ' }, { external_ref: 'Pedido 1' }],
    [{ external_ref: 'x'.repeat(100) }, { external_ref: 'x'.repeat(100) }],
    [{ external_ref: '😀'.repeat(100) }, { external_ref: '😀'.repeat(100) }],
    [{ guia: '483920175567' }, { guia: '483920175567' }],
    [{ telefono: '5555 1234' }, { telefono: '+50255551234' }],
    [{ telefono: '+502 5555-1234' }, { telefono: '+50255551234' }],
    [{ telefono: '5555 1234 ' }, { telefono: '+50255551234' }],
    [{ telefono: '+1 305 555 1234' }, { telefono: '+13055551234' }],
    [{ direccion_confirmada: 'true' }, { direccion_confirmada: true }],
    [{ direccion_confirmada: 'false' }, { direccion_confirmada: false }],
    [{ actualizada_desde: '2026-11-21' }, { actualizada_desde: Date.UTC(2026, 10, 21) }],
    [{ actualizada_desde: '2026-11-20T18:00:00-06:00' }, { actualizada_desde: Date.UTC(2026, 10, 21) }],
    [{ actualizada_desde: '1969-12-31T23:59:59.999' }, { actualizada_desde: -1 }],
  ])('reads %j as %j', (query, understood) => {
    expect(filter(query)).toEqual({ limit: 50, ...understood });
  });

  it.each<[query: Record<string, string>, code: string]>([
    [{ external_ref: '   ' }, 'formato'],
    [{ external_ref: 'a\nb' }, 'formato'],
    [{ external_ref: 'a\0' }, 'formato'],
    [{ external_ref: '\ud800' }, 'formato'],
    [{ external_ref: 'x'.repeat(101) }, 'demasiado_largo'],
    [{ guia: '483920175568' }, 'formato'],
    [{ guia: '48392017556' }, 'formato'],
    [{ guia: ' 483920175567' }, 'formato'],
    [{ guia: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57' }, 'formato'],
    [{ telefono: '123' }, 'formato'],
    [{ telefono: 'ninguno' }, 'formato'],
    [{ telefono: '5555 1234, 5555 4321' }, 'formato'],
    [{ telefono: '5'.repeat(41) }, 'formato'],
    [{ direccion_confirmada: 'TRUE' }, 'formato'],
    [{ direccion_confirmada: '1' }, 'formato'],
    [{ direccion_confirmada: 'si' }, 'formato'],
    [{ direccion_confirmada: ' true' }, 'formato'],
    [{ actualizada_desde: 'ayer' }, 'formato'],
    [{ actualizada_desde: '2026-02-30' }, 'formato'],
  ])('refuses %j', (query, code) => {
    expect(faults(query)).toEqual([`${Object.keys(query)[0]}: ${code}`]);
  });

  it('reads a leading space in a phone number as a + that was not encoded', () => {
    expect(read({ telefono: ' 13055551234' }).telefono).toBe('+13055551234');
    expect(read({ telefono: ' 50255551234' }).telefono).toBe('+50255551234');
  });

  it.each([
    ['2026-11-22', '2026-11-21'],
    ['2026-11-21T10:00:00.001Z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00:00-06:00', '2026-11-21T15:59:59Z'],
    ['2026-11-22T00:00:00Z', '2026-11-21'],
  ])('refuses desde %s, which is after hasta %s', (desde, hasta) => {
    expect(faults({ desde, hasta })).toEqual(['desde: fuera_de_rango']);
  });

  it.each([
    ['2026-11-21', '2026-11-21'],
    ['2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T23:59:59.999Z', '2026-11-21'],
    ['2026-11-21T10:00:00-06:00', '2026-11-21T16:00:00Z'],
  ])('accepts desde %s, which is not after hasta %s', (desde, hasta) => {
    expect(faults({ desde, hasta })).toEqual([]);
  });
});

describe('toListFilter', () => {
  it.each<[query: object, first: string, last: string]>([
    [{ desde: '2026-11-21', hasta: '2026-11-21' }, '2026-11-21T00:00:00.000Z', '2026-11-21T23:59:59.999Z'],
    [
      { desde: '2026-11-21T10:00:00-06:00', hasta: '2026-11-21T10:00:00.500-06:00' },
      '2026-11-21T16:00:00.000Z',
      '2026-11-21T16:00:00.500Z',
    ],
    [
      { desde: '2026-11-21T10:00:00', hasta: '2026-11-21T10:00:00' },
      '2026-11-21T10:00:00.000Z',
      '2026-11-21T10:00:00.000Z',
    ],
  ])('includes both ends of %j, to the millisecond', (query, first, last) => {
    const before = new Date(Date.parse(first) - 1).toISOString();
    const after = new Date(Date.parse(last) + 1).toISOString();
    expect([before, first, last, after].map((creadaEn) => shows(query, creadaEn))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('gives the same filter for two spellings of one instant', () => {
    expect(filter({ desde: '2026-11-21', hasta: '2026-11-21' })).toEqual(
      filter({ desde: '2026-11-20T18:00:00-06:00', hasta: '2026-11-21T23:59:59.999' }),
    );
  });

  it.each<[query: object, shown: boolean]>([
    [{ desde: '1900-01-01' }, true],
    [{ hasta: '1900-01-01' }, false],
    [{ desde: '9999-12-31' }, false],
    [{ hasta: '9999-12-31' }, true],
    [{ desde: '0000-01-01', hasta: '9999-12-31T23:59:59-23:59' }, true],
  ])('applies %j, which is outside the range of ids, as written', (query, shown) => {
    expect(shows(query, '2026-11-21T15:04:05.123Z')).toBe(shown);
  });
});
