import { Module } from '@nestjs/common';
import { RetentionService } from './retention.service.js';

/** Deletes old rows; part of processes with the role `worker`. */
@Module({ providers: [RetentionService] })
export class RetentionWorkerModule {}
