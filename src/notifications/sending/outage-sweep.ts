import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SweepsService } from '../../platform/queues/sweeps.service.js';
import { OutagesService } from './outages.service.js';

/** ms between two looks; short, so that few messages at a time leave after an outage. */
const EVERY_MS = 250;

/** Looks of which one asks the database, while there is no outage. */
const IDLE = 8;

/** Pauses between two releases are as long as a release: with longer ones, fewer would leave than a provider takes. */
const REST = 1;

/** Probes a provider that is out, and sends what waited, where there are workers. */
@Injectable()
export class OutageSweep implements OnModuleInit {
  private look = 0;
  private hasOutage = false;

  constructor(
    private readonly sweeps: SweepsService,
    private readonly outages: OutagesService,
  ) {}

  onModuleInit(): void {
    const look = async () => {
      if (!this.hasOutage && this.look++ % IDLE !== 0) return;
      this.hasOutage = await this.outages.takeTurn();
    };
    this.sweeps.every('outages', EVERY_MS, look, REST);
  }
}
