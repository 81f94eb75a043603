import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SweepsService } from '../../platform/queues/sweeps.service.js';
import { ClosingsService } from './closings.service.js';

/** ms between two looks for closings that were left half done. */
const EVERY_MS = 10_000;

/** Goes on with closings of merchants, where there are workers. */
@Injectable()
export class ClosingSweep implements OnModuleInit {
  constructor(
    private readonly sweeps: SweepsService,
    private readonly closings: ClosingsService,
  ) {}

  onModuleInit(): void {
    this.sweeps.every('closings of merchants', EVERY_MS, (signal) => this.closings.finishLeft(signal));
  }
}
