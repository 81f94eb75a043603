import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { RateLimiter } from '../../auth/rate-limiter.js';
import { Config } from '../../platform/config/env.js';
import { Secrets } from '../../platform/config/secrets.js';
import { Database } from '../../platform/database/database.js';
import { AppError } from '../../platform/errors/app-error.js';
import { GuiaMovesService } from '../../guias/changes/guia-moves.service.js';
import { GuiaUndoService } from '../../guias/changes/guia-undo.service.js';
import { isGuiaEstado, PILOTO_ESTADOS } from '../../guias/guia/guia-estado.js';
import type { PilotoNombradoDto } from '../../guias/dto/piloto-nombrado.dto.js';
import { toAnswer } from '../../platform/http/repeat.interceptor.js';
import { InjectLogger } from '../../platform/logging/logging.module.js';
import { serveBatch } from '../../operations/batch.js';
import type { EstadoCorregidoDto } from '../../operations/dto/estado-corregido.dto.js';
import {
  toMovimiento,
  type EventoRechazadoDto,
  type RegistroDto,
} from '../../operations/dto/registrar-evento.dto.js';
import { isPlain } from '../../platform/validation/faults.js';
import { readInput } from '../../platform/validation/read-input.js';
import { AsignacionesService } from '../../pilotos/asignaciones/asignaciones.service.js';
import { hashOf, isOurToken } from '../../pilotos/enlace/enlace-token.js';
import { toGuiaDeRuta, toLlevadoDeRuta, type GuiaDeRuta, type LlevadoDeRuta } from './ruta-guia.js';
import { keepRefusals, markRead, refusalsOf } from './refusals.queries.js';
import {
  BuscarDto,
  DeshacerDePilotoDto,
  EntendidosDto,
  EventoDePilotoDto,
  LoteDePilotoDto,
  TomarDto,
} from './ruta.dto.js';
import {
  findFree,
  listRuta,
  MAX_GUIAS,
  sumCarried,
  touchLink,
  type CarriedRow,
  type LibreRow,
  type RutaRow,
} from './ruta.queries.js';

/** The reason of an undo, as the merchant reads it. */
const UNDONE = 'El piloto lo deshizo.';

/** Searches and takes of a driver, per minute: last digits are not to be tried one after the other. */
const TRIES_PER_MINUTE = 30;

const LATE = 'No se alcanzó a registrar, o no se sabe. Envíelo otra vez con el mismo `ref`.';

export interface Ruta {
  /** The service's clock, ISO 8601. */
  ahora: string;
  piloto: PilotoNombradoDto;
  caja: LlevadoDeRuta[];
  guias: GuiaDeRuta[];
  /** Whether the driver has more guides than the page shows. */
  hay_mas: boolean;
}

type Resultado = RegistroDto | (EstadoCorregidoDto & { aplicado: true }) | EventoRechazadoDto;

@Injectable()
export class RutaService {
  private readonly linkKey: Buffer;
  private readonly requests: RateLimiter;
  private readonly tries = new RateLimiter(TRIES_PER_MINUTE);

  constructor(
    private readonly database: Database,
    private readonly moves: GuiaMovesService,
    private readonly undos: GuiaUndoService,
    private readonly asignaciones: AsignacionesService,
    { pilotoLinkKey }: Secrets,
    { rateLimitPerMinute }: Config,
    @InjectLogger() private readonly logger: Logger,
  ) {
    this.linkKey = pilotoLinkKey;
    this.requests = new RateLimiter(rateLimitPerMinute);
  }

  /**
   * The driver whose link has this token. A token that we did not make reaches no database.
   * @throws AppError `no_encontrado`, the same for all that open nothing; `demasiadas_solicitudes`
   */
  async admit(token: string): Promise<PilotoNombradoDto> {
    if (!isOurToken(token, this.linkKey)) throw noSuchLink();
    await this.requests.count(token);
    const { rows } = await this.database.query<PilotoNombradoDto>(touchLink(hashOf(token)));
    if (!rows[0]) throw noSuchLink();
    return rows[0];
  }

