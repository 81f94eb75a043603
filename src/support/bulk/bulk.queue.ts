import type { NewJob } from '../../platform/queues/new-job.js';
import type { Masiva } from './masiva.entity.js';
import { jobIdOf } from '../../platform/work/work-kind.js';

export const MASIVAS = 'masivas';

export interface MasivaJob {
  masivaId: string;
}

export type MasivaJobName = 'hacer';

export type QueueableMasiva = Pick<Masiva, 'id' | 'ronda'>;

export function bulkJob({ id, ronda }: QueueableMasiva): NewJob<MasivaJobName, MasivaJob> {
  return { id: jobIdOf(id, ronda), name: 'hacer', data: { masivaId: id } };
}
