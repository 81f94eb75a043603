import fc from 'fast-check';
import { ADVERTENCIA_CODES } from '../../guias/guia/guia-advertencia.js';
import { toGuiaRespuesta } from '../../guias/dto/guia.dto.js';
import { GUIA_ESTADOS } from '../../guias/guia/guia-estado.js';
import type { GuiaDetalleRow } from '../../guias/guia/guia-row.js';
import { ofEachText } from '../../guias/guia/guia-fields.js';
import { MAX } from '../../guias/guia/limits.js';
import { webhookBody, type AnnouncedEvento } from './payload.js';

const LINKS = ['guia.destino.maps_url', 'guia.recogida.maps_url'];
const ALL = [
  'guia.destino.maps_url',
  'guia.notas',
  'guia.recogida.direccion',
  'guia.recogida.maps_url',
  'guia.referencia',
];

const EVENTO: AnnouncedEvento = {
  ...{ tipo: 'guia.intento_fallido', en: new Date('2026-11-21T15:04:05.123Z'), secuencia: 3 },
  ...{ estado: 'intento_fallido', estado_anterior: 'en_ruta' },
};

/** Every other field at its maximum length. */
const LONGEST: AnnouncedEvento = {
  ...EVENTO,
  tipo: 'guia.en_camino_a_recoger',
  secuencia: Number.MAX_SAFE_INTEGER,
  estado: 'en_camino_a_recoger',
  estado_anterior: 'en_camino_a_recoger',
  motivo: '📍'.repeat(500),
  detalles: { nota: 'x'.repeat(1_950) },
};

/** A guide whose texts come from `fill`, which gets the limit of each in characters. */
function guiaOf(fill: (max: number) => string, parts: Partial<GuiaDetalleRow> = {}) {
  const row: GuiaDetalleRow = {
    guia: '482019375624',
    id: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57',
    external_ref: fill(MAX.external_ref),
    estado: 'en_camino_a_recoger',
    destinatario: fill(MAX.nombre),
    telefono: '+502555512341234',
    direccion: fill(MAX.direccion),
    departamento: fill(MAX.nombre),
    municipio: fill(MAX.nombre),
    ...ofEachText(({ max }) => fill(max)),
    cod_amount: 999_999.99,
    direccion_confirmada: false,
    creada_en: '2026-11-21T15:04:05.123Z',
    actualizada_en: '2026-11-21T15:04:05.123Z',
    // More than a guide ever has at once: some come before a delivery, others with it.
    advertencias: ADVERTENCIA_CODES.slice(0, 16),
    version: 9,
    enlaces_pendientes: [],
    moneda: 'GTQ',
    cod_cobrado: 999_999.99,
    pago: 'transferencia',
    recogida_lat: -89.12345678901234,
    recogida_lng: -179.12345678901234,
    recogida_maps_url: fill(MAX.maps_url),
    recogida_nombre: fill(MAX.nombre),
    recogida_direccion: fill(MAX.direccion),
    destino_lat: -1.2345678901234567e-100,
    destino_lng: -179.12345678901234,
    destino_maps_url: fill(MAX.maps_url),
    telefono_secuencia: null,
    ...parts,
  };
  return toGuiaRespuesta(
    { ...row, mensaje: null, impresa_en: null },
    'US',
    `https://${'a'.repeat(253)}/c/${'A'.repeat(43)}`,
  ).guia;
}

const SMALL = guiaOf(() => 'a', { recogida_maps_url: null });

describe('the body of a message', () => {
  it('has the event, and the guide as its detail shows it', () => {
    expect(
      JSON.parse(webhookBody({ ...EVENTO, motivo: 'no_estaba', detalles: { intento: 2 } }, SMALL)),
    ).toEqual({
      type: 'guia.intento_fallido',
      timestamp: '2026-11-21T15:04:05.123Z',
      data: {
        ...{ secuencia: 3, estado: 'intento_fallido', estado_anterior: 'en_ruta', motivo: 'no_estaba' },
        ...{ intento: 2, guia: SMALL },
      },
    });
  });

  it('is the same text for the same values, with fields in a fixed order', () => {
    expect(webhookBody(EVENTO, SMALL)).toMatch(
      /^\{"type":"guia\.intento_fallido","timestamp":"2026-11-21T15:04:05\.123Z","data":\{"secuencia":3,"estado":"intento_fallido","estado_anterior":"en_ruta","guia":\{"guia":"482019375624","id":/,
    );
    expect(webhookBody(EVENTO, SMALL)).toBe(webhookBody(EVENTO, SMALL));
  });

  it('has a null `estado_anterior` if there is none', () => {
    expect(webhookBody({ ...EVENTO, estado_anterior: null }, SMALL)).toContain('"estado_anterior":null');
  });

  it.each([
    ['short texts', 'a', undefined],
    ['ASCII', 'x', undefined],
    ['accents', 'ñ', LINKS],
    ['quotes', '"', LINKS],
    ['backslashes', '\\', LINKS],
    ['line breaks', '\n', LINKS],
    ['separators', '\u2028', LINKS],
    ['characters of four bytes', '📍', LINKS],
    ['control characters, which only the database accepts', '\u0001', ALL],
  ])('trims what it must with %s', (what, character, recortado) => {
    const guia = guiaOf((max) => character.repeat(what === 'short texts' ? 1 : max));
    const body = webhookBody(LONGEST, guia);
    expect(Buffer.byteLength(body)).toBeLessThan(20_000);
    expect(JSON.parse(body).data.recortado).toEqual(recortado);
  });

  it('has null for trimmed fields only, and does not change the guide passed in', () => {
    const guia = guiaOf((max) => '📍'.repeat(max));
    const { data } = JSON.parse(webhookBody(LONGEST, guia));
    expect(data.guia).toEqual({
      ...guia,
      recogida: { ...guia.recogida, maps_url: null },
      destino: { ...guia.destino, maps_url: null },
    });
    expect(guia.destino.maps_url).toHaveLength(2 * MAX.maps_url);
  });

  it('does not name fields that were null before', () => {
    const guia = guiaOf((max) => '📍'.repeat(max), { destino_maps_url: null });
    expect(JSON.parse(webhookBody(LONGEST, guia)).data.recortado).toEqual(['guia.recogida.maps_url']);
  });

  it('is below 20,000 bytes for every guide, and trims nothing without need', () => {
    const unit = fc.constantFrom('a', 'ñ', '"', '\\', '\n', '\u0001', '\u2028', '字', '📍');
    const fills = fc.array(fc.tuple(unit, fc.double({ min: 0.5, max: 1, noNaN: true })), {
      minLength: 1,
      maxLength: 12,
    });
    const guias = fc.tuple(fills, fc.constantFrom(...GUIA_ESTADOS)).map(([kinds, estado]) => {
      let n = 0;
      return guiaOf(
        (max) => {
          const [character, part] = kinds[n++ % kinds.length]!;
          return character.repeat(Math.ceil(max * part));
        },
        { estado },
      );
    });
    fc.assert(
      fc.property(guias, fc.constantFrom(EVENTO, LONGEST), (guia, evento) => {
        const body = webhookBody(evento, guia);
        expect(Buffer.byteLength(body)).toBeLessThan(20_000);
        const { data } = JSON.parse(body);
        const whole = JSON.stringify({ type: '', data: { ...data, guia } });
        if (data.recortado === undefined) expect(data.guia).toEqual(guia);
        else expect(Buffer.byteLength(whole)).toBeGreaterThan(19_000);
      }),
      { numRuns: 100 },
    );
  });
});
