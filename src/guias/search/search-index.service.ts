import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { firstIdAt } from '../../platform/database/row-id.js';
import { SweepsService } from '../../platform/queues/sweeps.service.js';
import { indexNext, type IndexedBatch, type Paso } from './search-index.queries.js';

/** ms between two looks whether this process created guides. */
const NEW_MS = 300;

/** ms; nearly all statements that create guides end within them. What comes later waits for the pass over all guides. */
const COMMITTED_MS = 200;

/** ms between two passes over all guides. */
const ALL_MS = 10_000;

/** ms; every guide is committed within them, even if the clock of the process that made its id is late. */
const SETTLED_MS = 60_000;

/** Guides per statement, and statements per pass. */
const BATCH = 1_000;
const BATCHES = 500;

/**
 * Makes guides searchable by parts of their names and references, beside the statement that creates them. Any process may
 * end at any time: another one goes on where it was. An edit does so itself.
 */
@Injectable()
export class SearchIndexService implements OnModuleInit {
  /** When this process last created a guide, and up to when guides are known to be searchable; ms since 1970. */
  private createdAt = 0;
  private indexedUntil = 0;

  constructor(
    private readonly database: Database,
    private readonly sweeps: SweepsService,
  ) {}

  onModuleInit(): void {
    this.sweeps.every('new guides to search', NEW_MS, (signal) => this.indexNew(signal));
    this.sweeps.every('guides to search', ALL_MS, (signal) => this.indexAll(signal));
  }

  /** Call it when a guide was created. */
  noteCreated(): void {
    this.createdAt = Date.now();
  }

  private async indexNew(signal: AbortSignal): Promise<void> {
    if (this.createdAt < this.indexedUntil) return;
    const until = Date.now() - COMMITTED_MS;
    if (await this.pass('nuevas', until, signal)) this.indexedUntil = until;
  }

  /** Also those of a process that ended, of programs, and of before there was a search. */
  private async indexAll(signal: AbortSignal): Promise<void> {
    await this.pass('nuevas', Date.now() - COMMITTED_MS, signal);
    await this.pass('repaso', Date.now() - SETTLED_MS, signal);
  }

  /** @param until ms since 1970, of the last guide. @returns whether that one is reached. */
  private async pass(paso: Paso, until: number, signal: AbortSignal): Promise<boolean> {
    for (let i = 0; i < BATCHES && !signal.aborted; i++) {
      const { rows } = await this.database.query<IndexedBatch>(indexNext(paso, firstIdAt(until + 1), BATCH));
      const { isOurs, guias } = rows[0]!;
      if (guias < BATCH) return isOurs;
    }
    return false;
  }
}
