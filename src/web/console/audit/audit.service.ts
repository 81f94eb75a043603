import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { Database } from '../../../platform/database/database.js';
import { isUuid } from '../../../platform/database/row-id.js';
import { AppError, type FieldError } from '../../../platform/errors/app-error.js';
import { InjectLogger } from '../../../platform/logging/logging.module.js';
import type { TypedForm } from '../../kit/field.js';
import { beginOnce, settle } from '../../kit/forms/once.js';
import { TimeoutError, withTimeout } from '../../../platform/timeouts/with-timeout.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { interruptedNota, REPEATABLE, type Accion, type Resultado } from './acciones.js';
import {
  actionsOnGuia,
  beginAction,
  findOutcome,
  listActions,
  resumeAction,
  type AuditRow,
  type Subject,
} from './audit.queries.js';
import { ProcessesService } from './processes.service.js';

const PAGE = 60;
const ON_GUIA = 20;

/** Characters of a note; the limit of the column. */
const MAX_NOTA = 500;

/** ms that a user waits for an action; a longer one goes on in the background, and the log says how it ends. */
const WAIT_MS = 3_000;

export interface Outcome {
  resultado: Resultado;
  nota: string | null;
  /** Of the fields of its form, where it was refused for them. */
  faults?: readonly FieldError[];
}

export interface Failed {
  failed: string;
}

export interface Done<T> {
  /** Of its row, for `outcomeOf`. */
  id: string;
  outcome: Outcome | undefined;
  /** Only where this request made it. */
  made: T | undefined;
  /** The form again, where it was not done. */
  typed: TypedForm | undefined;
}

@Injectable()
export class AuditService {
  constructor(
    private readonly database: Database,
    private readonly processes: ProcessesService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Does an action once. Writes its row before it, so that no action is done without one, and its result after it. A
   * refusal (`AppError` of the 400s) is a result too.
   * @param act returns the answer to the user, also where the action did not succeed. A second call with the same `clave` does
   *   not act, but where the process of the first one died and the action is one of `REPEATABLE`.
   * @returns the row's id, for `outcomeOf`.
   */
  async record(
    { by, clave }: Pick<Sent<StaffUser>, 'by' | 'clave'>,
    accion: Accion,
    subject: Subject,
    act: () => Promise<string | Failed>,
  ): Promise<string> {
    let id = '';
    const begin = async (given: string) => {
      const row = await this.begin(by, accion, subject, given);
      id = row.id;
      return row.isNew || (REPEATABLE.includes(accion) && (await this.resumes(id)));
    };
    const end = (said: string | Failed) =>
      typeof said === 'string' ? this.end(id, 'hecho', said) : this.end(id, 'fallo', said.failed);
    const refuse = async (error: AppError) => {
      await this.end(id, 'rechazado', textOf(error));
      return '';
    };
    const fail = () => this.end(id, 'fallo', null);
    const begun = await beginOnce(clave, { begin, end, refuse, fail }, act);
    try {
      if (begun) await withTimeout(WAIT_MS, begun.running);
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      begun!.running.catch((late: unknown) =>
        this.logger.error({ err: late, accion, auditoria: id }, 'action failed'),
      );
    }
    return id;
  }

  /** As `record`, for the page that shows how it ended. @param act returns the answer to the user, after what it made. */
  async perform<T = undefined>(
    form: Sent<StaffUser>,
    accion: Accion,
    subject: Subject,
    act: () => Promise<string | Failed | [made: T, said: string | Failed]>,
  ): Promise<Done<T>> {
    let made: T | undefined;
    let faults: readonly FieldError[] = [];
    const id = await this.record(form, accion, subject, async () => {
      try {
        const answer = await act();
        if (!Array.isArray(answer)) return answer;
        made = answer[0];
        return answer[1];
      } catch (error) {
        if (error instanceof AppError) faults = error.errores ?? [];
        throw error;
      }
    });
    const found = await this.outcomeOf(id, form.by);
    const outcome = found && faults.length > 0 ? { ...found, faults } : found;
    const typed = outcome?.resultado === 'hecho' ? undefined : { fields: form.fields, faults };
    return { id, outcome, made, typed };
  }

  /** Does an action that is logged, and whose answer is not a text. Its failure is its result. */
  async during<T>(
    user: StaffUser,
    accion: Accion,
    subject: Subject,
    act: () => Promise<[done: T, nota: string | null]>,
  ): Promise<T> {
    const { id } = await this.begin(user, accion, subject);
    const end = ([, nota]: [T, string | null]) => this.end(id, 'hecho', nota);
    const refuse = async (error: AppError) => {
      await this.end(id, 'rechazado', textOf(error)).catch(() => undefined);
      throw error;
    };
    const [done] = await settle({ end, refuse, fail: () => this.end(id, 'fallo', null) }, act);
    return done;
  }

  private async resumes(id: string): Promise<boolean> {
    return (await this.database.query(resumeAction(id, this.processes.id))).rows.length > 0;
  }

  /** Writes the row of an action before it is done. @throws AppError `formulario_no_vigente` if the `clave` is another action's. */
  async begin(
    { name }: StaffUser,
    accion: Accion,
    subject: Subject,
    clave: string = v7(),
  ): Promise<{ id: string; isNew: boolean }> {
    const { rows } = await this.database.query<{ id: string; es_nueva: boolean }>(
      beginAction(v7(), clave, name, accion, subject, this.processes.id),
    );
    if (!rows[0])
      throw new AppError('formulario_no_vigente', {
        detail: 'Ese formulario ya se usó. Vuelva a la página y repita la acción desde ahí.',
      });
    return { id: rows[0].id, isNew: rows[0].es_nueva };
  }

  async end(id: string, resultado: Resultado, nota: string | null): Promise<void> {
    // It may quote what was typed, also a NUL, which no text of the database may have.
    await this.processes.end(id, resultado, nota?.replaceAll('\0', '').slice(0, MAX_NOTA) ?? null);
  }

  /** The outcome of a user's own action; undefined for any other id. */
  async outcomeOf(id: string | undefined, { name }: StaffUser): Promise<Outcome | undefined> {
    if (id === undefined || !isUuid(id)) return undefined;
    const { rows } = await this.database.query<Outcome & { accion: Accion }>(findOutcome(id, name));
    if (!rows[0]) return undefined;
    const { accion, resultado, nota } = rows[0];
    return { resultado, nota: resultado === 'interrumpida' ? interruptedNota(accion) : nota };
  }

  /** Newest first. @param before the id of an action: lists earlier ones. */
  async list(before?: string): Promise<{ actions: AuditRow[]; next: string | undefined }> {
    const rows = await this.database.staff.rows<AuditRow>(
      listActions(before !== undefined && isUuid(before) ? before : undefined, PAGE + 1),
    );
    const actions = rows.slice(0, PAGE);
    return { actions, next: rows.length > PAGE ? actions.at(-1)!.id : undefined };
  }

  /** The last 20 actions on a guide, newest first. */
  async ofGuia(guia: string): Promise<AuditRow[]> {
    const rows = await this.database.staff.rows<AuditRow>(actionsOnGuia(guia, ON_GUIA));
    return rows;
  }
}

/** With the faults of single fields, which say more than the error itself; without the marks of code. */
function textOf({ detail, errores }: AppError): string {
  const faults = (errores ?? []).map(({ mensaje }) => mensaje);
  return (faults.length > 0 ? faults.join(' ') : detail).replaceAll('`', '');
}
