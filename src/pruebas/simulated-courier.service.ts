import { Injectable } from '@nestjs/common';
import { OperatorsService } from '../auth/operators/operators.service.js';
import { Database } from '../platform/database/database.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Movimiento } from '../guias/changes/guia-move.js';
import { GuiaMovesService } from '../guias/changes/guia-moves.service.js';
import type { Registro } from '../guias/changes/guia-registro.js';
import type { GuiaEstado } from '../guias/guia/guia-estado.js';
import { SandboxRecipientService } from '../notifications/providers/sandbox/sandbox-recipient.service.js';
import { RetryLater } from '../platform/queues/job-errors.js';
import type { Paso } from './guiones.js';
import { findStep, finishStep, stopSimulacion, type StepRow } from './simulaciones.queries.js';

/** The operator who moves test guides, for merchants and in simulations. */
const NAME = 'Mensajería de prueba';

/** Moves test guides as operators do, by hand or step by step along a script. */
@Injectable()
export class SimulatedCourierService {
  private operatorId: string | undefined;

  constructor(
    private readonly database: Database,
    private readonly operators: OperatorsService,
    private readonly moves: GuiaMovesService,
    private readonly recipient: SandboxRecipientService,
  ) {}

  /** Moves a guide of one merchant; a simulation needs no PIN. @throws AppError as `GuiaMovesService.move` */
  async move(
    comercioId: string,
    guia: string,
    movimiento: Movimiento,
    isSimulated = false,
  ): Promise<Registro> {
    const operador_id = (this.operatorId ??= (await this.operators.findOrCreate(NAME)).id);
    const by = { actor: 'operador' as const, operador_id, scope: { comercioId }, isSimulated };
    return this.moves.move(by, guia, movimiento);
  }

  /**
   * Makes the due steps of a simulation; idempotent.
   * @returns the outcome in Spanish, for the board.
   * @throws RetryLater until the next step is due.
   */
  async advance(simulacionId: string): Promise<string> {
    for (;;) {
      const { rows } = await this.database.query<StepRow>(findStep(simulacionId));
      const row = rows[0];
      if (!row) return 'La simulación terminó.';
      if (row.espera_ms > 0) throw new RetryLater('Espera el siguiente paso.', row.espera_ms);
      const causa = await this.makeStep(row);
      await this.database.query(
        causa === undefined
          ? finishStep(simulacionId, row.hechos.length)
          : stopSimulacion(simulacionId, causa),
      );
    }
  }

  /**
   * Makes the next step. It is registered under a `ref` of its own, so a step made before a crash is not made again.
   * @returns why the simulation cannot go on; undefined where it can.
   */
  private async makeStep(row: StepRow): Promise<string | undefined> {
    const made = row.hechos.length;
    const next = row.pasos[made]!;
    if (next.paso === 'confirmacion') return this.confirm(row);
    const before = estadoOf(row.pasos[made - 1]);
    if (before !== undefined && ![before, next.paso].includes(row.guia_estado)) return moved(row, next.paso);
    const { paso: estado, ...report } = next;
    const ref = `simulacion-${row.id}-${made}`;
    try {
      const movimiento = { estado, ...report, ...deliveryOf(row, estado), ref };
      await this.move(row.comercio_id, row.guia_id, movimiento, true);
    } catch (error) {
      if (!(error instanceof AppError) || error.codigo !== 'transicion_invalida') throw error;
      return moved(row, estado);
    }
    return undefined;
  }

  private async confirm(row: StepRow): Promise<string | undefined> {
    if (row.direccion_confirmada || (await this.recipient.confirm(row, row.id))) return undefined;
    return `La guía está en \`${row.guia_estado}\` y ya no esperaba que se confirmara la dirección.`;
  }
}

const estadoOf = (paso: Paso | undefined): GuiaEstado | undefined =>
  paso === undefined || paso.paso === 'confirmacion' ? undefined : paso.paso;

/** A courier's report of a delivery: the whole amount, collected at the door. */
function deliveryOf(
  { destinatario, cod_amount, destino_lat, destino_lng }: StepRow,
  estado: GuiaEstado,
): Partial<Movimiento> {
  if (estado !== 'entregado') return {};
  return {
    ...(destinatario !== '' && { recibio: destinatario }),
    ...(cod_amount > 0 && { cod_cobrado: cod_amount }),
    ...(destino_lat !== null && destino_lng !== null && { lat: destino_lat, lng: destino_lng }),
  };
}

const moved = ({ guia_estado }: StepRow, next: GuiaEstado) =>
  `Alguien más movió la guía: está en \`${guia_estado}\`, y el guion seguía con \`${next}\`.`;
