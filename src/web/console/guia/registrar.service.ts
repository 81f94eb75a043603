import { Injectable } from '@nestjs/common';
import type { CountryCode } from 'libphonenumber-js';
import type { Logger } from 'pino';
import { Config } from '../../../platform/config/env.js';
import { Database } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/errors/app-error.js';
import type { GuiaScope } from '../../../guias/changes/guia-changes.queries.js';
import { GuiaMovesService } from '../../../guias/changes/guia-moves.service.js';
import type { Registro } from '../../../guias/changes/guia-registro.js';
import { isGuiaNumero } from '../../../guias/guia/guia-digits.js';
import { ESTADOS, type GuiaEstado } from '../../../guias/guia/guia-estado.js';
import { InjectLogger } from '../../../platform/logging/logging.module.js';
import { serveBatch } from '../../../operations/batch.js';
import {
  toMovimiento,
  type EventoRechazadoDto,
  type RegistrarEventoDto,
} from '../../../operations/dto/registrar-evento.dto.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { MAX_DETALLE } from '../audit/audit.queries.js';
import { AuditService, type Done } from '../audit/audit.service.js';
import { counted, grouped } from '../../kit/elements.js';
import { GuiaOverviewService } from './guia-overview.service.js';
import { readRegistro } from './registrar-form.js';

/** States that are registered of many guides at once. */
export const DE_VARIAS = ['recogido', 'en_ruta', 'intento_fallido'] as const satisfies GuiaEstado[];

export const MAX_VARIAS = 200;

/** ms for all of them. */
const BATCH_MS = 20_000;

const LATE = 'No se alcanzó a registrar, o no se sabe. Mire la guía antes de repetirlo.';

export interface PilotoOption {
  id: string;
  nombre: string;
}

/** Drivers that a form offers at most. */
const MAX_PILOTOS = 300;

export type RegistroDeVarias = { guia: string; rechazo?: EventoRechazadoDto };

/** Staff says what happened with guides, by the same code as operators' events; the history names support, the audit who. */
@Injectable()
export class RegistrarService {
  constructor(
    private readonly database: Database,
    private readonly moves: GuiaMovesService,
    private readonly overviews: GuiaOverviewService,
    private readonly audit: AuditService,
    private readonly config: Config,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @throws AppError `no_encontrado` */
  async one(form: Sent<StaffUser>, guia: string): Promise<Done<undefined>> {
    const { id: comercioId, country } = await this.overviews.merchantOf(guia);
    return this.audit.perform(form, 'registrar', { guia, comercioId }, async () => {
      const dto = readRegistro(form.fields, timeZoneOf(country), Date.now());
      const { estado } = await this.move(form.by, { comercioId }, guia, dto);
      return `Quedó registrado: la guía está en «${ESTADOS[estado].name}».`;
    });
  }

  /** Each guide stands alone. @param guias numbers. */
  async many(form: Sent<StaffUser>, guias: string[]): Promise<Done<RegistroDeVarias[]>> {
    const all = counted(guias.length, 'guía');
    const detalle = withNumbers(all, guias.filter(isGuiaNumero));
    return this.audit.perform(form, 'registrar_varias', { detalle }, async () => {
      const { estado, motivo, nota, ocurrido_en } = form.fields;
      const fields = { estado, motivo, nota, ocurrido_en };
      if (!DE_VARIAS.some((one) => one === estado)) throw notOfMany();
      // What is wrong with the form is so for all.
      readRegistro(fields, timeZoneOf(this.config.defaultCountry), Date.now());
      const zones = await this.zonesOf(guias);
      const results = await serveBatch(guias, {
        read: (guia) => () => {
          const numero = String(guia);
          const zone = zones.get(numero) ?? timeZoneOf(this.config.defaultCountry);
          return this.move(form.by, { isTest: false }, numero, readRegistro(fields, zone, Date.now()));
        },
        deadline: performance.now() + BATCH_MS,
        late: LATE,
        logger: this.logger,
      });
      const made = results.map((result, n) => ({
        guia: guias[n]!,
        ...('status' in result && { rechazo: result }),
      }));
      const done = made.filter(({ rechazo }) => !rechazo).length;
      const said = `Quedó registrado «${ESTADOS[estado as GuiaEstado].name}» en ${grouped(done)} de ${all}.`;
      return [made, done === 0 ? { failed: `No se registró en ninguna de ${all}.` } : said];
    });
  }

  /** The drivers whose cash a delivery may be, the active ones first. */
  async pilotos(): Promise<PilotoOption[]> {
    const text = `select id, nombre from pilotos order by activo desc, nombre limit ${MAX_PILOTOS}`;
    return this.database.staff.rows<PilotoOption>({ text, values: [] });
  }

  private move(
    { name }: StaffUser,
    scope: GuiaScope,
    guia: string,
    dto: RegistrarEventoDto,
  ): Promise<Registro> {
    return this.moves.move({ actor: 'soporte', usuario: name, scope }, guia, toMovimiento(dto));
  }

  private async zonesOf(guias: string[]): Promise<Map<string, string>> {
    const text = `select g.guia, c.pais from guias g join comercios c on c.id = g.comercio_id where g.guia = any ($1)`;
    const rows = await this.database.staff.rows<{ guia: string; pais: CountryCode }>({
      text,
      values: [guias.filter(isGuiaNumero)],
    });
    return new Map(rows.map(({ guia, pais }) => [guia, timeZoneOf(pais)]));
  }
}

/** As many numbers as the column of details has room for; `…` says that there are more. */
function withNumbers(all: string, guias: string[]): string {
  const text = guias.length === 0 ? all : `${all}: ${guias.join(', ')}`;
  return text.length <= MAX_DETALLE ? text : `${text.slice(0, text.lastIndexOf(',', MAX_DETALLE - 2))}, …`;
}

function notOfMany(): AppError {
  const mensaje =
    'Elija qué pasó: de varias guías a la vez se registra que se recogieron, salieron o no se pudo.';
  return AppError.validation([{ campo: 'estado', codigo: 'requerido', mensaje }]);
}
