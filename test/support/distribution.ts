import { sourcesOf } from './statement-sources.js';

/** Where a table's rows live once they no longer fit one server. */
export type Placement =
  /** With their merchant, by `comercio_id`. */
  | 'distributed'
  /** Likewise, once the table has the column; until then its rows are found by another row's key. */
  | 'distributed, without the column yet'
  /** On every server: few rows, read beside the distributed ones. */
  | 'reference'
  /** On one server: of no merchant, or of all. */
  | 'local';

/** The column whose value says on which server a row lives. */
export const DISTRIBUTION_COLUMN = 'comercio_id';

/** Every table, and why it is placed so. `docs/sharding.md` shows the same. */
export const PLACEMENTS: Record<string, [Placement, string]> = {
  guias: ['distributed', 'what everything else follows'],
  eventos: ['distributed', 'history of a guide, written with it in one statement'],
  cobros: ['distributed', 'amount of a guide, written with its delivery'],
  liquidaciones: ['distributed', 'marks amounts of one merchant'],
  caja_movimientos: ['distributed', 'cash of a guide, written with its delivery'],
  pin_fallos: ['distributed', 'wrong PINs that were tried for a guide'],
  impresiones: ['distributed', 'when the label of a guide was printed'],
  mensajes: ['distributed', 'of a guide; three without one (answers to strangers) have no merchant'],
  confirmaciones: ['distributed', "recipients' links to a guide"],
  textos: ['distributed', 'what recipients wrote, on the guides that it may be about'],
  guia_notas: ['distributed', "staff's notes on a guide"],
  simulaciones: ['distributed', 'of a test guide'],
  enlaces: ['distributed', 'links of a guide that are still to be read'],
  busqueda: ['distributed', 'what a guide is found by'],
  webhooks: ['distributed', 'endpoints of a merchant'],
  panel_ajustes: ['distributed', 'what the panel remembers for a merchant'],
  panel_archivos: ['distributed', 'files that a merchant imports'],
  panel_formularios: ['distributed', 'forms that a merchant sent'],
  avisos: ['distributed', 'what a merchant asks for'],
  webhook_mensajes: ['distributed', 'what a merchant is told'],
  mensaje_intentos: ['distributed, without the column yet', 'tries of a message, found by its id'],
  webhook_entregas: ['distributed, without the column yet', 'found by the id of the endpoint'],
  webhook_intentos: ['distributed, without the column yet', 'attempts of a delivery, found by its key'],
  comercios: ['reference', 'read by support beside guides; foreign keys point to it'],
  operadores: ['reference', 'read beside events; an operator serves all merchants'],
  pilotos: ['reference', 'read beside guides and events; a driver carries guides of all merchants'],
  caja_entregas: ['reference', 'hand-overs of a driver; cash of guides of all merchants points to them'],
  claves_api: ['reference', 'looked up before the merchant is known'],
  panel_sesiones: ['reference', 'looked up before the merchant is known'],
  bajas: ['reference', 'a recipient opts out of the messages of all merchants'],
  pausas: ['reference', 'a paused provider, of all merchants'],
  auditoria: ['local', "staff's actions, of all merchants"],
  masivas: ['local', 'what staff does with many guides, of all merchants'],
  masiva_guias: ['local', 'the guides of such an action'],
  solicitudes: ['local', 'requests by their id, for support'],
  entrantes: ['local', 'what recipients write, before its guide is known'],
  cupos_telefono: ['local', "a phone's quota of messages, of all merchants"],
  busqueda_avance: ['local', 'how far the search has been filled'],
  migraciones: ['local', 'of the schema'],
};

/** The tables whose rows live with their merchant, or will. */
export const DISTRIBUTED: ReadonlySet<string> = new Set(
  Object.keys(PLACEMENTS).filter((table) => PLACEMENTS[table]![0].startsWith('distributed')),
);

/**
 * Whether a statement reads and changes rows of one merchant, named by one value: then one server answers it. So it is where
 * each distributed table has an equality of its distribution column with that value, by itself or through joins.
 */
export function staysWithMerchant(text: string): boolean {
  const sources = sourcesOf(text, DISTRIBUTED, DISTRIBUTION_COLUMN);
  return sources.every(({ by }) => by === 'value') && new Set(sources.map(({ group }) => group)).size <= 1;
}

/** Those of the statements that do not stay with a merchant, without those that contain one of the parts. */
export function crossing(statements: Iterable<string>, parts: string[]): string[] {
  return [...statements].filter(
    (text) => !parts.some((part) => text.includes(part)) && !staysWithMerchant(text),
  );
}

/**
 * Unique and foreign keys of distributed tables without the distribution column, and what holds them to their promise there.
 */
export const UNIQUE_ELSEWHERE: Record<string, string> = {
  guias_guia_key: 'numbers are a permutation of one sequence: unique wherever they are stored; drop it',
  eventos_ref_key: "an operator's `ref` names a guide, which has one merchant; add the column",
  liquidaciones_id_key:
    'UUIDs version 7; operators find a settlement by it; drop it, and look on each server',
  mensajes_pkey: "the id is the event's; add the column",
  confirmaciones_pkey:
    'hash of a random token, found before its merchant is known; add the column, and look on each server',
  guia_notas_pkey: 'UUIDs version 7; add the column',
  simulaciones_pkey: 'UUIDs version 7; add the column',
  webhooks_pkey: 'UUIDs version 7; add the column',
  avisos_pkey: 'made of the time and the message; add the column',
  avisos_mensaje_key: 'the id of the message; add the column',
  webhook_mensajes_pkey: 'derived from the event; add the column',
  mensaje_intentos_pkey: 'begins with the message; add the column',
  webhook_entregas_pkey: 'begins with the endpoint; add the column',
  webhook_entregas_webhook_fkey: 'likewise',
  webhook_intentos_pkey: 'begins with the delivery; add the column',
};
