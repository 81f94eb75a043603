import { readInput } from '../../validation/read-input.js';
import { EditarGuiaDto } from '../dto/editar-guia.dto.js';
import { GUIA_ADVERTENCIAS } from '../guia-advertencia.js';
import type { GuiaDetalleRow } from '../guias.queries.js';
import { editGuia, type NuevoDestino } from './guia-edit.js';

const HERE = { lat: 14.6407, lng: -90.5133 };
const LINK = 'https://maps.app.goo.gl/x';
const EVERY = Object.keys(GUIA_ADVERTENCIAS);

const guia = (over: Partial<GuiaDetalleRow> = {}) =>
  ({
    telefono: '+50255551234',
    direccion: '4a calle',
    referencia: 'portón',
    notas: null,
    destino_lat: null,
    destino_lng: null,
    destino_maps_url: null,
    direccion_confirmada: false,
    enlaces_pendientes: [],
    advertencias: [],
    ...over,
  }) as unknown as GuiaDetalleRow;
const KNOWN = { destino_lat: HERE.lat, destino_lng: HERE.lng, direccion_confirmada: true };

/** What a request makes of a guide; a point or a link in it is the new destination. */
function edit(actual: GuiaDetalleRow, body: object) {
  const { lat, lng, maps_url } = body as { lat?: number; lng?: number; maps_url?: string };
  const isPlace = lat !== undefined || maps_url !== undefined;
  const destino: NuevoDestino = { lat: lat ?? null, lng: lng ?? null, mapsUrl: maps_url ?? null };
  const dto = readInput(EditarGuiaDto, body, { country: 'GT' });
  return editGuia(actual, dto, isPlace ? destino : undefined, 'GT');
}

describe('editGuia', () => {
  it('of nothing leaves everything as it is', () => {
    for (const actual of [
      guia(),
      guia(KNOWN),
      guia({ advertencias: EVERY, enlaces_pendientes: ['recogida', 'destino'] }),
    ]) {
      const made = edit(actual, {});
      expect(made).toMatchObject({ ...actual });
      expect(made).toMatchObject({
        campos: [],
        hasNewDestination: false,
        isConfirmedNow: false,
        hasNewPhone: false,
      });
    }
  });

  it.each<[campo: string, value: unknown, kept: unknown]>([
    ['telefono', '4444 5678', '+50244445678'],
    ['direccion', '5a calle', '5a calle'],
    ['direccion', null, ''],
    ['direccion', '', ''],
    ['referencia', 'zaguán', 'zaguán'],
    ['referencia', null, null],
    ['notas', 'llamar', 'llamar'],
  ])('changes %s to %j, and names it', (campo, value, kept) => {
    const made = edit(guia(KNOWN), { [campo]: value });
    expect(made).toMatchObject({ ...guia(KNOWN), [campo]: kept, campos: [campo] });
    expect([made.hasNewDestination, made.isConfirmedNow]).toEqual([false, false]);
    expect(made.hasNewPhone).toBe(campo === 'telefono');
  });

  it.each([
    ['telefono', '55551234'],
    ['telefono', null],
    ['direccion', '4a calle '],
    ['referencia', 'portón'],
    ['notas', null],
    ['notas', ' '],
  ])('finds nothing to change in %s: %j', (campo, value) => {
    expect(edit(guia(), { [campo]: value }).campos).toEqual([]);
  });

  it.each<
    [what: string, actual: Partial<GuiaDetalleRow>, body: object, campos: string[], isConfirmedNow: boolean]
  >([
    ['a point where none was', {}, HERE, ['lat', 'lng'], true],
    ['another point', KNOWN, { ...HERE, lat: 15 }, ['lat', 'lng'], false],
    ['a link where none was', {}, { maps_url: LINK }, ['maps_url'], true],
    ['a link in place of a point', KNOWN, { maps_url: LINK }, ['lat', 'lng', 'maps_url'], false],
    [
      'a point in place of a link',
      { destino_maps_url: LINK, direccion_confirmada: true },
      HERE,
      ['lat', 'lng', 'maps_url'],
      false,
    ],
    [
      'the same point, of an address that is not confirmed',
      { ...KNOWN, direccion_confirmada: false },
      HERE,
      ['lat', 'lng'],
      true,
    ],
    [
      'the same link, that was still to be asked about',
      { destino_maps_url: LINK, direccion_confirmada: true, enlaces_pendientes: ['destino'] },
      { maps_url: LINK },
      ['maps_url'],
      false,
    ],
  ])('takes %s for a new destination', (_, actual, body, campos, isConfirmedNow) => {
    const made = edit(guia(actual), body);
    expect({ ...made, campos: [...made.campos].sort() }).toMatchObject({
      hasNewDestination: true,
      isConfirmedNow,
      direccion_confirmada: true,
      enlaces_pendientes: [],
      campos,
    });
  });

  it('takes the same place of a confirmed address for nothing new', () => {
    const actual = guia({ ...KNOWN, advertencias: ['destino_fuera_del_pais'] });
    expect(edit(actual, HERE)).toMatchObject({
      campos: [],
      hasNewDestination: false,
      advertencias: ['destino_fuera_del_pais'],
    });
  });

  it('leaves the pickup link to be asked about', () => {
    const actual = guia({ enlaces_pendientes: ['recogida', 'destino'] });
    expect(edit(actual, HERE).enlaces_pendientes).toEqual(['recogida']);
    expect(edit(actual, { notas: 'x' }).enlaces_pendientes).toEqual(['recogida', 'destino']);
  });

  describe('settles warnings:', () => {
    const OF_PHONE = ['mensaje_fallido', 'mensaje_omitido_limite', 'mensaje_omitido_baja'];
    const OF_DESTINATION = [...OF_PHONE, 'destino_sin_coordenadas', 'destino_fuera_del_pais'];
    const left = (gone: string[]) => EVERY.filter((code) => !gone.includes(code));

    it.each<[what: string, body: object, advertencias: string[]]>([
      ['another phone those of the phone', { telefono: '44445678' }, left(OF_PHONE)],
      ['a place those of the destination', HERE, left(OF_DESTINATION)],
      ['both those of the destination', { ...HERE, telefono: '44445678' }, left(OF_DESTINATION)],
      [
        'a place far away all of them but its own',
        { lat: 40.4, lng: -3.7 },
        [...left(OF_DESTINATION), 'destino_fuera_del_pais'],
      ],
      ['a place without coordinates is nowhere far', { maps_url: LINK }, left(OF_DESTINATION)],
      ['notes none', { notas: 'x', direccion: 'y', referencia: null }, EVERY],
      ['the same phone none', { telefono: '55551234' }, EVERY],
    ])('%s', (_, body, advertencias) => {
      expect(edit(guia({ advertencias: EVERY }), body).advertencias).toEqual(advertencias);
    });
  });

  it('does not change the guide it reads', () => {
    const actual = guia({ advertencias: EVERY, enlaces_pendientes: ['destino'] });
    const before = structuredClone(actual);
    edit(actual, { ...HERE, telefono: '44445678', notas: 'x' });
    expect(actual).toEqual(before);
  });
});
