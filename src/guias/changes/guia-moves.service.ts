import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { Secrets } from '../../config/secrets.js';
import { AppError } from '../../errors/app-error.js';
import type { GuiaAdvertencia } from '../guia-advertencia.js';
import type { GuiaEstado } from '../guia-estado.js';
import type { Courier } from './author.js';
import type { GuiaScope, LockedGuia } from './guia-changes.queries.js';
import { GuiaChangesService } from './guia-changes.service.js';
import { changeCaja } from './guia-caja.queries.js';
import { saveCobro } from './guia-cobros.queries.js';
import { decidePin, pinOf } from '../pin/pin.js';
import { findPin, insertWrongPin, type PinRow } from '../pin/pin.queries.js';
import { decideMove, type Move, type Movimiento } from './guia-move.js';
import type { GuiaTransaction } from './guia-transaction.js';
import { differingFromRecorded, refTaken } from './operator-ref.js';
import { expectOfPiloto, pilotoAt } from './guia-piloto.js';
import { findByRef, findCancellation, type RecordedEvento } from './recorded-eventos.queries.js';

/** Who moves a guide. A driver moves the guides that were assigned to them when it happened. */
export interface Mover extends Courier {
  scope: GuiaScope;
  /** A simulated courier needs no PIN. */
  isSimulated?: boolean;
}

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

/** Moves guides from state to state. */
@Injectable()
export class GuiaMovesService {
  constructor(
    private readonly changes: GuiaChangesService,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Registers an event of an operator or a driver, and moves the guide unless the event is late.
   * @param guia id or number.
   * @throws AppError `no_encontrado`; as `decideMove` and `decidePin`; `pin_incorrecto`; `validacion` for a `ref` of another
   *   kind of event.
   */
  async move(by: Mover, guia: string, movimiento: Movimiento): Promise<Registro> {
    const { scope, isSimulated = false, ...courier } = by;
    const result = await this.changes.change(guia, scope, async (actual, tx) => {
      const recorded = await findRepeated(actual, movimiento, by.operador_id, tx);
      if (recorded) return toRepeat(actual, recorded, movimiento);
      if (by.actor === 'piloto') await expectOfPiloto(by.operador_id, actual, movimiento.ocurrido_en, tx);
      const evento = v7();
      const move = decideMove(actual, movimiento, { id: evento, ...courier });
      if (movimiento.estado === 'entregado' && !move.isLate && !isSimulated) {
        const decision = await this.checkPin(actual, movimiento, tx);
        // The try is kept: nothing else is written.
        if (decision === 'wrong') return decision;
        if (decision === 'without') move.columns.advertencias = withoutPin(move.columns.advertencias!);
      }
      await write(actual, move, tx);
      return {
        guia: actual.guia,
        id: actual.id,
        evento,
        secuencia: actual.version + 1,
        estado: move.isLate ? actual.estado : movimiento.estado,
        estado_anterior: move.isLate ? null : actual.estado,
        aplicado: !move.isLate,
        isDuplicate: false,
        differing: [],
      };
    });
    if (result === 'wrong') throw new AppError('pin_incorrecto');
    return result;
  }

  /** What a delivery says of the PIN; undefined for merchants without PIN. @throws AppError as `decidePin` */
  private async checkPin(
    guia: LockedGuia,
    movimiento: Movimiento,
    tx: GuiaTransaction,
  ): Promise<'right' | 'wrong' | 'without' | undefined> {
    const { rows } = await tx.query<PinRow>(findPin(guia));
    const { con_pin, fallos } = rows[0]!;
    if (!con_pin) return undefined;
    const decision = decidePin(movimiento, pinOf(guia.id, this.secrets.pinKey), fallos);
    if (decision === 'wrong') await tx.query(insertWrongPin(guia, movimiento.pin!));
    return decision;
  }

  /**
   * Cancels a merchant's guide. Idempotent.
   * @throws AppError `no_encontrado`; `transicion_invalida` once it was picked up.
   */
  async cancel(merchant: Merchant, guia: string, nota?: string): Promise<void> {
    await this.changes.change(guia, { comercioId: merchant.id }, async (actual, tx) => {
      if (actual.estado === 'cancelado') return;
      await write(
        actual,
        decideMove(actual, { estado: 'cancelado', nota }, { id: v7(), actor: 'comercio' }),
        tx,
      );
    });
  }
}

function withoutPin(advertencias: string[]): string[] {
  return [...advertencias, 'entregado_sin_pin' satisfies GuiaAdvertencia];
}

async function write(
  guia: LockedGuia,
  { columns, eventos, cod_cobrado }: Move,
  tx: GuiaTransaction,
): Promise<void> {
  await tx.write(columns, eventos);
  if (cod_cobrado === undefined) return;
  const at = eventos[0].ocurrido_en;
  const piloto = await pilotoAt(guia, at, tx);
  await tx.query(saveCobro(guia, cod_cobrado, at ?? null, piloto));
  if (piloto !== null) await tx.query(changeCaja(guia, piloto, { now: cod_cobrado, before: null }));
}

/** The event that a move repeats: with the same `ref`, or the cancellation of a cancelled guide. */
async function findRepeated(
  guia: LockedGuia,
  { estado, ref }: Movimiento,
  courierId: string,
  tx: GuiaTransaction,
): Promise<RecordedEvento | undefined> {
  if (ref !== undefined) {
    const { rows } = await tx.query<RecordedEvento>(findByRef(guia, courierId, ref));
    if (rows[0]) return rows[0];
  }
  if (estado !== 'cancelado' || guia.estado !== 'cancelado') return undefined;
  return (await tx.query<RecordedEvento>(findCancellation(guia))).rows[0];
}

function toRepeat(
  actual: LockedGuia,
  { id, tipo, secuencia, ocurrido_en, datos }: RecordedEvento,
  { pin: _, sin_pin: __, ...movimiento }: Movimiento,
): Registro {
  if (tipo === 'guia.cobro_corregido' || tipo === 'guia.estado_corregido') throw refTaken();
  const aplicado = tipo !== 'guia.evento_tardio';
  return {
    guia: actual.guia,
    id: actual.id,
    evento: id,
    secuencia,
    estado: aplicado ? (datos.estado as GuiaEstado) : actual.estado,
    estado_anterior: (datos.estado_anterior as GuiaEstado | undefined) ?? null,
    aplicado,
    isDuplicate: true,
    differing: differingFromRecorded(movimiento, { ...datos, ocurrido_en: ocurrido_en ?? undefined }),
  };
}
