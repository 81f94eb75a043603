import type { CountryCode } from 'libphonenumber-js';
import type { QueryConfig } from 'pg';
import { raw, sql, type Sql } from '../platform/database/sql.js';
import { quoted } from '../platform/database/quoted.js';
import { textTypes } from '../platform/database/text-types.js';
import type { EventoTipo } from '../platform/events/evento-tipo.js';
import {
  CORRECTABLE_FROM,
  IS_REPORTABLE,
  IS_REPORTED,
  LAST_NOTA,
} from '../guias/changes/guia-confirmations.queries.js';
import { FINAL_ESTADOS, INITIAL_ESTADO, type GuiaEstado } from '../guias/guia/guia-estado.js';
import type { Pago } from '../guias/guia/pago.js';
import type { Motivo } from '../guias/guia/guia-motivo.js';
import { whereMode } from '../guias/guia/guia-lookup.js';
import { MOVE_TIPOS } from '../guias/guia/standing-moves.js';
import { TOKEN_DAYS } from './token.js';

/** Days after a guide's end for which its links show its history. */
const TRACKING_DAYS = 30;

/**
 * SQL that stores links by the hash of their token; existing rows are not changed.
 * @param source of rows with `huella`, `comercio_id`, `guia_id` and `secuencia`.
 */
export const mintLinks = (source: Sql): Sql =>
  sql`insert into confirmaciones (huella, comercio_id, guia_id, secuencia, creada_en, expira_en)
    select huella, comercio_id, guia_id, secuencia, now(), now() + interval '${raw(String(TOKEN_DAYS))} days' from ${source}
    on conflict do nothing`;

export interface LinkedGuiaRow {
  comercio_id: string;
  guia_id: string;
  /** E.164; for what is done with it alone: it is shown nowhere. */
  telefono: string;
  de_baja: boolean;
  comercio: string;
  pais: CountryCode;
  /** ISO 4217. */
  moneda: string;
  guia: string;
  departamento: string;
  municipio: string;
  contenido: string;
  /** The landmark, of the merchant or the recipient. */
  referencia: string | null;
  de_prueba: boolean;
  /** Exact, with two decimals. */
  cod_amount: string;
  estado: GuiaEstado;
  /** E.164; null if the merchant has none for its recipients. */
  contacto: string | null;
  recogida_lat: number | null;
  recogida_lng: number | null;
  /** Whether the recipient said that the parcel is not theirs. */
  niega: boolean;
  /** Whether the link still accepts answers. */
  vigente: boolean;
  /** When the recipient confirmed the destination, ISO 8601; null if they have not. */
  confirmada_en: string | null;
  direccion_confirmada: boolean;
  destino_lat: number | null;
  destino_lng: number | null;
  /** Whether the destination is far from the merchant's country. */
  lejos: boolean;
  telefono_secuencia: number | null;
  /** All changes of its state, in order; `en` is ISO 8601; `motivo` why it was not delivered. */
  pasos: { tipo: EventoTipo; estado: GuiaEstado; en: string; motivo: Motivo | null; secuencia: number }[];
  /** `secuencia` of the recipient's last answer; null if there is none. */
  respondida: number | null;
  /** When the recipient may correct again, ISO 8601; null while they may. */
  corregible_desde: string | null;
  /** Collected on delivery; null until it is known. */
  cod_cobrado: string | null;
  /** How it was paid; null where nothing was due, or before it. */
  pago: Pago | null;
  /** Whether the recipient may say that the delivered parcel did not arrive, and has said so. */
  reclamable: boolean;
  reclamada: boolean;
  /** The recipient's last note for the driver. */
  nota: string | null;
  /** Whether the merchant's parcels are delivered with a PIN. */
  con_pin: boolean;
}

const PASOS = `(select json_agg(json_build_object('tipo', e.tipo, 'estado', coalesce(e.datos->>'estado', '${INITIAL_ESTADO}'),
    'en', coalesce(e.ocurrido_en, e.creado_en), 'motivo', e.datos->>'motivo', 'secuencia', e.secuencia) order by e.secuencia)
  from eventos e where e.comercio_id = g.comercio_id and e.guia_id = g.id
    and e.tipo in ('guia.creada', ${quoted(MOVE_TIPOS)}))`;

const RESPONDIDA = `(select max(e.secuencia) from eventos e where e.comercio_id = g.comercio_id and e.guia_id = g.id
  and e.actor = 'destinatario' and e.tipo in ('guia.confirmada', 'guia.actualizada'))`;

/** @param isValid SQL condition: the link accepts answers. */
const linked = (isValid: string) => `g.comercio_id, g.id as guia_id, g.telefono,
  exists (select from bajas where destinatario = g.telefono and vigente) as de_baja, c.nombre as comercio, c.pais, c.moneda,
  c.telefono_contacto as contacto, c.con_pin, g.guia, g.departamento, g.municipio, g.contenido, g.referencia, g.de_prueba,
  g.cod_amount::text, g.estado, ${isValid} as vigente, g.confirmada_en, g.direccion_confirmada,
  g.destino_lat, g.destino_lng, 'destino_fuera_del_pais' = any (g.advertencias) as lejos, g.telefono_secuencia,
  'destinatario_niega' = any (g.advertencias) as niega, g.recogida_lat, g.recogida_lng,
  ${PASOS} as pasos, ${RESPONDIDA} as respondida, ${CORRECTABLE_FROM} as corregible_desde, ${LAST_NOTA} as nota,
  (select cod_cobrado from cobros o where o.comercio_id = g.comercio_id and o.guia_id = g.id)::text as cod_cobrado,
  (select pago from cobros o where o.comercio_id = g.comercio_id and o.guia_id = g.id) as pago,
  ${IS_REPORTABLE} as reclamable, ${IS_REPORTED} as reclamada`;

/** SQL condition: a guide has not ended, or ended less than `TRACKING_DAYS` ago. @param guias alias of the table. */
const whereTracked = (guias: string) => `(${guias}.estado not in (${quoted(FINAL_ESTADOS)})
  or coalesce(${guias}.estado_en, ${guias}.actualizada_en) > now() - interval '${TRACKING_DAYS} days')`;

// The last condition refuses links that were sent to a former phone of the guide.
const BY_MESSAGE = `select ${linked('t.expira_en > now()')}
  from confirmaciones t
  join guias g on g.comercio_id = t.comercio_id and g.id = t.guia_id
  join comercios c on c.id = t.comercio_id
  where t.huella = $1 and (t.expira_en > now() or g.direccion_confirmada) and ${whereTracked('g')}
    and coalesce(t.secuencia, 0) >= coalesce(g.telefono_secuencia, 0)`;

/** The guide of the message's link with this token hash. An expired link still works for a confirmed guide. */
export function guiaOfMessage(huella: Buffer): QueryConfig {
  return { name: 'confirmacion', text: BY_MESSAGE, values: [huella], types: textTypes };
}

/** SQL: the guide with the id `$1`. Each index by id over all merchants holds one mode: real guides, or tests. */
const OF_ANY_MERCHANT = [false, true]
  .map((isTest) => `select * from guias where id = $1 and ${whereMode(isTest)}`)
  .join(' union all ');

const BY_ID = `select ${linked('true')} from (${OF_ANY_MERCHANT}) g join comercios c on c.id = g.comercio_id
  where ${whereTracked('g')}`;

/** The guide with this id, of any merchant. The caller has to check the token. */
export function guiaOfTracking(id: string): QueryConfig {
  return { name: 'seguimiento', text: BY_ID, values: [id], types: textTypes };
}
