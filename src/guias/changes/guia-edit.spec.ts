import { readInput } from '../../validation/read-input.js';
import { EditarGuiaDto } from '../dto/editar-guia.dto.js';
import { ADVERTENCIA_CODES } from '../guia-advertencia.js';
import type { GuiaDetalleRow } from '../guia-row.js';
import { editGuia, type Destino } from './guia-edit.js';

const HERE = { lat: 14.6407, lng: -90.5133 };
const LINK = 'https://maps.app.goo.gl/x';
const EVERY: string[] = [...ADVERTENCIA_CODES];

/** The columns that an edit compares; the others do not matter to it. */
const guia = (over: Partial<GuiaDetalleRow> = {}) =>
  ({
    telefono: '+50255551234',
    destinatario: 'Ana',
    departamento: 'Guatemala',
    municipio: 'Mixco',
    contenido: '',
    cod_amount: 10,
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

/** Applies a request body to a guide; a point or a link in it is the destination. */
function edit(actual: GuiaDetalleRow, body: object, isPending = false) {
  const { lat, lng, maps_url } = body as { lat?: number; lng?: number; maps_url?: string };
  const isPlace = lat !== undefined || maps_url !== undefined;
  const destino: Destino = { lat: lat ?? null, lng: lng ?? null, mapsUrl: maps_url ?? null, isPending };
  const dto = readInput(EditarGuiaDto, body, { country: 'GT' });
  return editGuia(actual, dto, isPlace ? destino : undefined, 'GT');
}

describe('editGuia', () => {
  it('changes nothing for an empty request', () => {
    for (const actual of [
      guia(),
      guia(KNOWN),
      guia({ advertencias: EVERY, enlaces_pendientes: ['recogida', 'destino'] }),
    ]) {
      const made = edit(actual, {});
      expect(actual).toMatchObject(made.row);
      expect(made).toMatchObject({
        campos: [],
        hasNewDestination: false,
        isNewlyConfirmed: false,
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
  ])('changes %s to %j and lists it in campos', (campo, value, kept) => {
    const made = edit(guia(KNOWN), { [campo]: value });
    expect({ ...guia(KNOWN), [campo]: kept }).toMatchObject(made.row);
    expect(made.campos).toEqual([campo]);
    expect([made.hasNewDestination, made.isNewlyConfirmed]).toEqual([false, false]);
    expect(made.hasNewPhone).toBe(campo === 'telefono');
  });

  it.each([
    ['telefono', '55551234'],
    ['cod_amount', null],
    ['direccion', '4a calle '],
    ['referencia', 'portón'],
    ['notas', null],
    ['notas', ' '],
  ])('treats %s: %j as no change', (campo, value) => {
    expect(edit(guia(), { [campo]: value }).campos).toEqual([]);
  });

  it.each<
    [what: string, actual: Partial<GuiaDetalleRow>, body: object, campos: string[], isNewlyConfirmed: boolean]
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
      'the same point, of an unconfirmed address',
      { ...KNOWN, direccion_confirmada: false },
      HERE,
      ['lat', 'lng'],
      true,
    ],
    [
      'the same link, which is still to be resolved',
      { destino_maps_url: LINK, direccion_confirmada: true, enlaces_pendientes: ['destino'] },
      { maps_url: LINK },
      ['maps_url'],
      false,
    ],
  ])('treats %s as a new destination', (_, actual, body, campos, isNewlyConfirmed) => {
    const made = edit(guia(actual), body);
    expect({ ...made, campos: [...made.campos].sort() }).toMatchObject({
      row: { direccion_confirmada: true, enlaces_pendientes: [] },
      hasNewDestination: true,
      isNewlyConfirmed,
      campos,
    });
  });

  it('treats the same place of a confirmed address as no change', () => {
    const actual = guia({ ...KNOWN, advertencias: ['destino_fuera_del_pais'] });
    expect(edit(actual, HERE)).toMatchObject({
      row: { advertencias: ['destino_fuera_del_pais'] },
      campos: [],
      hasNewDestination: false,
    });
  });

  describe('with a link whose map service does not answer', () => {
    it('confirms the address, and leaves the link to be expanded', () => {
      expect(edit(guia({ enlaces_pendientes: ['recogida'] }), { maps_url: LINK }, true)).toMatchObject({
        row: { direccion_confirmada: true, enlaces_pendientes: ['recogida', 'destino'] },
        campos: ['maps_url'],
        hasNewPendingLink: true,
        isNewlyConfirmed: true,
      });
    });

    it.each<[what: string, actual: Partial<GuiaDetalleRow>]>([
      ['is being expanded', { enlaces_pendientes: ['destino'], direccion_confirmada: true }],
      ['is being expanded, while its recipient was asked', { enlaces_pendientes: ['destino'] }],
      ['was expanded', KNOWN],
    ])('changes nothing if it is the guide’s own, which %s', (_, over) => {
      const actual = guia({ destino_maps_url: LINK, ...over });
      const made = edit(actual, { maps_url: LINK }, true);
      expect(actual).toMatchObject(made.row);
      expect(made).toMatchObject({ campos: [], hasNewDestination: false, hasNewPendingLink: false });
    });

    it('tries a link again that was given up', () => {
      const actual = guia({ destino_maps_url: LINK, advertencias: ['destino_sin_coordenadas'] });
      expect(edit(actual, { maps_url: LINK }, true)).toMatchObject({
        row: { direccion_confirmada: true, enlaces_pendientes: ['destino'], advertencias: [] },
        hasNewPendingLink: true,
      });
    });
  });

  it('keeps a pending pickup link pending', () => {
    const actual = guia({ enlaces_pendientes: ['recogida', 'destino'] });
    expect(edit(actual, HERE).row.enlaces_pendientes).toEqual(['recogida']);
    expect(edit(actual, { notas: 'x' }).row.enlaces_pendientes).toEqual(['recogida', 'destino']);
  });

  describe('clears warnings:', () => {
    const OF_MESSAGES = ['mensaje_fallido', 'mensaje_omitido_limite', 'mensaje_omitido_baja'];
    const OF_PHONE = [...OF_MESSAGES, 'destinatario_niega'];
    const OF_DESTINATION = [...OF_MESSAGES, 'destino_sin_coordenadas', 'destino_fuera_del_pais'];
    const left = (cleared: string[]) => EVERY.filter((code) => !cleared.includes(code));

    it.each<[what: string, body: object, advertencias: string[]]>([
      ['a new phone clears those of the phone', { telefono: '44445678' }, left(OF_PHONE)],
      ['a place clears those of the destination', HERE, left(OF_DESTINATION)],
      ['both together clear both', { ...HERE, telefono: '44445678' }, left([...OF_PHONE, ...OF_DESTINATION])],
      [
        'a place far away clears them and adds its own',
        { lat: 40.4, lng: -3.7 },
        [...left(OF_DESTINATION), 'destino_fuera_del_pais'],
      ],
      ['a place without coordinates is never far', { maps_url: LINK }, left(OF_DESTINATION)],
      ['notes clear none', { notas: 'x', direccion: 'y', referencia: null }, EVERY],
      ['the same phone clears none', { telefono: '55551234' }, EVERY],
    ])('%s', (_, body, advertencias) => {
      expect(edit(guia({ advertencias: EVERY }), body).row.advertencias).toEqual(advertencias);
    });
  });

  it('does not change the guide it reads', () => {
    const actual = guia({ advertencias: EVERY, enlaces_pendientes: ['destino'] });
    const before = structuredClone(actual);
    edit(actual, { ...HERE, telefono: '44445678', notas: 'x' });
    expect(actual).toEqual(before);
  });
});
