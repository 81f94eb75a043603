import type { WorkKind } from '../../platform/work/work-kind.js';
import { ENLACES, linkJob, type EnlaceJob, type QueueableEnlace } from './links.queue.js';

export const LINKS: WorkKind<QueueableEnlace, EnlaceJob> = {
  table: 'enlaces',
  key: { comercio_id: 'uuid', guia_id: 'uuid', lugar: 'text' },
  hasWork: 'true',
  dueAt: 'proximo_en',
  columns: `t.comercio_id, t.guia_id, t.lugar, t.ronda, t.creado_en,
    (select g.guia from guias g where g.comercio_id = t.comercio_id and g.id = t.guia_id) as guia`,
  queues: [ENLACES],
  queueOf: () => ENLACES,
  jobOf: linkJob,
  keyOf: ({ comercioId, guiaId, lugar }) => [comercioId, guiaId, lugar],
  roundOf: ({ ronda }) => ronda,
};
