import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/errors/app-error.js';
import type { TypedForm } from '../../kit/field.js';
import { InjectLogger } from '../../../platform/logging/logging.module.js';
import { beginOnce } from '../../kit/forms/once.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import { pageAnswer, seeOther, type PageAnswer } from '../../kit/page-answer.js';
import type { Visit } from '../visit.js';
import { detailOf, faultsOf } from './panel-words.js';
import type { PanelFormulario } from './panel-formulario.entity.js';

/** ms that a form that was sent twice waits for the first one, and between two looks. */
const WAIT_MS = 3_000;
const LOOK_MS = 100;

/** A form that was not done, for the page that shows it again. */
export interface Refusal extends TypedForm {
  /** Why, for the whole form; empty where the faults of its fields say it. */
  notice: string;
}

/** The page after a form whose answer alone has a secret. */
interface Shown<T> {
  made?: T;
  done?: string;
  refusal?: Refusal;
}

const REPEATED = 'Esa clave ya se hizo, y no se muestra otra vez. Si no la copió, termínela y haga otra.';

/** Errors that are answered by the form itself, with what was typed; others are pages of their own. */
const SHOWN_IN_FORM: readonly number[] = [400, 409, 412, 413, 422];

const BEGIN = 'insert into panel_formularios (comercio_id, clave) values ($1, $2) on conflict do nothing';
const END = 'update panel_formularios set destino = $3 where comercio_id = $1 and clave = $2';
const FORGET = 'delete from panel_formularios where comercio_id = $1 and clave = $2';
const FIND = 'select destino from panel_formularios where comercio_id = $1 and clave = $2';

/** Does what the forms of the panel ask for: each once, by its `clave`. */
@Injectable()
export class PanelFormsService {
  constructor(
    private readonly database: Database,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Does what a form asks for, and leads to a page; sent again, it leads to the same page and does nothing.
   * @param act returns the path of that page.
   * @param again as of `answerForm`
   * @throws AppError as `answerForm`; `formulario_no_vigente`
   */
  submit(
    form: Sent<Visit>,
    act: () => Promise<string>,
    again: (refusal: Refusal) => Promise<string>,
  ): Promise<PageAnswer> {
    return answerForm(form, async () => seeOther(await this.once(form, act)), again);
  }

  /**
   * Shows a secret that a form makes in its answer alone, never by a redirect; the same form again makes and shows none.
   * @param show renders the page: with what was made, with why it is not shown again, or with the refused form.
   * @throws AppError as `answerForm`
   */
  reveal<T>(
    form: Sent<Visit>,
    make: () => Promise<T>,
    show: (shown: Shown<T>) => Promise<string> | string,
  ): Promise<string | PageAnswer> {
    const act = async () => {
      let made: T | undefined;
      await this.once(form, async () => {
        made = await make();
        return '/panel/claves';
      });
      return show(made === undefined ? { done: REPEATED } : { made });
    };
    return answerForm(form, act, (refusal) => show({ refusal }));
  }

  /** @returns where `act` led to, now or the first time. @throws AppError `formulario_no_vigente` */
  async once({ by, clave }: Sent<Visit>, act: () => Promise<string>): Promise<string> {
    const values = [by.merchant.id, clave];
    const begin = async () => (await this.database.query({ text: BEGIN, values })).rowCount === 1;
    // It is done: that its form is not ended must not look as if it were not.
    const end = async (destino: string) => {
      await this.database
        .query({ text: END, values: [...values, destino] })
        .catch((error: unknown) => this.logger.warn({ err: error }, 'a form that was done was not ended'));
    };
    // Its row stays where nobody knows whether it was done: it is not done again.
    const refuse = async (error: AppError) => {
      await this.database.query({ text: FORGET, values });
      throw error;
    };
    const begun = await beginOnce(clave, { begin, end, refuse }, act);
    return begun ? begun.running : this.firstDestino(values);
  }

  private async firstDestino(values: unknown[]): Promise<string> {
    for (const until = performance.now() + WAIT_MS; performance.now() < until; await sleep(LOOK_MS)) {
      const { rows } = await this.database.query<PanelFormulario>({ text: FIND, values });
      if (!rows[0]) break;
      if (rows[0].destino !== null) return rows[0].destino;
    }
    throw new AppError('formulario_no_vigente', {
      detail: 'Ese formulario ya se envió. Vea en la lista si quedó hecho antes de repetirlo.',
    });
  }
}

/**
 * Does what a form asks for; where it is refused, answers with the form again, status 422, or 409 where it
 * is as it should be and has no room.
 * @param again renders the page with the form.
 * @throws AppError what `act` throws that has a page of its own
 */
export async function answerForm<T>(
  { by: visit, fields }: Sent<Visit>,
  act: () => Promise<T>,
  again: (refusal: Refusal) => Promise<string> | string,
): Promise<T | PageAnswer> {
  try {
    return await act();
  } catch (error) {
    // `formulario_no_vigente` must not show the same form again.
    const isShown =
      error instanceof AppError &&
      SHOWN_IN_FORM.includes(error.status) &&
      error.codigo !== 'formulario_no_vigente';
    if (!isShown) throw error;
    const faults = faultsOf(error.errores ?? [], fields, visit.merchant.country);
    const notice = faults.length === 0 ? detailOf(error) : '';
    const status = error.codigo === 'limite_de_archivos' ? error.status : 422;
    return pageAnswer(await again({ fields, faults, notice }), status);
  }
}
