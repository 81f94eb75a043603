import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { money } from '../../guias/guia/local-format.js';
import { ownerCauses, type OwnerCause } from '../../guias/today/owner-causes.queries.js';
import { Database } from '../../platform/database/database.js';
import { InjectLogger } from '../../platform/logging/logging.module.js';
import { SweepsService } from '../../platform/queues/sweeps.service.js';
import { timeZoneOf } from '../../platform/validation/time-zone.js';
import { CorreosService, type NuevoCorreo } from '../correos.service.js';
import { morningOf, type Morning } from './resumen-day.js';
import {
  decideResumen,
  dueMerchants,
  MAX_MERCHANTS,
  toldCountries,
  type ToldMerchant,
} from './resumen.queries.js';

const EVERY_MS = 30_000;

/** Writes each morning to merchants what *Hoy* of the panel has for them; where it has nothing, no mail. */
@Injectable()
export class ResumenService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly correos: CorreosService,
    private readonly sweeps: SweepsService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.sweeps.every("mornings' summaries", EVERY_MS, (signal) => this.writeDue(signal));
  }

  /** Each merchant alone: one that fails is tried again later, and holds up no other. */
  async writeDue(signal?: AbortSignal, now = Date.now()): Promise<void> {
    const { rows: countries } = await this.database.query<{ pais: string }>(toldCountries());
    for (const { pais } of countries) {
      const morning = morningOf(timeZoneOf(pais), now);
      if (morning) await this.writeOf(pais, morning, signal);
    }
  }

  private async writeOf(pais: string, morning: Morning, signal?: AbortSignal): Promise<void> {
    let page: { id: string }[] = [];
    do {
      page = (await this.database.query<{ id: string }>(dueMerchants(pais, morning, page.at(-1)?.id))).rows;
      for (const { id } of page) {
        if (signal?.aborted) return;
        try {
          await this.write(id, morning);
        } catch (error) {
          this.logger.warn({ err: error, comercio: id }, 'a summary was not written; it is tried again');
        }
      }
    } while (page.length === MAX_MERCHANTS);
  }

  private async write(comercioId: string, morning: Morning): Promise<void> {
    const causes = await ownerCauses(this.database, comercioId);
    await this.database.managed(comercioId, async (manager) => {
      const { text, values } = decideResumen(comercioId, morning);
      const [merchant] = await manager.query<ToldMerchant[]>(text, values);
      if (!merchant || causes.length === 0) return;
      const { nombre, para } = merchant;
      const pie = `${nombre} lo recibe a las 7:00, solo si hay algo que hacer.`;
      const content = this.contentOf(causes, merchant);
      await this.correos.write(manager, { comercioId, para, clase: 'resumen', pie, ...content });
    });
  }

  private contentOf(causes: OwnerCause[], { pais, moneda }: ToldMerchant) {
    const count = causes.reduce((sum, { cuantas }) => sum + cuantas, 0);
    const titulo = count === 1 ? '1 asunto necesita de usted' : `${count} asuntos necesitan de usted`;
    const amount = (monto: OwnerCause['monto']) =>
      Number(monto) === 0 ? '' : ` · ${money(monto, moneda, pais)}`;
    return {
      asunto: `Hoy: ${titulo}`,
      titulo,
      parrafos: [],
      filas: causes.map(
        ({ titulo: causa, cuantas, monto }) => [causa, `${cuantas}${amount(monto)}`] as const,
      ),
      boton: { texto: count === 1 ? 'Resolverlo' : `Resolver los ${count}`, url: this.correos.url('/panel') },
    } satisfies Partial<NuevoCorreo>;
  }
}
