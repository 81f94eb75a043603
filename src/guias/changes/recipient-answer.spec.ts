import { ADVERTENCIA_CODES } from '../guia/guia-advertencia.js';
import { FINAL_ESTADOS, GUIA_ESTADOS, OPEN_ESTADOS } from '../guia/guia-estado.js';
import { EDITABLE_IN } from './editable-fields.js';
import { updateGuia, type GuiaColumns, type CurrentGuia } from './guia-changes.queries.js';
import { placeVersion } from './place-version.js';
import {
  decideConfirmation,
  decideDenial,
  type ConfirmedPlace,
  type PlaceAnswer,
} from './recipient-answer.js';

const NOW = '2026-11-25T12:00:00.000Z';
const minutesAgo = (minutes: number) => new Date(Date.parse(NOW) - minutes * 60_000).toISOString();
const ID = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';
const OLDER = '01a1fea2-cf03-7000-9c44-2b8e6f0d1a57';
const NEWER = '01a1fea2-cf04-7000-9c44-2b8e6f0d1a57';
const HERE = { lat: 14.6407, lng: -90.5133 };
const LINK = 'https://maps.app.goo.gl/x';

/** The columns that an answer reads; the others do not matter to it. */
const guia = (over: Partial<CurrentGuia> = {}) =>
  ({
    estado: 'aceptado',
    referencia: 'portón',
    destino_lat: null,
    destino_lng: null,
    destino_maps_url: null,
    direccion_confirmada: false,
    confirmada_en: null,
    respuesta_id: null,
    respuesta_en: null,
    enlaces_pendientes: [],
    advertencias: [],
    telefono_secuencia: null,
    ...over,
  }) as unknown as CurrentGuia;

/** Confirmed at `HERE` five minutes ago, by its recipient. */
const SAVED: Partial<CurrentGuia> = {
  ...{ destino_lat: HERE.lat, destino_lng: HERE.lng, direccion_confirmada: true },
  ...{ confirmada_en: minutesAgo(5), respuesta_id: OLDER },
};

const confirm = (
  over: Partial<CurrentGuia>,
  place: Partial<ConfirmedPlace> = {},
  answer: Partial<PlaceAnswer> = {},
  context: { corregible_desde?: string; nota?: string; preguntada?: boolean } = {},
) =>
  decideConfirmation(
    guia(over),
    {
      place: { ...HERE, origen: 'pagina', ...place },
      isFar: false,
      answer: undefined,
      telefonoSecuencia: null,
      ...answer,
    },
    { ahora: NOW, corregible_desde: null, nota: null, preguntada: false, ...context },
  );
/** `applied`, or why not. */
const outcome = (...of: Parameters<typeof confirm>) => {
  const decision = confirm(...of);
  return typeof decision === 'string' ? decision : 'applied';
};
const columns = (...of: Parameters<typeof confirm>) => {
  const decision = confirm(...of);
  return typeof decision === 'string' ? decision : decision.columns;
};

