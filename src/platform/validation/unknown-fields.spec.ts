import 'reflect-metadata';
import { AppError, type FieldError } from '../errors/app-error.js';
import { CancelarGuiaDto } from '../../guias/dto/cancelar-guia.dto.js';
import { CrearGuiaDto } from '../../guias/dto/crear-guia.dto.js';
import { EditarGuiaDto } from '../../guias/dto/editar-guia.dto.js';
import { ListarGuiasDto } from '../../guias/dto/listar-guias.dto.js';
import { readHeader } from '../../guias/lote/csv-header.js';
import { RegistrarEventoDto } from '../../operations/dto/registrar-evento.dto.js';
import { CrearWebhookDto } from '../../webhooks/endpoints/webhook.dto.js';
import type { DtoClass } from './dto-fields.js';
import { NoFields } from './no-fields.dto.js';
import { inspect } from './read-input.js';

const faultsOf = (type: DtoClass, raw: object): FieldError[] =>
  inspect(type, raw, { country: 'GT' }).errors.filter(({ codigo }) => codigo === 'campo_desconocido');
const hintOf = (type: DtoClass, name: string, raw: object = { [name]: 'x' }) =>
  faultsOf(type, raw)[0]!.mensaje.replace('Esta solicitud no tiene este campo. ', '');
const headerFaults = (...cells: string[]): FieldError[] => {
  try {
    readHeader(cells);
    return [];
  } catch (error) {
    return (error as AppError).errores!;
  }
};

