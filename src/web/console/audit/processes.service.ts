import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { v7 } from 'uuid';
import { Database } from '../../../platform/database/database.js';
import { SweepsService } from '../../../platform/queues/sweeps.service.js';
import type { Resultado } from './acciones.js';
import { endAction, interruptActions, renewProcess } from './audit.queries.js';

/** ms between two signs of life. */
const EVERY_MS = 10_000;

/**
 * Says that this process lives, so that others can tell which actions died with theirs; and writes the outcomes that could not
 * be written when their action ended.
 */
@Injectable()
export class ProcessesService implements OnModuleInit, OnApplicationBootstrap {
  /** This process, in the rows of its actions. */
  readonly id = v7();

  private readonly unwritten = new Map<string, [resultado: Resultado, nota: string | null]>();

  constructor(
    private readonly database: Database,
    private readonly sweeps: SweepsService,
  ) {}

  onModuleInit(): void {
    // Without a pause after a slow run: a process that is late counts as dead.
    this.sweeps.every('actions of the console', EVERY_MS, () => this.beat(), 0);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.database.query(renewProcess(this.id)).catch(() => undefined);
  }

  /** Writes how an action ended; where that fails now, within some seconds. */
  async end(id: string, resultado: Resultado, nota: string | null): Promise<void> {
    try {
      await this.database.query(endAction(id, resultado, nota));
    } catch (error) {
      this.unwritten.set(id, [resultado, nota]);
      throw error;
    }
  }

  private async beat(): Promise<void> {
    await this.database.query(renewProcess(this.id));
    for (const [id, [resultado, nota]] of this.unwritten) {
      await this.database.query(endAction(id, resultado, nota));
      this.unwritten.delete(id);
    }
    await this.database.query(interruptActions());
  }
}
