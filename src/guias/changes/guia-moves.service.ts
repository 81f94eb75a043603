import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import type { Merchant } from '../../auth/merchants/merchant.js';
import type { Run } from '../../platform/database/database.js';
import { raw, sql } from '../../platform/database/sql.js';
import { Secrets } from '../../platform/config/secrets.js';
import { AppError } from '../../platform/errors/app-error.js';
import { canMove, ESTADOS, OPEN_ESTADOS, type GuiaEstado } from '../guia/guia-estado.js';
import type { Author } from './author.js';
import type { GuiaScope, CurrentGuia } from './guia-changes.queries.js';
import { GuiaChangesService } from './guia-changes.service.js';
import { saveCollected } from './settled-cobro.js';
import { assignmentTo, ofMerchant, pilotoAt, UNAPPLIED, type Assignment } from './guia-context.queries.js';
import { appliedMove, decideMove, type Movimiento } from './guia-move.js';
import {
  besideMove,
  decideRegistro,
  withoutPin,
  type MoveContext,
  type Mover,
  type Registro,
} from './guia-registro.js';
import type { GuiaWrite } from './guia-write.js';
import { warningsLeft, type NoAplicadoRow } from './no-aplicados.js';
import { clampedTime } from './piloto-clock.js';

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
    const result = await this.changes.change(
      guia,
      by.scope,
      (actual: CurrentGuia & MoveContext) => decideRegistro(by, reported, actual, this.secrets.pinKey),
      besideMove(by, reported),
    );
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
    return this.changes.lock(guia, scope, async (actual, tx) => {
      const unapplied = sql`${raw(UNAPPLIED)} as rows, ${raw(ofMerchant('con_pin'))} as con_pin`;
      const { rows, con_pin } = await tx.look<{ rows: NoAplicadoRow[]; con_pin: boolean }>(unapplied);
      const recorded = rows.find(({ id }) => id === eventoId);
      if (!recorded) throw alreadyApplied();
      if (!OPEN_ESTADOS.includes(actual.estado)) throw notOpen(actual.estado);
      const { datos, actor, operador_id, creado_en } = recorded;
      const ofPiloto = actor === 'piloto' ? operador_id : null;
      const { piloto: before, ...assigned } = await tx.look<Assignment & { piloto: string | null }>(
        sql`${assignmentTo(ofPiloto)}, ${pilotoAt(creado_en)}`,
      );
      const said = datos.dicho_en ?? recorded.ocurrido_en ?? creado_en;
      const { creada_en, estado_en } = actual;
      const ocurrido_en = clampedTime(said, { ...assigned, recibido_en: creado_en, creada_en, estado_en });
      const { dicho_en: _, no_aplicado: __, distancia_m, ...movimiento } = datos;
      const { columns, eventos, cobro } = appliedMove(
        actual,
        { ...movimiento, ocurrido_en },
        { id: v7(), ...author },
        {
          distancia_m,
          aplica: eventoId,
          ...(said !== ocurrido_en && { dicho_en: said }),
        },
      );
      if (movimiento.estado === 'entregado' && con_pin)
        columns.advertencias = withoutPin(columns.advertencias!);
      // A delivery answers for all that its driver said.
      const isAnswered = (row: NoAplicadoRow) =>
        row === recorded || (movimiento.estado === 'entregado' && row.operador_id === operador_id);
      const left = rows.filter((row) => !isAnswered(row));
      columns.advertencias = warningsLeft(columns.advertencias!, left);
      await tx.write({ columns, eventos });
      const piloto = ofPiloto ?? movimiento.piloto ?? before;
      if (cobro) await saveCollected(actual, { ...cobro, at: ocurrido_en, piloto }, author, tx);
      return movimiento.estado;
    });
  }

  /** Cancels a merchant's guide. Idempotent. @throws AppError `no_encontrado`; `transicion_invalida` once it was picked up. */
  async cancel(merchant: Merchant, guia: string, nota?: string): Promise<void> {
    await this.changes.change(guia, { comercioId: merchant.id }, (actual) => ({
      result: undefined,
      write: cancellation(actual, nota),
    }));
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
  ): Promise<Pick<CurrentGuia, 'guia' | 'estado'>[]> {
    return this.changes.lockAll(key, merchant.id, guias, async (all, txOf, run) => {
      const beyond = all.filter(({ estado }) => estado !== 'aceptado' && estado !== 'cancelado');
      if (beyond.length > 0) return beyond;
      for (const guia of all) {
        const write = cancellation(guia, nota);
        if (write) await txOf(guia).write(write);
      }
      await also(run);
      return [];
    });
  }

  /**
   * Cancels a guide of a closed merchant that was not picked up yet.
   * @returns false where it was picked up, or has ended, and once the merchant is open again. @throws AppError `no_encontrado`
   */
  async cancelBeforePickup(author: Author, comercioId: string, guia: string, nota: string): Promise<boolean> {
    return this.changes.lock(guia, { comercioId }, async (actual, tx) => {
      if (!canMove(actual.estado, 'cancelado')) return false;
      const closed = raw(`${ofMerchant('cerrado_en')} is not null as cerrado`);
      if (!(await tx.look<{ cerrado: boolean }>(closed)).cerrado) return false;
      await tx.write(appliedMove(actual, { estado: 'cancelado', nota }, { id: v7(), ...author }, {}));
      return true;
    });
  }
}

/** Undefined for a guide that is cancelled. @throws AppError `transicion_invalida` once it was picked up. */
function cancellation(guia: CurrentGuia, nota: string | undefined): GuiaWrite | undefined {
  if (guia.estado === 'cancelado') return undefined;
  return decideMove(guia, { estado: 'cancelado', nota }, { id: v7(), actor: 'comercio' });
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
