import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { againIfRepeat } from '../../database/again-if-repeat.js';
import { Database } from '../../database/database.js';
import { AppError } from '../../errors/app-error.js';
import { RelayService } from '../../events/relay.service.js';
import { canMove, nextEstados, type GuiaEstado } from '../guia-estado.js';
import { noSuchGuia } from '../guia-lookup.js';
import { differingFromRecorded, refTaken } from './operator-ref.js';
import { moveGuia, type MoveRow, type Mover, type Movimiento } from './guia-moves.queries.js';

/** The result of registering a move. */
export interface Registro {
  /** Guide number. */
  guia: string;
  id: string;
  evento: string;
  secuencia: number;
  /** The guide's state after the event; for a repeat, after the event it repeats. */
  estado: GuiaEstado;
  /** Null for a late event. */
  estado_anterior: GuiaEstado | null;
  /** False for a late event: it was recorded and did not move the guide. */
  aplicado: boolean;
  /** A repeat by `ref`: nothing new was recorded. */
  isDuplicate: boolean;
  /** Fields of a repeat that differ from the recorded event. */
  differing: string[];
}

/** Moves guides from state to state. Each move is one guarded statement that also records the event. */
@Injectable()
export class GuiaMovesService {
  constructor(
    private readonly database: Database,
    private readonly relay: RelayService,
  ) {}

  /**
   * Registers an operator's event, and moves the guide unless the event is late.
   * @param guia id or number.
   * @throws AppError `no_encontrado`; `transicion_invalida`, which lists the legal states; `validacion` for a
   *   delivery without the amount collected.
   */
  async move(by: Mover, guia: string, movimiento: Movimiento): Promise<Registro> {
    const eventoId = v7();
    const statement = moveGuia(guia, movimiento, by, eventoId);
    const row = await againIfRepeat(
      () => this.run(statement),
      'eventos_ref_key',
      (found) => isRefused(found) && mayBeRepeat(found, movimiento),
    );
    if (row.repetido) return toRepeat(row, row.repetido, movimiento);
    if (row.secuencia === null)
      throw row.es_tarde || canMove(row.estado, movimiento.estado)
        ? missingAmount()
        : illegalMove(row.estado);
    return {
      guia: row.guia,
      id: row.id,
      evento: eventoId,
      secuencia: row.secuencia,
      estado: row.es_tarde ? row.estado : movimiento.estado,
      estado_anterior: row.es_tarde ? null : row.estado,
      aplicado: !row.es_tarde,
      isDuplicate: false,
      differing: [],
    };
  }

  /**
   * Cancels a merchant's guide. Idempotent.
   * @throws AppError `no_encontrado`; `transicion_invalida` once it was picked up.
   */
  async cancel(merchant: Merchant, guia: string, nota?: string): Promise<void> {
    const movimiento = { estado: 'cancelado' as const, ...(nota !== undefined && { nota }) };
    const row = await this.run(moveGuia(guia, movimiento, { comercioId: merchant.id }, v7()));
    if (row.secuencia === null && row.estado !== 'cancelado') throw illegalMove(row.estado);
  }

  private async run(statement: ReturnType<typeof moveGuia>): Promise<MoveRow> {
    const { rows } = await this.database.query<MoveRow>(statement);
    if (!rows[0]) throw noSuchGuia();
    this.relay.wake();
    return rows[0];
  }
}

const isRefused = ({ secuencia, repetido }: MoveRow) => secuencia === null && repetido === null;

const mayBeRepeat = (row: MoveRow, { ref, estado }: Movimiento) =>
  ref !== undefined || (estado === 'cancelado' && row.estado === 'cancelado');

function missingAmount(): AppError {
  const mensaje = 'Es obligatorio: la guía tiene un monto por cobrar. Si no se cobró nada, envíe 0.';
  return AppError.validation([{ campo: 'cod_cobrado', codigo: 'requerido', mensaje }]);
}

function illegalMove(actual: GuiaEstado): AppError {
  const next = nextEstados(actual);
  const mensaje =
    next.length === 0
      ? `La guía está en \`${actual}\`, un estado final: ya no cambia.`
      : `La guía está en \`${actual}\`; de ahí solo puede pasar a: ${next.join(', ')}.`;
  const errores = [{ campo: 'estado', codigo: 'fuera_de_rango' as const, mensaje }];
  return new AppError('transicion_invalida', { detail: mensaje, errores });
}

function toRepeat(
  row: MoveRow,
  { id, tipo, secuencia, ocurrido_en, datos }: NonNullable<MoveRow['repetido']>,
  movimiento: Movimiento,
): Registro {
  if (tipo === 'guia.cobro_corregido') throw refTaken();
  const aplicado = tipo !== 'guia.evento_tardio';
  return {
    guia: row.guia,
    id: row.id,
    evento: id,
    secuencia,
    estado: aplicado ? (datos.estado as GuiaEstado) : row.estado,
    estado_anterior: (datos.estado_anterior as GuiaEstado | undefined) ?? null,
    aplicado,
    isDuplicate: true,
    differing: differingFromRecorded(movimiento, { ...datos, ocurrido_en: isoOf(ocurrido_en) }),
  };
}

const isoOf = (time: string | null) => (time === null ? undefined : new Date(time).toISOString());
