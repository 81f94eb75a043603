import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { DispatcherService, type PendingEvento } from '../../platform/events/dispatcher.service.js';
import { InjectLogger } from '../../platform/logging/logging.module.js';
import { SweepsService } from '../../platform/queues/sweeps.service.js';
import { timeZoneOf } from '../../platform/validation/time-zone.js';
import { CorreosService } from '../correos.service.js';
import { avisoText } from './aviso-text.js';
import {
  dueMerchants,
  keepAvisosOf,
  lockMerchant,
  takeAvisos,
  TOLD_TIPOS,
  type AvisoRow,
  type ToldMerchant,
} from './avisos.queries.js';

/** Keeps what merchants are told at once, in every process: the relay runs in each. */
@Injectable()
export class AvisosRecorder implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly dispatcher: DispatcherService,
  ) {}

  onModuleInit(): void {
    this.dispatcher.subscribe(TOLD_TIPOS, (eventos) => this.keep(eventos));
  }

  private async keep(eventos: PendingEvento[]): Promise<[]> {
    await this.database.query(keepAvisosOf(eventos));
    return [];
  }
}

/** ms between two looks for merchants that are to be told something. */
const EVERY_MS = 5_000;

/** Writes one mail for each merchant with something to be told: at once, or 15 minutes after the one before. */
@Injectable()
export class AvisosSweep implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly correos: CorreosService,
    private readonly sweeps: SweepsService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.sweeps.every('mails that tell at once', EVERY_MS, (signal) => this.writeDue(signal));
  }

  /** Each merchant alone: one that fails is tried again later, and holds up no other. */
  async writeDue(signal?: AbortSignal): Promise<void> {
    const { rows } = await this.database.query<{ comercio_id: string }>(dueMerchants());
    for (const { comercio_id: comercio } of rows) {
      if (signal?.aborted) return;
      try {
        await this.database.managed(comercio, (manager) => this.write(manager, comercio));
      } catch (error) {
        this.logger.warn({ err: error, comercio }, 'a mail was not written; it is tried again');
      }
    }
  }

  private async write(manager: EntityManager, comercioId: string): Promise<void> {
    const run = <Row>({ text, values }: { text: string; values?: unknown[] }) =>
      manager.query<Row[]>(text, values);
    const [merchant] = await run<ToldMerchant>(lockMerchant(comercioId));
    const rows = await run<AvisoRow>(takeAvisos(comercioId));
    if (!merchant || merchant.para === null || rows.length === 0) return;
    const { nombre, pais, moneda, para } = merchant;
    const context = {
      zone: timeZoneOf(pais),
      pais,
      moneda,
      now: Date.now(),
      url: (path: string) => this.correos.url(path),
    };
    const pie = `${nombre} recibe este correo en cuanto pasa.`;
    await this.correos.write(manager, { comercioId, para, clase: 'aviso', pie, ...avisoText(rows, context) });
  }
}
