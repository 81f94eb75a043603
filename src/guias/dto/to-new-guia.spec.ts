import { AppError } from '../../platform/errors/app-error.js';
import { readInput } from '../../platform/validation/read-input.js';
import { ofEachText } from '../guia/guia-fields.js';
import { CrearGuiaDto, toNewGuia } from './crear-guia.dto.js';

const TEXTS = ofEachText((_, texto) => `own ${texto}`);

const VALID = {
  telefono: '5555 1234',
  departamento: 'Guatemala',
  municipio: 'Mixco',
  recogida: { lat: 14.6349, lng: -90.5069 },
};
const PIN = 'https://www.google.com/maps?q=14.6407,-90.5133';
const PLACE = 'https://www.google.com/maps/place/Mixco';
const SHORT = 'https://maps.app.goo.gl/AbC123';
const FOREIGN = 'https://evil.example/maps?q=14.6407,-90.5133';

const nueva = (over: object) => toNewGuia(readInput(CrearGuiaDto, { ...VALID, ...over }, { country: 'GT' }));

/** The error's code, then each fault as `campo: codigo`. */
function refusal(over: object): string[] {
  try {
    nueva(over);
    return [];
  } catch (error) {
    const { codigo, errores } = error as AppError;
    return [codigo, ...errores!.map((fault) => `${fault.campo}: ${fault.codigo}`)];
  }
}

describe('toNewGuia', () => {
  it.each(['N/A', '-', 'null', 'undefined'])('takes the name %s for none', (nombre) => {
    expect(nueva({ nombre }).destinatario).toBe('');
  });

  it.each(['N/A', '-'])('keeps %s as a place, which was always accepted', (name) => {
    expect(nueva({ departamento: name, municipio: name })).toMatchObject({
      departamento: name,
      municipio: name,
    });
  });

  it('fills in what a minimal request leaves out', () => {
    expect(nueva({})).toEqual({
      ...{ external_ref: null, destinatario: '', telefono: '+50255551234', direccion: '' },
      ...{ departamento: 'Guatemala', municipio: 'Mixco', ...ofEachText(({ empty }) => empty) },
      ...{ cod_amount: 0, direccion_confirmada: false, destino_lat: null, destino_lng: null },
      ...{ destino_maps_url: null, recogida_lat: 14.6349, recogida_lng: -90.5069, recogida_maps_url: null },
      ...{ recogida_nombre: null, recogida_direccion: null, advertencias: [], enlaces_pendientes: [] },
    });
  });

  it('maps every field to its column', () => {
    const over = {
      external_ref: 'r',
      nombre: 'n',
      direccion: 'd',
      ...TEXTS,
      cod_amount: 1.5,
      lat: 1,
      lng: 2,
      maps_url: PIN,
      recogida: { lat: 3, lng: 4, maps_url: SHORT, nombre: 'rn', direccion: 'rd' },
    };
    expect(nueva(over)).toEqual({
      ...{ external_ref: 'r', destinatario: 'n', telefono: '+50255551234', direccion: 'd' },
      ...{ departamento: 'Guatemala', municipio: 'Mixco', ...TEXTS },
      ...{ cod_amount: 1.5, direccion_confirmada: true, destino_lat: 1, destino_lng: 2 },
      ...{ destino_maps_url: PIN, recogida_lat: 3, recogida_lng: 4, recogida_maps_url: SHORT },
      ...{ recogida_nombre: 'rn', recogida_direccion: 'rd', advertencias: [], enlaces_pendientes: [] },
    });
  });

  it.each<[what: string, over: object, pendientes: string[]]>([
    ['a short pickup link', { recogida: { maps_url: SHORT } }, ['recogida']],
    ['a short destination link', { maps_url: SHORT }, ['destino']],
    ['words around it', { maps_url: `Farmacia Galeno ${SHORT}` }, ['destino']],
    ['both', { maps_url: SHORT, recogida: { maps_url: SHORT } }, ['recogida', 'destino']],
    ['coordinates beside it', { lat: 1, lng: 2, maps_url: SHORT }, []],
    ['a link that says where', { maps_url: PIN }, []],
  ])('sets enlaces_pendientes for %s', (_what, over, pendientes) => {
    expect(nueva(over).enlaces_pendientes).toEqual(pendientes);
  });

  it.each<[what: string, over: object, confirmed: boolean]>([
    ['neither coordinates nor link', {}, false],
    ['null for all of them', { lat: null, lng: null, maps_url: null }, false],
    ['an empty link', { maps_url: ' ' }, false],
    ['coordinates', { lat: 14.6407, lng: -90.5133 }, true],
    ['coordinates on the equator', { lat: 0, lng: -78.4 }, true],
    ['a link with coordinates', { maps_url: PIN }, true],
    ['plain coordinates as link', { maps_url: '14.6407, -90.5133' }, true],
    ['a link without coordinates', { maps_url: PLACE }, true],
    ['a short link', { maps_url: SHORT }, true],
  ])('sets direccion_confirmada by the destination alone: %s', (_what, over, confirmed) => {
    expect(nueva(over).direccion_confirmada).toBe(confirmed);
  });

  it.each<[what: string, over: object, lat: number | null, lng: number | null]>([
    ['a link with coordinates gives them', { maps_url: PIN }, 14.6407, -90.5133],
    ['coordinates win over a link', { lat: 1, lng: 2, maps_url: PIN }, 1, 2],
    ['coordinates win over a place', { lat: 1, lng: 2, maps_url: PLACE }, 1, 2],
    ['a zero coordinate wins too', { lat: 0, lng: 2, maps_url: PIN }, 0, 2],
    ['a link without coordinates leaves them unknown', { maps_url: PLACE }, null, null],
  ])('destination: %s', (_what, over: { maps_url?: string }, lat, lng) => {
    expect(nueva(over)).toMatchObject({
      destino_lat: lat,
      destino_lng: lng,
      destino_maps_url: over.maps_url,
      recogida_lat: 14.6349,
    });
  });

  it.each<[what: string, recogida: object, lat: number, lng: number]>([
    ['a link with coordinates gives them', { maps_url: PIN }, 14.6407, -90.5133],
    ['coordinates win over a link', { lat: 1, lng: 2, maps_url: PIN }, 1, 2],
    ['coordinates win over a place', { lat: 1, lng: 2, maps_url: PLACE }, 1, 2],
  ])('pickup: %s', (_what, recogida: { maps_url?: string }, lat, lng) => {
    expect(nueva({ recogida })).toMatchObject({
      recogida_lat: lat,
      recogida_lng: lng,
      recogida_maps_url: recogida.maps_url,
      direccion_confirmada: false,
    });
  });

  it.each<[what: string, over: object, answer: string[]]>([
    [
      'another host as pickup',
      { recogida: { maps_url: FOREIGN } },
      ['enlace_no_soportado', 'recogida.maps_url: enlace_no_soportado'],
    ],
    [
      'another host as destination',
      { maps_url: FOREIGN },
      ['enlace_no_soportado', 'maps_url: enlace_no_soportado'],
    ],
    [
      'a place as pickup',
      { recogida: { maps_url: PLACE } },
      ['enlace_sin_coordenadas', 'recogida.maps_url: enlace_sin_coordenadas'],
    ],
    [
      'both links',
      { recogida: { maps_url: PLACE }, maps_url: FOREIGN },
      [
        'enlace_sin_coordenadas',
        'recogida.maps_url: enlace_sin_coordenadas',
        'maps_url: enlace_no_soportado',
      ],
    ],
  ])('refuses %s, naming the field', (_what, over, answer) => {
    expect(refusal(over)).toEqual(answer);
  });
});