describe('decideConfirmation', () => {
  it('writes columns whose statement is prepared', () => {
    const written = columns({}) as GuiaColumns;
    expect(updateGuia({ comercio_id: ID, id: ID }, { columns: written }, 1).name).toBeDefined();
  });

  it('confirms the place with one event, which does not contain it', () => {
    expect(confirm({}, { precision: 8 }, { answer: { id: ID, sentAt: minutesAgo(1) } })).toEqual({
      columns: {
        ...{ destino_lat: HERE.lat, destino_lng: HERE.lng, destino_maps_url: null, referencia: 'portón' },
        ...{ respuesta_id: ID, respuesta_en: minutesAgo(1), direccion_confirmada: true, confirmada_en: NOW },
        ...{ enlaces_pendientes: [], advertencias: [] },
      },
      evento: {
        id: ID,
        tipo: 'guia.confirmada',
        actor: 'destinatario',
        datos: { origen: 'pagina', precision: 8 },
      },
    });
  });

  it('takes the first answer in the open states alone', () => {
    expect(GUIA_ESTADOS.filter((estado) => outcome({ estado }) === 'applied')).toEqual(OPEN_ESTADOS);
  });

  it('takes a correction wherever the merchant may change the destination, however old the confirmation is', () => {
    const by = (over: Partial<CurrentGuia>) =>
      GUIA_ESTADOS.filter((estado) => outcome({ ...SAVED, ...over, estado }, { lat: 15 }) === 'applied');
    expect(by({ confirmada_en: minutesAgo(60 * 24 * 6) })).toEqual(EDITABLE_IN.lat);
    expect(by({ confirmada_en: null })).toEqual(EDITABLE_IN.lat);
    expect(outcome({ ...SAVED, estado: 'en_ruta' })).toBe('known');
    expect(columns(SAVED, { lat: 15 })).toMatchObject({ confirmada_en: SAVED.confirmada_en });
  });

  it.each<[what: string, over: Partial<CurrentGuia>, place: Partial<ConfirmedPlace>, outcome: string]>([
    ['another place, of the page without one', SAVED, { lat: 15, version: '' }, 'moved'],
    ['another place, of the page with another one', SAVED, { lat: 15, version: 'x' }, 'moved'],
    ['another place, of its own page', SAVED, { lat: 15, version: placeVersion(guia(SAVED)) }, 'applied'],
    ['another place, of a page that names none', SAVED, { lat: 15 }, 'applied'],
    ['the saved place, with another landmark', SAVED, { referencia: 'reja', version: '' }, 'applied'],
    ['the saved place', SAVED, { version: '' }, 'known'],
    [
      'a landmark of another place',
      SAVED,
      { lat: undefined, lng: undefined, referencia: 'reja', version: 'x' },
      'moved',
    ],
    ['a note', SAVED, { lat: undefined, lng: undefined, nota: 'Toque', version: 'x' }, 'applied'],
    ['a place, where there is none any more', {}, { version: 'x' }, 'applied'],
    [
      'a note, once the courier is on the way',
      { ...SAVED, estado: 'en_ruta' },
      { lat: undefined, lng: undefined, nota: 'Toque' },
      'applied',
    ],
    [
      'a note with a landmark, once the courier is on the way',
      { ...SAVED, estado: 'en_ruta' },
      { lat: undefined, lng: undefined, nota: 'Toque', referencia: 'reja' },
      'closed',
    ],
    [
      'another place, once it is too late',
      { ...SAVED, estado: 'en_ruta' },
      { lat: 15, version: '' },
      'closed',
    ],
  ])('does not replace a place that its sender has not seen: %s', (_, over, place, expected) => {
    expect(outcome(over, place)).toBe(expected);
  });

  describe('after too many corrections', () => {
    const FULL = { corregible_desde: minutesAgo(-60) };

    it.each<[what: string, over: Partial<CurrentGuia>, place: Partial<ConfirmedPlace>, outcome: string]>([
      ['another place', SAVED, { lat: 15 }, 'too_many'],
      ['another landmark', SAVED, { referencia: 'zaguán' }, 'too_many'],
      ['a note', SAVED, { nota: 'toque fuerte' }, 'too_many'],
      ['a note alone', {}, { lat: undefined, lng: undefined, nota: 'toque fuerte' }, 'too_many'],
      ['what is saved', SAVED, {}, 'known'],
      ['the first place', {}, {}, 'applied'],
    ])('takes %s: %s', (_, over, place, expected) => {
      expect(outcome(over, place, {}, FULL)).toBe(expected);
    });

    it('counts a message with the saved place as no correction', () => {
      expect(outcome(SAVED, {}, { answer: { id: NEWER, sentAt: minutesAgo(1) } }, FULL)).toBe('applied');
    });
  });

  describe('a note for the driver', () => {
    const ALONE = { lat: undefined, lng: undefined, nota: 'Toque el portón' };

    it.each([[{}], [SAVED]])('that comes alone changes no place: %j', (over) => {
      expect(confirm(over, ALONE)).toMatchObject({
        columns: {},
        evento: {
          tipo: 'guia.actualizada',
          actor: 'destinatario',
          datos: { campos: ['nota'], origen: 'pagina', nota: 'Toque el portón', correccion: true },
        },
      });
    });

    it('comes with a place in one event', () => {
      expect(confirm({}, { nota: 'Toque el portón' })).toMatchObject({
        columns: { destino_lat: HERE.lat },
        evento: { tipo: 'guia.confirmada', datos: { origen: 'pagina', nota: 'Toque el portón' } },
      });
    });

    it('that is the last one already is a repeat', () => {
      expect(outcome(SAVED, ALONE, {}, { nota: ALONE.nota })).toBe('known');
      expect(outcome(SAVED, ALONE, {}, { nota: 'Otra' })).toBe('applied');
      expect(outcome(SAVED, {}, {}, { nota: 'Otra' })).toBe('known');
    });
  });

  it.each<[sent: string | undefined, stored: string | null]>([
    [undefined, 'portón'],
    ['zaguán', 'zaguán'],
    ['', null],
  ])('stores the landmark %j as %j', (referencia, stored) => {
    expect(columns({}, { referencia })).toMatchObject({ referencia: stored });
  });

  it('replaces a link of the destination that is being expanded', () => {
    const over: Partial<CurrentGuia> = {
      destino_maps_url: LINK,
      enlaces_pendientes: ['recogida', 'destino'],
    };
    expect(columns(over)).toMatchObject({ destino_maps_url: null, enlaces_pendientes: ['recogida'] });
  });

  it('resolves the warnings of the destination and takes back a denial; a place far away adds its own', () => {
    const advertencias = [...ADVERTENCIA_CODES];
    const left = [
      ...['recogida_sin_coordenadas', 'recogida_fuera_del_pais', 'cod_distinto', 'entrega_lejos'],
      ...['telefono_dudoso', 'cancelada_ya_recogida', 'destinatario_no_recibio', 'entregado_sin_pin'],
      ...['entrega_tardia', 'evento_de_otro_piloto', 'deshacer_tarde'],
    ];
    expect(columns({ advertencias })).toMatchObject({ advertencias: left });
    expect(columns({ advertencias }, {}, { isFar: true })).toMatchObject({
      advertencias: [...left, 'destino_fuera_del_pais'],
    });
  });

  it.each<[read: number | null, stored: number | null, outcome: string]>([
    [null, null, 'applied'],
    [3, 3, 'applied'],
    [null, 3, 'closed'],
    [3, 7, 'closed'],
  ])('is for the phone that was read (%j, now %j): %s', (read, stored, expected) => {
    expect(outcome({ telefono_secuencia: stored }, {}, { telefonoSecuencia: read })).toBe(expected);
  });

  const TO_REVIEW = { advertencias: ['destino_por_revisar'] };
  const NOTE = { lat: undefined, lng: undefined, referencia: 'portón' };
  it.each<[what: string, over: Partial<CurrentGuia>, place: Partial<ConfirmedPlace>, outcome: string]>([
    ['the saved place', {}, {}, 'known'],
    ['the saved place and landmark', {}, { referencia: 'portón' }, 'known'],
    ['an empty landmark where none is saved', { referencia: null }, { referencia: '' }, 'known'],
    ['the saved place of a link', { destino_maps_url: LINK }, {}, 'known'],
    ['the saved link', { destino_maps_url: LINK }, { mapsUrl: LINK }, 'known'],
    ['another landmark', {}, { referencia: 'zaguán' }, 'applied'],
    ['an empty landmark', {}, { referencia: '' }, 'applied'],
    ['another place', {}, { lat: 15 }, 'applied'],
    ['a link to the same place', {}, { mapsUrl: LINK }, 'applied'],
    ['the saved place, after a denial', { advertencias: ['destinatario_niega'] }, {}, 'applied'],
    ['the saved place, once the guide moved to another town', TO_REVIEW, {}, 'applied'],
    ['the saved place, once it moved and is en_ruta', { ...TO_REVIEW, estado: 'en_ruta' }, {}, 'known'],
    ['the saved landmark, once the guide moved to another town', TO_REVIEW, NOTE, 'known'],
    ['the saved place, after it was unconfirmed', { direccion_confirmada: false }, {}, 'applied'],
  ])('of a page that is sent again with %s: %s', (_, over, place, expected) => {
    expect(outcome({ ...SAVED, ...over }, place)).toBe(expected);
  });

  it('keeps the link of the saved point beside a new note', () => {
    const saved = { ...SAVED, destino_maps_url: LINK };
    expect(columns(saved, { nota: 'Toque fuerte' })).toMatchObject({ destino_maps_url: LINK });
    expect(columns(saved, { lat: 14.7 })).toMatchObject({ destino_maps_url: null });
  });

  describe('that says what is saved, to a recipient who was asked again', () => {
    const ASKED = { preguntada: true, nota: 'Toque fuerte', corregible_desde: minutesAgo(-60) };
    const ALONE = { lat: undefined, lng: undefined };
    it.each<[what: string, over: Partial<CurrentGuia>, place: Partial<ConfirmedPlace>, outcome: string]>([
      ['the saved place', {}, {}, 'applied'],
      ['the saved place, of the merchant', { confirmada_en: null, respuesta_id: null }, {}, 'applied'],
      ['the saved note', {}, { ...ALONE, nota: 'Toque fuerte' }, 'applied'],
      ['the saved landmark alone', {}, { ...ALONE, referencia: 'portón' }, 'known'],
      ['the saved place, once it is en_ruta', { estado: 'en_ruta' }, {}, 'known'],
    ])('%s: %s', (_, over, place, expected) => {
      expect(outcome({ ...SAVED, estado: 'intento_fallido', ...over }, place, {}, ASKED)).toBe(expected);
    });

    it('is no correction, and keeps the link of the place', () => {
      const over = { ...SAVED, destino_maps_url: LINK, estado: 'intento_fallido' as const };
      const decision = confirm(over, {}, {}, ASKED);
      expect(decision).toMatchObject({
        columns: { destino_maps_url: LINK, referencia: 'portón', confirmada_en: SAVED.confirmada_en },
        evento: { tipo: 'guia.confirmada', datos: { origen: 'pagina' } },
      });
      expect(decision).not.toHaveProperty('evento.datos.correccion');
    });
  });

  it('changes nothing but the landmark where that comes alone', () => {
    const place = { lat: undefined, lng: undefined, referencia: 'zaguán' };
    expect(confirm({ ...SAVED, ...TO_REVIEW }, place)).toMatchObject({
      columns: { referencia: 'zaguán' },
      evento: { tipo: 'guia.actualizada', datos: { campos: ['referencia'], correccion: true } },
    });
  });

  it('is no correction where it says again what is saved', () => {
    const context = { corregible_desde: NOW };
    expect(confirm({ ...SAVED, ...TO_REVIEW }, {}, {}, context)).toMatchObject({
      columns: { advertencias: [] },
      evento: { tipo: 'guia.confirmada', datos: { origen: 'pagina' } },
    });
    expect(confirm({ ...SAVED, ...TO_REVIEW }, { lat: 15 }, {}, context)).toBe('too_many');
  });

  const SENT = minutesAgo(4);
  it.each<[what: string, id: string, sentAt: string, over: Partial<CurrentGuia>, outcome: string]>([
    [
      'sent later than the saved one',
      OLDER,
      minutesAgo(3),
      { respuesta_id: ID, respuesta_en: SENT },
      'applied',
    ],
    [
      'sent earlier, and delivered later',
      NEWER,
      minutesAgo(5),
      { respuesta_id: ID, respuesta_en: SENT },
      'older',
    ],
    [
      'of the same time, and delivered later',
      NEWER,
      SENT,
      { respuesta_id: ID, respuesta_en: SENT },
      'applied',
    ],
    [
      'of the same time, and delivered earlier',
      OLDER,
      SENT,
      { respuesta_id: ID, respuesta_en: SENT },
      'older',
    ],
    ['sent before the merchant set a place', NEWER, minutesAgo(5), { respuesta_en: SENT }, 'older'],
    ['newer than one whose time is not known', NEWER, SENT, { respuesta_id: ID }, 'applied'],
    ['older than one whose time is not known', OLDER, SENT, { respuesta_id: ID }, 'older'],
    ['the saved one', ID, SENT, { respuesta_id: ID, respuesta_en: SENT }, 'known'],
    ['newer, with the saved place', NEWER, minutesAgo(3), { respuesta_en: SENT }, 'applied'],
    ['older, of a guide that has ended', OLDER, SENT, { respuesta_id: ID, estado: 'entregado' }, 'older'],
    [
      'older, of an unconfirmed address',
      OLDER,
      SENT,
      { respuesta_id: ID, direccion_confirmada: false },
      'older',
    ],
    [
      'the saved one, of an unconfirmed address',
      ID,
      SENT,
      { respuesta_id: ID, direccion_confirmada: false },
      'closed',
    ],
    ['newer, of a guide that has ended', NEWER, SENT, { respuesta_id: ID, estado: 'entregado' }, 'closed'],
  ])('of a message that is %s: %s', (_, id, sentAt, over, expected) => {
    expect(outcome({ ...SAVED, ...over }, {}, { answer: { id, sentAt } })).toBe(expected);
  });

  it('orders the answer of a page by the time that it is given', () => {
    expect(columns({}, {})).toMatchObject({ respuesta_en: NOW });
  });
});

