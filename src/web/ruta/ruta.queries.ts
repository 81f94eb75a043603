import type { CountryCode } from 'libphonenumber-js';
import type { QueryConfig } from 'pg';
import { quoted } from '../../platform/database/quoted.js';
import { exactTypes, textTypes } from '../../platform/database/text-types.js';
import { LAST_NOTA } from '../../guias/changes/guia-confirmations.queries.js';
import { ENDED_H } from '../../guias/changes/guia-piloto.js';
import {
  FINAL_ESTADOS,
  GUIA_ESTADOS,
  INITIAL_ESTADO,
  OPEN_ESTADOS,
  type GuiaEstado,
} from '../../guias/guia/guia-estado.js';
import type { Pago } from '../../guias/guia/pago.js';
import { newestIn } from '../../guias/guia/newest-guias.js';
import { whereMode } from '../../guias/guia/guia-lookup.js';

/**
 * The link of a driver was used: its owner, or no row for one that has ended. While cash of the driver is handed over, their
 * page does not wait for it.
 */
export function touchLink(hash: Buffer): QueryConfig {
  const text = `with own as (
      select id, nombre from pilotos where enlace_hash = $1 and enlace_vence_en > clock_timestamp()
    ), seen as (
      update pilotos set visto_en = clock_timestamp()
      where id in (select p.id from pilotos p join own on own.id = p.id for no key update of p skip locked)
    ) select id, nombre from own`;
  return { name: 'piloto-visto', text, values: [hash] };
}

/** A place as a map finds it; null where it is unknown. */
interface Punto {
  lat: number | null;
  lng: number | null;
  maps_url: string | null;
}

/** A guide as its driver needs it. Times are ISO 8601, amounts texts with two decimals. */
export interface RutaRow {
  guia: string;
  estado: GuiaEstado;
  estado_en: string | null;
  destinatario: string;
  telefono: string;
  direccion: string;
  departamento: string;
  municipio: string;
  referencia: string | null;
  notas: string | null;
  /** The recipient's last note for the driver. */
  nota: string | null;
  cod_amount: string;
  cod_cobrado: string | null;
  pago: Pago | null;
  direccion_confirmada: boolean;
  destino: Punto;
  /** Where the parcel is picked up, and the phone by which the merchant is reached, E.164. */
  recogida: Punto & { nombre: string | null; direccion: string | null; telefono: string | null };
  comercio: string;
  pais: CountryCode;
  moneda: string;
  con_pin: boolean;
}

/** Guides that a driver's page shows at most; who has more sees the others once some have ended. */
export const MAX_GUIAS = 500;

const UNENDED = GUIA_ESTADOS.filter((estado) => !FINAL_ESTADOS.includes(estado));

const OF_PILOTO = (where: string) => `select * from guias
  where piloto_id = $1 and ${whereMode(false)} and ${where}`;

const LIST = `select g.guia, g.estado, g.estado_en, g.destinatario, g.telefono, g.direccion, g.departamento, g.municipio,
    g.referencia, g.notas, ${LAST_NOTA} as nota, g.cod_amount, co.cod_cobrado, co.pago, g.direccion_confirmada,
    json_build_object('lat', g.destino_lat, 'lng', g.destino_lng, 'maps_url', g.destino_maps_url) as destino,
    json_build_object('lat', g.recogida_lat, 'lng', g.recogida_lng, 'maps_url', g.recogida_maps_url,
      'nombre', g.recogida_nombre, 'direccion', g.recogida_direccion, 'telefono', c.telefono_contacto) as recogida,
    c.nombre as comercio, c.pais, c.moneda, c.con_pin
  from (
    (${OF_PILOTO(`estado in (${quoted(UNENDED)})`)} order by id limit ${MAX_GUIAS + 1})
    union all
    (${OF_PILOTO(`estado in (${quoted(FINAL_ESTADOS)}) and estado_en > now() - interval '${ENDED_H} hours'`)}
      order by estado_en desc limit ${MAX_GUIAS + 1})
  ) g
  join comercios c on c.id = g.comercio_id
  left join cobros co on co.comercio_id = g.comercio_id and co.guia_id = g.id and g.estado = 'entregado'
  order by g.estado in (${quoted(FINAL_ESTADOS)}), clave_lugar(g.municipio), g.guia`;

/** The guides of a driver that have not ended, then those that ended not long ago; by place. */
export function listRuta(pilotoId: string): QueryConfig {
  return { name: 'piloto-ruta', text: LIST, values: [pilotoId], types: exactTypes };
}

/** Cash of one currency (ISO 4217), and the country of a merchant who has it. */
export interface CarriedRow {
  moneda: string;
  monto: string;
  pais: CountryCode;
}

const CARRIED = `select m.moneda, sum(m.monto) as monto, min(c.pais) as pais
  from caja_movimientos m join comercios c on c.id = m.comercio_id
  where m.piloto_id = $1 and not m.de_prueba and m.entrega_id is null
  group by m.moneda having sum(m.monto) <> 0 order by m.moneda`;

/** Cash of a driver, by currency. */
export function sumCarried(pilotoId: string): QueryConfig {
  return { name: 'piloto-caja', text: CARRIED, values: [pilotoId], types: exactTypes };
}

/** All that a driver may know of a guide that is not theirs. */
export interface LibreRow {
  guia: string;
  municipio: string;
}

/** Guides that a search by the last digits shows at most. */
const MAX_FOUND = 10;

/** Of guides that a driver may have in hand there is an index of these digits; of others it would cost each create. */
const IN_HAND = OPEN_ESTADOS.filter((estado) => estado !== INITIAL_ESTADO);

const BY_ENDING = `select guia, municipio from (
    (select g.guia, g.municipio, g.id from guias g
      where left(reverse(g.guia), 4) = reverse($1) and g.piloto_id is null and not g.de_prueba and g.estado in (${quoted(IN_HAND)})
      order by g.id desc limit ${MAX_FOUND})
    union all
    (select g.guia, g.municipio, g.id from (${newestIn([INITIAL_ESTADO])}) k
      join guias g on g.comercio_id = k.comercio_id and g.id = k.id
      where right(g.guia, 4) = $1 and g.piloto_id is null order by g.id desc limit ${MAX_FOUND})
  ) found order by id desc limit ${MAX_FOUND}`;

const BY_NUMERO = `select g.guia, g.municipio from comercios c
  join guias g on g.comercio_id = c.id and g.estado in (${quoted(OPEN_ESTADOS)})
  where c.prueba_de is null and g.piloto_id is null and g.guia = $1`;

/** Guides that nobody has, by their number or its last four digits; of those not picked up, among the newest. */
export function findFree(numero: string): QueryConfig {
  const isWhole = numero.length > 4;
  return {
    name: isWhole ? 'piloto-libre' : 'piloto-libres',
    text: isWhole ? BY_NUMERO : BY_ENDING,
    values: [numero],
    types: textTypes,
  };
}
