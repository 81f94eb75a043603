import { quoted } from '../platform/database/quoted.js';
import { OPEN_ESTADOS } from '../guias/guia/guia-estado.js';
import type { WorkKind } from '../platform/work/work-kind.js';
import {
  NOTIFICACIONES,
  NOTIFICACIONES_PRUEBA,
  queueOf,
  sendJob,
  type MensajeJob,
  type QueueableMessage,
} from './notifications.queue.js';

/** s since a try began; BullMQ has run the job of a worker that died again by then. */
const RERUN_S = 25;

/** SQL: a column of the message's guide. */
const ofGuia = (column: string) =>
  `(select g.${column} from guias g where g.comercio_id = t.comercio_id and g.id = t.guia_id)`;

/**
 * SQL condition: a failed message is no longer needed. Of a request to confirm: its guide needs none, or its recipient was
 * asked again. Of a PIN: its guide is not on its way.
 */
const IS_UNNEEDED = `t.estado = 'fallido' and case t.tipo
    when 'confirmacion_ubicacion' then ${ofGuia('direccion_confirmada')} or ${ofGuia('estado')} not in (${quoted(OPEN_ESTADOS)})
      or exists (select from mensajes n where n.guia_id = t.guia_id and n.id > t.id and n.tipo <> 'pin_de_entrega')
    when 'pin_de_entrega' then ${ofGuia('estado')} <> 'en_ruta'
    else false end`;

/** Messages to recipients. No index tells those of test guides apart. */
export const MESSAGES: WorkKind<QueueableMessage, MensajeJob> & { readonly startAgain: string } = {
  table: 'mensajes',
  key: { id: 'uuid' },
  hasWork: `t.estado in ('pendiente', 'enviando', 'incierto')`,
  dueAt: 'proximo_en',
  startAgain: `estado = 'pendiente'`,
  isClaimed: `t.estado = 'enviando' and t.actualizado_en > now() - interval '${RERUN_S} seconds'`,
  needsPerson: `t.estado in ('pendiente', 'enviando', 'incierto', 'fallido') and not (${IS_UNNEEDED})`,
  columns: `t.id, t.ronda, t.tipo, ${ofGuia('guia')} as guia, coalesce(${ofGuia('de_prueba')}, false) as de_prueba`,
  queues: [NOTIFICACIONES, NOTIFICACIONES_PRUEBA],
  queueOf,
  jobOf: sendJob,
  keyOf: ({ mensajeId }) => [mensajeId],
};
