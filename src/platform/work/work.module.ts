import { Global, Module, type DynamicModule } from '@nestjs/common';
import { LostJobsService } from './lost-jobs.service.js';
import { ResolvedJobsService } from './resolved-jobs.service.js';
import { WATCHED_WORK, type WorkKind } from './work-kind.js';
import { WorkService } from './work.service.js';

/** Keeps queues in line with the rows that their jobs are for. */
@Global()
@Module({})
export class WorkModule {
  /** @param watched the kinds that this process has workers for. */
  static register(watched: readonly WorkKind[]): DynamicModule {
    return {
      module: WorkModule,
      providers: [
        { provide: WATCHED_WORK, useValue: watched },
        LostJobsService,
        ResolvedJobsService,
        WorkService,
      ],
      exports: [LostJobsService, WorkService],
    };
  }
}
