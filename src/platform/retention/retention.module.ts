import { Module } from '@nestjs/common';
import { PartitionsService } from './partitions.service.js';
import { RetentionService } from './retention.service.js';

/** Deletes old rows, and makes room for new ones; part of processes with the role `worker`. */
@Module({ providers: [RetentionService, PartitionsService] })
export class RetentionWorkerModule {}
