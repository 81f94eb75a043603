import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { isUuid } from '../../database/row-id.js';
import { AppError, type FieldError } from '../../errors/app-error.js';
import type { PageAnswer } from '../../html/page-answer.js';
import type { Form } from '../../http/form-texts.js';
import { seeOther } from '../panel-routes.js';
import type { Visit } from '../visit.js';
import { beginForm, endForm, findForm, forgetForm } from './forms.queries.js';

/** ms that a form that was sent twice waits for the first one, and between two looks. */
const WAIT_MS = 3_000;
const LOOK_MS = 100;

/** Why a form was not done, for the page that shows it again. */
export interface Refusal {
  /** For the whole form; empty where the fields say it. */
  notice: string;
  faults: readonly FieldError[];
}

/** Errors that are answered by the form itself, with what was typed; others are pages of their own. */
const SHOWN_IN_FORM: readonly number[] = [400, 409, 412, 413, 422];

/** Does what the forms of the panel ask for: each once, by its `clave`. */
@Injectable()
export class PanelFormsService {
  constructor(private readonly database: Database) {}

  /**
   * Does what a form asks for, and leads to a page; sent again, it leads to the same page and does nothing.
   * @param act returns the path of that page.
   * @param refused answers with the form again, status 422.
   * @throws AppError what `act` throws that the form cannot show; `formulario_no_vigente`
   */
  async submit(
    visit: Visit,
    { clave }: Form,
    act: () => Promise<string>,
    refused: (refusal: Refusal) => Promise<PageAnswer>,
  ): Promise<PageAnswer> {
    try {
      return seeOther((await this.once(visit, clave, act)).destino);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      return refused(refusal);
    }
  }

  /** @returns where `act` led to, now or the first time. @throws AppError `formulario_no_vigente` */
  async once(
    { merchant: { id } }: Visit,
    clave: string | undefined,
    act: () => Promise<string>,
  ): Promise<{ destino: string; isRepeat: boolean }> {
    if (clave === undefined || !isUuid(clave)) throw new AppError('formulario_no_vigente');
    const { rowCount } = await this.database.query(beginForm(id, clave));
    if (rowCount === 0) return { destino: await this.firstDestino(id, clave), isRepeat: true };
    try {
      const destino = await act();
      await this.database.query(endForm(id, clave, destino));
      return { destino, isRepeat: false };
    } catch (error) {
      // After any other error nobody knows whether it was done: it is not done again.
      if (error instanceof AppError && error.status < 500) await this.database.query(forgetForm(id, clave));
      throw error;
    }
  }

  private async firstDestino(comercioId: string, clave: string): Promise<string> {
    for (const until = performance.now() + WAIT_MS; performance.now() < until; await sleep(LOOK_MS)) {
      const { rows } = await this.database.query<{ destino: string | null }>(findForm(comercioId, clave));
      if (!rows[0]) break;
      if (rows[0].destino !== null) return rows[0].destino;
    }
    throw new AppError('formulario_no_vigente', {
      detail: 'Ese formulario ya se envió. Vea en la lista si quedó hecho antes de repetirlo.',
    });
  }
}

/** Undefined for an error that has a page of its own. `formulario_no_vigente` must not show the same form again. */
export function refusalOf(error: unknown): Refusal | undefined {
  const isShown =
    error instanceof AppError &&
    SHOWN_IN_FORM.includes(error.status) &&
    error.codigo !== 'formulario_no_vigente';
  if (!isShown) return undefined;
  const faults = error.errores ?? [];
  return { faults, notice: faults.length === 0 ? error.detail.replaceAll('`', '') : '' };
}
