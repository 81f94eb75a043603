import type { LabelRow } from '../../src/etiquetas/etiquetas.queries.js';
import { ofEachText } from '../../src/guias/guia/guia-fields.js';
import { MAX, maxAmount } from '../../src/guias/guia/limits.js';

/** What a usual label is made from. */
export function labelRow(over: Partial<LabelRow> = {}): LabelRow {
  return {
    comercio_id: '01a1fea2-cf03-7f3a-9c44-000000000001',
    id: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57',
    guia: '931637862414',
    external_ref: 'pedido-1042',
    estado: 'aceptado',
    de_prueba: false,
    destinatario: 'Ana Lucía Ñáñez Güell',
    telefono: '+50255551234',
    direccion: '12 calle 3-45, zona 4, Colonia El Rosario, portón negro',
    departamento: 'Sacatepéquez',
    municipio: 'Antigua Guatemala',
    ...ofEachText(() => ''),
    referencia: 'Frente a la tienda «La Bendición»',
    contenido: '2 camisas, talla M',
    notas: 'Llamar antes.',
    nota: null,
    direccion_confirmada: true,
    advertencias: [],
    destino_lat: 14.6407,
    destino_lng: -90.5133,
    creada_en: '2026-11-21T15:04:05.123Z',
    cod_amount: '349.50',
    comercio: 'Tienda Ñandú',
    pais: 'GT',
    moneda: 'GTQ',
    ...over,
  };
}

/** The texts of a guide with the fewest, by the names of a create. */
export const SHORTEST = { telefono: '+50255551234', departamento: 'Petén', municipio: 'Flores' };

const WORDS = 'El veloz murciélago hindú comía feliz cardillo y kiwi; ¿qué tal, señor Ñandú? ';
const filled = (length: number) => WORDS.repeat(Math.ceil(length / WORDS.length)).slice(0, length - 1) + '.';

/** Texts as long as they may be, by the names of a create. */
export const LONGEST = {
  ...{ telefono: '+50255551234', external_ref: filled(MAX.external_ref), nombre: filled(MAX.nombre) },
  ...{ departamento: filled(MAX.nombre), municipio: filled(MAX.nombre), direccion: filled(MAX.direccion) },
  ...{ referencia: filled(MAX.referencia), contenido: filled(MAX.contenido), notas: filled(MAX.notas) },
  cod_amount: maxAmount('GTQ'),
};
