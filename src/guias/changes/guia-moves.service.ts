import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import type { Merchant } from '../../auth/merchants/merchant.js';
import type { Run } from '../../platform/database/database.js';
import { Secrets } from '../../platform/config/secrets.js';
import { AppError } from '../../platform/errors/app-error.js';
import { NO_APLICADO_ADVERTENCIAS, type GuiaAdvertencia, type NoAplicado } from '../guia/guia-advertencia.js';
import { canMove, ESTADOS, OPEN_ESTADOS, type GuiaEstado } from '../guia/guia-estado.js';
import type { Author, Courier, Staff } from './author.js';
import { checkCollected } from './collected-limit.js';
import { inCash } from '../guia/pago.js';
import { findClosed, type GuiaScope, type LockedGuia } from './guia-changes.queries.js';
import { GuiaChangesService } from './guia-changes.service.js';
import { changeCaja } from './guia-caja.queries.js';
import { lockCobro, saveCobro, type LockedCobro } from './guia-cobros.queries.js';
import { changeSettled } from './settled-cobro.js';
import { decidePin, pinOf } from '../pin/pin.js';
import { findPin, insertWrongPin, type PinRow } from '../pin/pin.queries.js';
import { appliedMove, decideMove, type Move, type Movimiento, type SaidTime } from './guia-move.js';
import type { GuiaTransaction } from './guia-transaction.js';
import { differingFromRecorded, refTaken } from './operator-ref.js';
import { expectPiloto, holdingOf } from './guia-piloto.js';
import { findFirstAssignment, findPilotoAt, type AssignmentRow } from './guia-piloto.queries.js';
import { lastSaid, type MoveRow } from './guia-undo.js';
import { findMoves } from './guia-undo.queries.js';
import { findUnapplied, warningsLeft, type NoAplicadoRow } from './no-aplicados.js';
import { clampedTime, earlier } from './piloto-clock.js';
import { staffTime } from './staff-time.js';
import { findByRef, findCancellation, type RecordedEvento } from './recorded-eventos.queries.js';

/** Who moves a guide. A driver moves the guides that they have; of those that they had, it is recorded alone. */
export type Mover = (Courier | Staff) & {
  scope: GuiaScope;
  /** A simulated courier needs no PIN. */
  isSimulated?: boolean;
};

/** The result of registering a move. */
export interface Registro {
  /** Guide number. */
  guia: string;
  id: string;
  evento: string;
  secuencia: number;
  /** The guide's state after the event; for a repeat, after the event it repeats. */
  estado: GuiaEstado;
  /** Null for an event that was not applied. */
  estado_anterior: GuiaEstado | null;
  /** False where the event was recorded and did not move the guide. */
  aplicado: boolean;
  /** Why not. */
  no_aplicado?: NoAplicado;
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
   * Registers an event of an operator or a driver, and moves the guide unless the event is late, or of a former driver. What
   * staff registers moves it, or is refused.
   * @param guia id or number.
   * @throws AppError `no_encontrado`; as `decideMove` and `decidePin`; `pin_incorrecto`; `validacion` for a `ref` of another
   *   kind of event.
   */
  async move(by: Mover, guia: string, reported: Movimiento): Promise<Registro> {
    const { scope, isSimulated = false, ...author } = by;
    const courierId = by.actor === 'soporte' ? undefined : by.operador_id;
    const result = await this.changes.change(guia, scope, async (actual, tx) => {
      const recorded = await findRepeated(actual, reported, courierId, tx);
      if (recorded) return toRepeat(actual, recorded, reported);
      const movimiento =
        by.actor === 'soporte'
          ? { ...reported, ocurrido_en: staffTime(reported.ocurrido_en, actual.estado_en) }
          : reported;
      await checkCollected(actual, movimiento.cod_cobrado, tx);
      const said = by.actor === 'piloto' ? await saidTime(actual, by.operador_id, movimiento, tx) : undefined;
      const evento = v7();
      const move = decideMove(actual, movimiento, { id: evento, ...author }, said);
      const isDelivery = movimiento.estado === 'entregado' && !move.noAplicado;
      if (isDelivery && !isSimulated) {
        const decision = await this.checkPin(actual, movimiento, tx);
        // The try is kept: nothing else is written.
        if (decision === 'wrong') return decision;
        if (decision === 'without') move.columns.advertencias = withoutPin(move.columns.advertencias!);
      }
      if (isDelivery) await clearUnapplied(actual, move, ({ operador_id }) => operador_id !== courierId, tx);
      const piloto = by.actor === 'piloto' ? by.operador_id : (movimiento.piloto ?? actual.piloto_id);
      if (movimiento.piloto !== undefined && by.actor !== 'piloto') await expectPiloto(movimiento.piloto, tx);
      await write(actual, author, move, piloto, tx);
      const { noAplicado } = move;
      return {
        guia: actual.guia,
        id: actual.id,
        evento,
        secuencia: actual.version + 1,
        estado: noAplicado ? actual.estado : movimiento.estado,
        estado_anterior: noAplicado ? null : actual.estado,
        aplicado: !noAplicado,
        ...(noAplicado && { no_aplicado: noAplicado }),
        isDuplicate: false,
        differing: [],
      };
    });
    if (result === 'wrong') throw new AppError('pin_incorrecto');
    return result;
  }

