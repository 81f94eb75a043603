/** Rows that are deleted once nobody needs them. */
export interface Retention {
  table: string;
  keepDays: number;
  /** The indexed column that says how old a row is: a time, or an id (UUID version 7), whose name ends in `id`. */
  by: string;
  /** Deletes these rows only. */
  where?: string;
  /** Empties this column instead of deleting the row. */
  clears?: string;
  /** Whether the table is divided by month: a month is dropped once all of its rows are too old and none has to stay. */
  isDivided?: true;
  why: string;
}

export const RETENTION: readonly Retention[] = [
  {
    table: 'confirmaciones',
    keepDays: 365,
    by: 'creada_en',
    why: 'a link tells how the parcel goes until 30 days after its end, which no guide takes a year to reach',
  },
  {
    table: 'mensajes',
    keepDays: 180,
    by: 'id',
    where: `estado not in ('pendiente', 'enviando', 'incierto')`,
    isDivided: true,
    why: 'support reads what became of a message; a failed one can be retried for 90 days',
  },
  {
    table: 'mensaje_intentos',
    keepDays: 180,
    by: 'mensaje_id',
    isDivided: true,
    why: 'tries are read with their message',
  },
  {
    table: 'cupos_telefono',
    keepDays: 2,
    by: 'ultimo_en',
    why: 'the quota counts 24 hours; a row holds a keyed hash of the number',
  },
  {
    table: 'entrantes',
    keepDays: 1,
    by: 'procesado_en',
    where: 'cuerpo is not null',
    clears: 'cuerpo',
    why: 'a place is kept while its sender is asked which guide it is for',
  },
  {
    table: 'entrantes',
    keepDays: 90,
    by: 'id',
    where: 'procesado_en is not null',
    why: 'its key refuses repeats; WhatsApp repeats for 7 days',
  },
  {
    table: 'textos',
    keepDays: 90,
    by: 'id',
    why: 'support reads what a recipient wrote',
  },
  {
    table: 'simulaciones',
    keepDays: 30,
    by: 'id',
    where: `estado <> 'en_curso'`,
    why: 'a developer looks how a simulation went; what it did stays in the history of the guide',
  },
  {
    table: 'masivas',
    keepDays: 30,
    by: 'id',
    where: 'terminado_en is not null',
    why: 'staff looks how an action on many guides went',
  },
  {
    table: 'webhook_mensajes',
    keepDays: 90,
    by: 'id',
    isDivided: true,
    why: 'merchants list and resend deliveries',
  },
  {
    table: 'webhook_entregas',
    keepDays: 90,
    by: 'mensaje_id',
    isDivided: true,
    why: 'deliveries are read with their message',
  },
  {
    table: 'webhook_intentos',
    keepDays: 90,
    by: 'mensaje_id',
    isDivided: true,
    why: 'attempts are read with their delivery',
  },
  {
    table: 'avisos',
    keepDays: 1,
    by: 'id',
    why: 'merchants ask for the messages of the last 24 hours',
  },
  {
    table: 'panel_sesiones',
    keepDays: 1,
    by: 'vence_en',
    why: 'nobody needs a session that has ended',
  },
  {
    table: 'panel_sesiones',
    keepDays: 1 / 24,
    by: 'texto_en',
    where: 'texto is not null',
    clears: 'texto',
    why: 'a form is filled from what a customer wrote, and shown again',
  },
  {
    table: 'panel_enlaces',
    keepDays: 1,
    by: 'vence_en',
    why: 'a link that has ended opens nothing',
  },
  {
    table: 'panel_formularios',
    keepDays: 2,
    by: 'creado_en',
    why: 'a form that is sent twice makes nothing twice; the page of a form stays open for a day at most',
  },
  {
    table: 'panel_archivos',
    keepDays: 1,
    by: 'creado_en',
    why: 'a merchant corrects a file in several steps',
  },
  {
    table: 'solicitudes',
    keepDays: 30,
    by: 'id',
    why: 'merchants and support look up an X-Request-Id',
  },
  {
    table: 'correos',
    keepDays: 30,
    by: 'id',
    where: `estado <> 'pendiente'`,
    why: 'support sees what became of a mail; a sent one has no text any more',
  },
  {
    table: 'correo_avisos',
    keepDays: 30,
    by: 'id',
    where: 'escrito_en is not null',
    why: 'its key refuses repeats of an event that was told',
  },
  {
    table: 'piloto_rechazos',
    keepDays: 30,
    by: 'creado_en',
    why: 'staff sees what a driver has not read for a week',
  },
];

/** Tables whose rows stay, and why. */
export const KEPT: Readonly<Record<string, string>> = {
  pin_fallos: 'at most five short rows for a guide, which must not be tried again',
  advertencias_vistas: 'at most two short rows for a warning of a guide, deleted once it is cleared',
  impresiones: 'at most four short rows for a guide: when its label was printed',
  guias: 'merchants list them without an end, and a repeated external_ref is recognised for ever',
  eventos: 'the history of guides',
  eventos_pendientes: 'deleted by the relay with the dispatch',
  busqueda: 'what guides are found by, which stay',
  busqueda_avance: 'two rows',
  enlaces: 'deleted by the service once the link is read or given up, after a day at most',
  cobros: 'money that was collected',
  liquidaciones: 'money that was paid out',
  ajustes: 'money that was added to settlements by hand',
  saldo_movimientos: 'money that was added to the balance of drivers by hand',
  caja_movimientos: 'money that drivers collected',
  caja_entregas: 'money that drivers handed over',
  comercios: 'people manage them',
  operadores: 'people manage them; events name them',
  pilotos: 'people manage them; guides and events name them',
  panel_ajustes: 'one row for each merchant',
  panel_recogidas: 'people manage them',
  claves_api: 'people manage them; a revoked key stays listed',
  webhooks: 'people manage them; a deleted one is named by its deliveries',
  procesos: 'deleted by the next process a day after their last sign of life',
  auditoria: 'the record of what support did',
  guia_notas: 'the history of guides, as support tells it',
  bajas: 'opt-outs do not expire',
  pausas: 'one row for each provider',
  masiva_guias: 'deleted with their action, of `masivas`',
  migraciones: 'the state of the schema',
};