describe('decideDenial', () => {
  const RECIPIENT = { actor: 'destinatario' } as const;
  const DENIED = { advertencias: ['mensaje_fallido', 'destinatario_niega'] };

  it('warns the merchant', () => {
    expect(decideDenial(guia({ advertencias: ['mensaje_fallido'] }), null, RECIPIENT)).toEqual({
      columns: DENIED,
      evento: { tipo: 'guia.destinatario_niega', actor: 'destinatario', datos: {} },
    });
  });

  it('names support where a call said so', () => {
    expect(decideDenial(guia(), null, { actor: 'soporte', usuario: 'ana' })).toMatchObject({
      evento: { actor: 'soporte', datos: { usuario: 'ana' } },
    });
  });

  it.each<[what: string, over: Partial<CurrentGuia>, outcome: string]>([
    ['was denied before', DENIED, 'denied'],
    ['was denied before it ended', { ...DENIED, estado: 'entregado' }, 'denied'],
    ['has another phone now', { telefono_secuencia: 3 }, 'other_phone'],
    ['has another phone and ended', { telefono_secuencia: 3, estado: 'entregado' }, 'other_phone'],
    ...FINAL_ESTADOS.map((estado) => [`is ${estado}`, { estado }, 'ended'] as [string, object, string]),
  ])('changes nothing of a guide that %s: %s', (_, over, expected) => {
    expect(decideDenial(guia(over), null, RECIPIENT)).toBe(expected);
  });
});