  /**
   * Does a recorded move that was not applied, once, from any open state; its cash goes to the driver who reported it, or who
   * had the guide when an operator did.
   * @param guia id or number.
   * @param eventoId of the recorded event.
   * @throws AppError `no_encontrado` for an event that is not of the guide, or was applied; `transicion_invalida`
   */
  async apply(author: Author, scope: GuiaScope, guia: string, eventoId: string): Promise<GuiaEstado> {
    return this.changes.change(guia, scope, async (actual, tx) => {
      const { rows } = await tx.query<NoAplicadoRow>(findUnapplied(actual));
      const recorded = rows.find(({ id }) => id === eventoId);
      if (!recorded) throw alreadyApplied();
      if (!OPEN_ESTADOS.includes(actual.estado)) throw notOpen(actual.estado);
      const { datos, actor, operador_id, creado_en } = recorded;
      const ofPiloto = actor === 'piloto' ? operador_id : null;
      const { rows: assigned } = await tx.query<AssignmentRow>(findFirstAssignment(actual, ofPiloto ?? ''));
      const said = datos.dicho_en ?? recorded.ocurrido_en ?? creado_en;
      const bounds = { ...assigned[0]!, recibido_en: creado_en };
      const { creada_en, estado_en } = actual;
      const ocurrido_en = clampedTime(said, { ...bounds, creada_en, estado_en });
      const { dicho_en: _, no_aplicado: __, distancia_m, ...movimiento } = datos;
      const move = appliedMove(
        actual,
        { ...movimiento, ocurrido_en },
        { id: v7(), ...author },
        {
          distancia_m,
          aplica: eventoId,
          ...(said !== ocurrido_en && { dicho_en: said }),
        },
      );
      if (movimiento.estado === 'entregado') {
        const { rows: pin } = await tx.query<PinRow>(findPin(actual));
        if (pin[0]!.con_pin) move.columns.advertencias = withoutPin(move.columns.advertencias!);
      }
      await clearUnapplied(actual, move, (row) => row !== recorded, tx, rows);
      const piloto = ofPiloto ?? movimiento.piloto ?? (await pilotoWhen(actual, creado_en, tx));
      await write(actual, author, move, piloto, tx);
      return movimiento.estado;
    });
  }