describe('a name that a request does not have', () => {
  it.each<[type: DtoClass, name: string, here: string]>([
    ...(
      [
        ['destinatario', 'nombre'],
        ['name', 'nombre'],
        ['customerName', 'nombre'],
        ['phone', 'telefono'],
        ['celular', 'telefono'],
        ['Teléfono', 'telefono'],
        ['city', 'municipio'],
        ['ciudad', 'municipio'],
        ['state', 'departamento'],
        ['address', 'direccion'],
        ['latitude', 'lat'],
        ['latitud', 'lat'],
        ['longitude', 'lng'],
        ['longitud', 'lng'],
        ['lon', 'lng'],
        ['destino_lat', 'lat'],
        ['orderId', 'external_ref'],
        ['order-id', 'external_ref'],
        ['ref', 'external_ref'],
        ['externalRef', 'external_ref'],
        ['comentarios', 'notas'],
        ['description', 'contenido'],
        ['monto', 'cod_amount'],
        ['pickup', 'recogida'],
        ['origen', 'recogida'],
        ['mapsUrl', 'maps_url'],
        ['ubicacion', 'maps_url'],
      ] as const
    ).map(([name, here]): [DtoClass, string, string] => [CrearGuiaDto, name, here]),
    [EditarGuiaDto, 'destinatario', 'nombre'],
    [CancelarGuiaDto, 'motivo', 'nota'],
    [CancelarGuiaDto, 'reason', 'nota'],
    [RegistrarEventoDto, 'reason', 'motivo'],
    [RegistrarEventoDto, 'status', 'estado'],
    [RegistrarEventoDto, 'external_ref', 'ref'],
    [ListarGuiasDto, 'page', 'cursor'],
    [ListarGuiasDto, 'offset', 'cursor'],
    [ListarGuiasDto, 'pagina', 'cursor'],
    [ListarGuiasDto, 'siguiente_cursor', 'cursor'],
    [ListarGuiasDto, 'per_page', 'limit'],
    [ListarGuiasDto, 'state', 'estado'],
    [ListarGuiasDto, 'status', 'estado'],
    [ListarGuiasDto, 'phone', 'telefono'],
    [ListarGuiasDto, 'from', 'desde'],
    [ListarGuiasDto, 'updated_since', 'actualizada_desde'],
    [ListarGuiasDto, 'referencia', 'external_ref'],
    [ListarGuiasDto, 'tracking', 'guia'],
    [CrearWebhookDto, 'events', 'eventos'],
    [CrearWebhookDto, 'description', 'descripcion'],
  ])('%p: %s is told the name here, %s', (type, name, here) => {
    expect(hintOf(type, name)).toBe(`¿Quiso decir \`${here}\`?`);
  });

  it.each([CrearGuiaDto, EditarGuiaDto])('%p: destino is told the fields of a place', (type) => {
    expect(hintOf(type, 'destino')).toBe('¿Quiso decir `lat`, `lng` o `maps_url`?');
  });

  it.each(['recogida_lat', 'recogida.maps_url', 'recogidaLng'])(
    '%s is told that it goes into recogida',
    (name) => {
      expect(hintOf(CrearGuiaDto, name)).toBe('Va dentro de `recogida`, que es un objeto.');
    },
  );

  it('in an object is told the name in that object', () => {
    expect(hintOf(CrearGuiaDto, '', { recogida: { latitude: 1 } })).toBe('¿Quiso decir `lat`?');
    expect(hintOf(CrearGuiaDto, '', { recogida: { telefono: '1' } })).toBe(
      'Los campos son: `lat`, `lng`, `maps_url`, `nombre`, `direccion`.',
    );
  });

  it.each([
    ...['external_ref', 'externalRef', 'external_reff', 'order_id'].map((name) => [
      name,
      /referencia no cambia/,
    ]),
    ...['recogida', 'pickup', 'recogida_lat', 'origen'].map((name) => [
      name,
      /punto de recogida no se cambia/,
    ]),
    ['estado', /\/cancelar/],
    ['actualizada_en', /Lo pone el servicio/],
  ] as [string, RegExp][])('%s of an edit is told that it does not change', (name, hint) => {
    expect(hintOf(EditarGuiaDto, name)).toMatch(hint);
  });

  it.each(['id', 'guia', 'estado', 'creada_en', 'direccion_confirmada'])(
    '%s of a create is told that the service sets it',
    (name) => {
      expect(hintOf(CrearGuiaDto, name)).toMatch(/^Lo pone el servicio/);
    },
  );

  it('that is near none is told all names, once in an answer', () => {
    const hints = faultsOf(CrearGuiaDto, { zzz: 1, telefno: '1', qqq: 1, vvv: 1 }).map(
      ({ mensaje }) => mensaje,
    );
    expect(hints[0]).toMatch(/ Los campos son: `telefono`, .*, `maps_url`\.$/);
    expect(hints[1]).toContain('`telefono`');
    expect(hints.slice(2).every((hint) => hint.endsWith('Quítelo, o corrija su nombre.'))).toBe(true);
  });

  it('of a request without fields is told so', () => {
    expect(hintOf(NoFields, 'page')).toBe('Quítelo: no lleva ninguno.');
  });

  it.each(['constructor', '__proto__', 'toString'])('%s is no name of ours', (name) => {
    expect(hintOf(CrearGuiaDto, name, JSON.parse(`{"${name}": 1}`))).toMatch(/^Los campos son/);
  });

  it('is compared only if an answer shows its fault', () => {
    const letters = jest.spyOn(String.prototype, 'normalize');
    const of = (count: number) => {
      letters.mockClear();
      faultsOf(CrearGuiaDto, Object.fromEntries(Array.from({ length: count }, (_, n) => [`x${n}`, 1])));
      return letters.mock.calls.length;
    };
    try {
      expect(of(20_000)).toBe(of(50));
      // Not even the first letters of a long name are looked up.
      letters.mockClear();
      faultsOf(CrearGuiaDto, { ['x'.repeat(30_000)]: 1 });
      expect(letters.mock.contexts.some((text) => String(text).length > 100)).toBe(false);
    } finally {
      letters.mockRestore();
    }
  });
});

describe('a column that a file of guides does not have', () => {
  it.each([
    ['Destinatario', '`nombre`'],
    ['Celular', '`telefono`'],
    ['Nº de pedido', '`external_ref`'],
    ['latitude', '`lat`'],
    ['recogida_lat', '`recogida.lat`'],
    ['pickup lng', '`recogida.lng`'],
    ['recogida', '`recogida.lat`, `recogida.lng` o `recogida.maps_url`'],
    ['destino', '`lat`, `lng` o `maps_url`'],
  ])('%s is told the name here: %s', (name, here) => {
    expect(headerFaults('telefono2', name).map(({ mensaje }) => mensaje)[1]).toContain(
      `¿Quiso decir ${here}?`,
    );
  });

  it('is told all names once', () => {
    const all = headerFaults('zzz', 'telefono', 'qqq', 'vvv').map(({ mensaje }) => mensaje);
    expect(all.map((mensaje) => mensaje.includes('Las columnas son: '))).toEqual([true, false, false]);
  });
});
