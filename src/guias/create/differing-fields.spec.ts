import { readInput } from '../../platform/validation/read-input.js';
import { differingFields } from './differing-fields.js';
import { CrearGuiaDto, toNewGuia } from '../dto/crear-guia.dto.js';
import type { KeptGuia } from './guia-inserts.queries.js';

/** A request with every field that can go together. */
const FULL = {
  external_ref: 'pedido-1',
  telefono: '+50255551234',
  departamento: 'Guatemala',
  municipio: 'Mixco',
  nombre: 'Ana',
  direccion: '4a calle',
  referencia: 'Portón verde',
  contenido: 'Zapatos',
  notas: 'Llamar\nantes',
  cod_amount: 349.5,
  lat: 14.6407,
  lng: -90.5133,
  maps_url: 'https://www.google.com/maps?q=14.6407,-90.5133',
  recogida: {
    lat: 14.6349,
    lng: -90.5069,
    maps_url: 'https://waze.com/ul?ll=14.6349,-90.5069',
    nombre: 'Bodega',
    direccion: '7a avenida',
  },
};

const MINIMAL = {
  ...{ external_ref: 'pedido-1', telefono: '+50255551234', departamento: 'Guatemala', municipio: 'Mixco' },
  recogida: { lat: 14.6349, lng: -90.5069 },
};

const read = (body: object) => readInput(CrearGuiaDto, body, { country: 'GT' });

/** The guide stored for a request. */
function stored(body: object): KeptGuia {
  return {
    ...toNewGuia(read(body)),
    id: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57',
    guia: '483920175567',
    estado: 'aceptado',
  };
}

/** What is reported when a guide made by `first` is asked for again by `repeat`. */
function distintos(first: object, repeat: object): string[] {
  const dto = read(repeat);
  return differingFields(dto, toNewGuia(dto), stored(first));
}

const inRecogida = (over: object) => ({ recogida: { ...FULL.recogida, ...over } });

describe('differingFields', () => {
  it.each([
    ['everything', FULL],
    ['the least', MINIMAL],
  ])('lists nothing for a repeat of the same request with %s', (_what, body) => {
    expect(distintos(body, body)).toEqual([]);
  });

  it.each<[campo: string, over: object]>([
    ['telefono', { telefono: '+50255551235' }],
    ['departamento', { departamento: 'Petén' }],
    ['municipio', { municipio: 'mixco' }],
    ['recogida.lat', inRecogida({ lat: 14.63490001 })],
    ['recogida.lng', inRecogida({ lng: 90.5069 })],
    ['recogida.maps_url', inRecogida({ maps_url: 'https://maps.app.goo.gl/abc' })],
    ['recogida.nombre', inRecogida({ nombre: 'Bodega 2' })],
    ['recogida.direccion', inRecogida({ direccion: '8a avenida' })],
    ['nombre', { nombre: 'Ana López' }],
    ['direccion', { direccion: '5a calle' }],
    ['referencia', { referencia: 'Portón azul' }],
    ['contenido', { contenido: 'Libros' }],
    ['notas', { notas: 'Llamar antes' }],
    ['cod_amount', { cod_amount: 349.51 }],
    ['cod_amount', { cod_amount: 0 }],
    ['lat', { lat: 14.6408 }],
    ['lng', { lng: -90.5134 }],
    ['maps_url', { maps_url: 'https://maps.app.goo.gl/abc' }],
  ])('lists only %s if only it differs', (campo, over) => {
    expect(distintos(FULL, { ...FULL, ...over })).toEqual([campo]);
  });

  it.each<[campos: string[], over: object]>([
    [['nombre'], { nombre: 'Ana' }],
    [['direccion'], { direccion: 'x' }],
    [['referencia'], { referencia: 'x' }],
    [['contenido'], { contenido: 'x' }],
    [['notas'], { notas: 'x' }],
    [['cod_amount'], { cod_amount: 0.01 }],
    [['lat', 'lng'], { lat: 1, lng: 2 }],
    [['maps_url'], { maps_url: '14.6407, -90.5133' }],
    [['recogida.nombre'], { recogida: { ...MINIMAL.recogida, nombre: 'x' } }],
    [['recogida.maps_url'], { recogida: { maps_url: '14.6349, -90.5069' } }],
  ])('lists %j if the guide has no value', (campos, over) => {
    expect(distintos(MINIMAL, { ...MINIMAL, ...over })).toEqual(campos);
  });

  it('ignores fields that the repeat leaves out', () => {
    expect(distintos(FULL, MINIMAL)).toEqual([]);
  });

  it.each<[what: string, over: object]>([
    ['null', { nombre: null, notas: null, cod_amount: null, lat: null, lng: null, maps_url: null }],
    ['an empty text', { nombre: '', notas: ' \n ', direccion: '\t', maps_url: '' }],
  ])('treats %s as left out', (_what, over) => {
    expect(distintos(FULL, { ...MINIMAL, ...over })).toEqual([]);
  });

  it.each<[what: string, over: object]>([
    ['the phone in local form', { telefono: ' 5555-1234 ' }],
    ['text with spaces around', { nombre: '  Ana ', departamento: 'Guatemala\n' }],
    ['line breaks of Windows', { notas: 'Llamar\r\nantes' }],
    ['a number with more zeros', { cod_amount: JSON.parse('349.500'), lat: JSON.parse('14.64070') }],
    ['a link with spaces around', { maps_url: ` ${FULL.maps_url} ` }],
  ])('compares normalised values: ignores %s', (_what, over) => {
    expect(distintos(FULL, { ...FULL, ...over })).toEqual([]);
  });

  it('treats an amount of zero like none', () => {
    expect(distintos(MINIMAL, { ...MINIMAL, cod_amount: 0 })).toEqual([]);
  });

  it('lists every field that differs', () => {
    const other = { ...FULL, telefono: '+50255550000', lat: 1, ...inRecogida({ lat: 2 }) };
    expect(distintos(FULL, other).sort()).toEqual(['lat', 'recogida.lat', 'telefono']);
  });
});