  /** The delivery's answer on the PIN; undefined for merchants without PIN. @throws AppError as `decidePin` */
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
      await cancelOne(actual, nota, tx);
    });
  }

  /**
   * Cancels guides of a merchant as `cancel` does, all of them or none; those that are cancelled stay as they are.
   * @param key as of `Database.transaction`
   * @param also is written with it.
   * @returns the guides that are beyond `aceptado`: where there is one, nothing is written.
   */
  cancelAll(
    key: string,
    merchant: Merchant,
    guias: readonly string[],
    nota: string,
    also: (run: Run) => Promise<unknown>,
  ): Promise<Pick<LockedGuia, 'guia' | 'estado'>[]> {
    return this.changes.changeAll(key, merchant.id, guias, async (all, txOf, run) => {
      const beyond = all.filter(({ estado }) => estado !== 'aceptado' && estado !== 'cancelado');
      if (beyond.length > 0) return beyond;
      for (const guia of all) await cancelOne(guia, nota, txOf(guia));
      await also(run);
      return [];
    });
  }

  /**
   * Cancels a guide of a closed merchant that was not picked up yet.
   * @returns false where it was picked up, or has ended, and once the merchant is open again. @throws AppError `no_encontrado`
   */
  async cancelBeforePickup(author: Author, comercioId: string, guia: string, nota: string): Promise<boolean> {
    return this.changes.change(guia, { comercioId }, async (actual, tx) => {
      if (!canMove(actual.estado, 'cancelado')) return false;
      const { rows } = await tx.query<{ cerrado: boolean }>(findClosed(actual));
      if (!rows[0]!.cerrado) return false;
      await write(
        actual,
        author,
        appliedMove(actual, { estado: 'cancelado', nota }, { id: v7(), ...author }, {}),
        null,
        tx,
      );
      return true;
    });
  }
}

/** @throws AppError `transicion_invalida` once it was picked up. */
async function cancelOne(guia: LockedGuia, nota: string | undefined, tx: GuiaTransaction): Promise<void> {
  if (guia.estado === 'cancelado') return;
  const author = { actor: 'comercio' as const };
  await write(
    guia,
    author,
    decideMove(guia, { estado: 'cancelado', nota }, { id: v7(), ...author }),
    null,
    tx,
  );
}

function withoutPin(advertencias: string[]): string[] {
  return [...advertencias, 'entregado_sin_pin' satisfies GuiaAdvertencia];
}

/** The time as the driver said it, and the time that counts. @throws AppError as `holdingOf` */
async function saidTime(
  guia: LockedGuia,
  pilotoId: string,
  { ocurrido_en }: Movimiento,
  tx: GuiaTransaction,
): Promise<SaidTime> {
  const { isFormer, ...assigned } = await holdingOf(pilotoId, guia, ocurrido_en, tx);
  const dicho_en = ocurrido_en ?? assigned.ahora;
  const { creada_en, estado_en } = guia;
  const bounds = { ...assigned, recibido_en: assigned.ahora, creada_en, estado_en };
  const isOlder = estado_en !== null && Date.parse(dicho_en) < Date.parse(estado_en);
  const moves = isOlder && !isFormer ? (await tx.query<MoveRow>(findMoves(guia))).rows : [];
  return {
    dicho_en,
    ocurrido_en: isFormer ? earlier(dicho_en, assigned.ahora) : clampedTime(dicho_en, bounds),
    ultimo: lastSaid(moves, pilotoId) ?? estado_en,
    isFormer,
  };
}

/** The driver who had the guide when something was recorded; null for nobody. @param at ISO 8601 */
async function pilotoWhen(guia: LockedGuia, at: string, tx: GuiaTransaction): Promise<string | null> {
  const { rows } = await tx.query<{ piloto: string | null }>(findPilotoAt(guia, at));
  return rows[0]?.piloto ?? null;
}

/**
 * Takes the warnings of recorded events from a move, but for those that are still not applied.
 * @param isLeft whether an event stays unattended.
 * @param known the guide's events that were not applied, where they were read already.
 */