describe.each(['maps_url', 'recogida.maps_url'])('CrearGuiaDto %s', (campo) => {
  const withLink = (link: unknown) =>
    campo === 'maps_url' ? { maps_url: link } : { recogida: { maps_url: link } };

  it.each([
    ...['hola', 'google.com/maps', 'javascript:alert(1)', 'ftp://maps.google.com/', '91, 0', '0, 0'],
    '14.6',
  ])('refuses %j, which is neither a link nor coordinates', (text) => {
    expect(refusal(withLink(text))).toEqual(['validacion', `${campo}: formato`]);
  });

  it.each([
    'https://www.google.com/maps?q=91,0',
    'https://www.google.com/maps?q=14.6,190',
    'https://waze.com/ul?ll=0,0',
  ])('refuses %s, whose coordinates are out of range', (link) => {
    expect(refusal(withLink(link))).toEqual(['validacion', `${campo}: formato`]);
  });

  it.each([`${PIN}\0`, `${PIN}\u0085`, `${PIN}\ud83d`])(
    'refuses %j, which has forbidden characters',
    (link) => {
      expect(refusal(withLink(link))).toEqual(['validacion', `${campo}: formato`]);
    },
  );

  it.each([5, true, [PIN], { url: PIN }])('refuses %j, which is not a text', (value) => {
    expect(refusal(withLink(value))).toEqual(['validacion', `${campo}: tipo`]);
  });

  it('allows up to 4,096 characters after trimming', () => {
    const link = `${PIN}&x=`.padEnd(4_096, 'a');
    expect(refusal(withLink(` ${link}\n`))).toEqual([]);
    expect(refusal(withLink(`${link}a`))).toEqual(['validacion', `${campo}: demasiado_largo`]);
  });

  it('counts a surrogate pair as one character', () => {
    const link = `${PIN}&x=`;
    expect(refusal(withLink(link + '😀'.repeat(4_096 - link.length)))).toEqual([]);
    expect(refusal(withLink(link + '😀'.repeat(4_097 - link.length)))).toEqual([
      'validacion',
      `${campo}: demasiado_largo`,
    ]);
  });
});
