import { NOTIFICACIONES } from '../../../notifications/notifications.queue.js';

/** Leads to the failed job of a message on the board. @param job its id. */
export function BoardLink({ job }: { job: string }) {
  return <a href={`/admin/queues/queue/${NOTIFICACIONES}/${encodeURIComponent(job)}`}>Ver la tarea</a>;
}