async function clearUnapplied(
  guia: LockedGuia,
  move: Move,
  isLeft: (row: NoAplicadoRow) => boolean,
  tx: GuiaTransaction,
  known?: NoAplicadoRow[],
): Promise<void> {
  if (!NO_APLICADO_ADVERTENCIAS.some((codigo) => guia.advertencias.includes(codigo))) return;
  const rows = known ?? (await tx.query<NoAplicadoRow>(findUnapplied(guia))).rows;
  move.columns.advertencias = warningsLeft(move.columns.advertencias!, rows.filter(isLeft));
}

function alreadyApplied(): AppError {
  return new AppError('no_encontrado', {
    detail: 'Ese cambio ya se aplicó, o no es de esta guía. Mire el historial otra vez.',
  });
}

function notOpen(estado: GuiaEstado): AppError {
  return new AppError('transicion_invalida', {
    detail: `La guía está en «${ESTADOS[estado].name}»: no se aplica nada más. Si eso fue un error, deshágalo primero.`,
  });
}

/** The reason of an adjustment by another delivery. */
const AGAIN = 'Se entregó otra vez una guía ya liquidada';

/** @param piloto whose cash it is; null for nobody's. */
async function write(
  guia: LockedGuia,
  author: Author,
  { columns, eventos, cobro }: Move,
  piloto: string | null,
  tx: GuiaTransaction,
): Promise<void> {
  await tx.write(columns, eventos);
  if (cobro === undefined) return;
  const at = eventos[0].ocurrido_en;
  const { rowCount } = await tx.query(saveCobro(guia, cobro, at ?? null, piloto));
  if (rowCount === 0) {
    const { rows } = await tx.query<LockedCobro>(lockCobro(guia));
    await changeSettled(guia, { cobro: rows[0]!, now: cobro, motivo: AGAIN, author, piloto }, tx);
  }
  const cash = inCash(cobro);
  if (piloto !== null && cash > 0) await tx.query(changeCaja(guia, piloto, { now: cash, before: null }));
}

/** The event that a move repeats: with the same `ref`, or the cancellation of a cancelled guide. */
async function findRepeated(
  guia: LockedGuia,
  { estado, ref }: Movimiento,
  courierId: string | undefined,
  tx: GuiaTransaction,
): Promise<RecordedEvento | undefined> {
  if (ref !== undefined && courierId !== undefined) {
    const { rows } = await tx.query<RecordedEvento>(findByRef(guia, courierId, ref));
    if (rows[0]) return rows[0];
  }
  if (estado !== 'cancelado' || guia.estado !== 'cancelado') return undefined;
  return (await tx.query<RecordedEvento>(findCancellation(guia))).rows[0];
}

function toRepeat(
  actual: LockedGuia,
  { id, tipo, secuencia, ocurrido_en, datos }: RecordedEvento,
  { pin: _, sin_pin: __, pago, ...movimiento }: Movimiento,
): Registro {
  const isOfAnotherKind = tipo === 'guia.cobro_corregido' || tipo === 'guia.estado_corregido';
  if (isOfAnotherKind || datos.deshacer === true) throw refTaken();
  const aplicado = tipo !== 'guia.evento_tardio';
  const said = datos.dicho_en ?? ocurrido_en ?? undefined;
  return {
    guia: actual.guia,
    id: actual.id,
    evento: id,
    secuencia,
    estado: aplicado ? (datos.estado as GuiaEstado) : actual.estado,
    estado_anterior: (datos.estado_anterior as GuiaEstado | undefined) ?? null,
    aplicado,
    ...(!aplicado && { no_aplicado: (datos.no_aplicado as NoAplicado | undefined) ?? 'tarde' }),
    isDuplicate: true,
    differing: differingFromRecorded(
      { ...movimiento, ...(actual.cod_amount > 0 && { pago }) },
      { ...datos, ocurrido_en: said },
    ),
  };
}