  async show(piloto: PilotoNombradoDto): Promise<Ruta> {
    const [guias, caja] = await Promise.all([
      this.database.drivers.query<RutaRow>(listRuta(piloto.id)),
      this.database.drivers.query<CarriedRow>(sumCarried(piloto.id)),
    ]);
    return {
      ahora: new Date().toISOString(),
      piloto,
      caja: caja.rows.map(toLlevadoDeRuta),
      guias: guias.rows.slice(0, MAX_GUIAS).map(toGuiaDeRuta),
      hay_mas: guias.rows.length > MAX_GUIAS,
    };
  }

  /**
   * Registers what a driver did, each event by itself; one result for each, in the order of the request.
   * @param deadline when the answer is due, as `performance.now()` counts.
   * @throws AppError `validacion` for a body without a list of events.
   */
  async register(piloto: PilotoNombradoDto, body: unknown, deadline: number): Promise<Resultado[]> {
    const { eventos } = readInput(LoteDePilotoDto, body, {});
    const read = (sent: unknown) => {
      const run =
        isPlain(sent) && 'deshacer' in sent ? this.undoing(piloto, sent) : this.moving(piloto, sent);
      return async () => {
        try {
          return await run();
        } catch (error) {
          throw asTheirs(error);
        }
      };
    };
    const resultados = await serveBatch(eventos, { read, deadline, late: LATE, logger: this.logger });
    const refusals = refusalsOf(eventos, resultados);
    if (refusals.length > 0) await this.database.query(keepRefusals(piloto.id, refusals));
    return resultados;
  }

  /** The driver has read why these were refused. @throws AppError `validacion` */
  async understand(piloto: PilotoNombradoDto, body: unknown): Promise<void> {
    const { refs } = readInput(EntendidosDto, body, {});
    await this.database.query(markRead(piloto.id, refs));
  }

  /** Guides that nobody has, by their number or its last four digits. @throws AppError `validacion`, `demasiadas_solicitudes` */
  async search(piloto: PilotoNombradoDto, body: unknown): Promise<LibreRow[]> {
    const { numero } = readInput(BuscarDto, body, {});
    await this.tries.count(piloto.id);
    return (await this.database.drivers.query<LibreRow>(findFree(numero))).rows;
  }

  /** @throws AppError `validacion`, `demasiadas_solicitudes`; as `AsignacionesService.take` */
  async take(piloto: PilotoNombradoDto, body: unknown): Promise<string> {
    const { guia } = readInput(TomarDto, body, {});
    await this.tries.count(piloto.id);
    return (await this.asignaciones.take(piloto, guia)).guia;
  }

  private moving({ id }: PilotoNombradoDto, sent: unknown): () => Promise<RegistroDto> {
    const estado = isPlain(sent) ? sent.estado : undefined;
    if (isGuiaEstado(estado) && !PILOTO_ESTADOS.includes(estado)) throw notForPilotos();
    const evento = readInput(EventoDePilotoDto, sent, {});
    const by = { actor: 'piloto' as const, operador_id: id, scope: { isTest: false } };
    return async () => toAnswer(await this.moves.move(by, evento.guia, toMovimiento(evento)));
  }

  private undoing(
    { id }: PilotoNombradoDto,
    sent: unknown,
  ): () => Promise<EstadoCorregidoDto & { aplicado: true }> {
    const { guia, ref, ocurrido_en } = readInput(DeshacerDePilotoDto, sent, {});
    const by = { actor: 'piloto' as const, operador_id: id };
    const deshacer = { motivo: UNDONE, ref, ocurrido_en };
    return async () => ({
      ...toAnswer(await this.undos.undo(by, { isTest: false }, guia, deshacer)),
      aplicado: true,
    });
  }
}

function noSuchLink(): AppError {
  return new AppError('no_encontrado', {
    detail: 'Este enlace no sirve, o ya venció. Pida uno nuevo a su bodega.',
  });
}

/** The same for a guide that does not exist and for one that is not the driver's. */
function asTheirs(error: unknown): unknown {
  if (!(error instanceof AppError) || error.codigo !== 'no_encontrado') return error;
  return new AppError('no_encontrado', {
    detail: 'La guía no está entre las suyas: puede que ya la lleve otro piloto. Avise a su bodega.',
  });
}

function notForPilotos(): AppError {
  return new AppError('sin_permiso', {
    detail: `Un piloto solo registra: ${PILOTO_ESTADOS.join(', ')}. Lo demás lo hace la bodega.`,
  });
}
