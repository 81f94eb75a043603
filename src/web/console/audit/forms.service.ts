import { Injectable } from '@nestjs/common';
import { AppError, type FieldError } from '../../../errors/app-error.js';
import type { TypedForm } from '../../kit/field.js';
import type { DtoClass, InputContext } from '../../../validation/dto-fields.js';
import { readInput } from '../../../validation/read-input.js';
import type { Sent } from '../current-staff.js';
import type { Accion } from './acciones.js';
import type { Subject } from './audit.queries.js';
import { AuditService, type Failed, type Outcome } from './audit.service.js';

/** How a form ended. */
export interface Done<T> {
  outcome: Outcome | undefined;
  /** Only where this request made it. */
  made: T | undefined;
  /** The form again, where it was not done. */
  typed: TypedForm | undefined;
}

/** Does what the forms of the console ask for: audited, and once for each form. */
@Injectable()
export class FormsService {
  constructor(private readonly audit: AuditService) {}

  /** @param act returns what it made and the answer to the user. */
  async record<T>(
    form: Sent,
    accion: Accion,
    subject: Subject,
    act: () => Promise<[made: T, said: string | Failed]>,
  ): Promise<Done<T>> {
    let made: T | undefined;
    let faults: readonly FieldError[] = [];
    const id = await this.audit.record({ ...form, accion, ...subject }, async () => {
      try {
        const [value, said] = await act();
        made = value;
        return said;
      } catch (error) {
        if (error instanceof AppError) faults = error.errores ?? [];
        throw error;
      }
    });
    const outcome = await this.audit.outcomeOf(id, form.user);
    const typed = outcome?.resultado === 'hecho' ? undefined : { fields: form.fields, faults };
    return { outcome, made, typed };
  }
}

/** A form's fields as a class. @throws AppError `validacion` */
export function readForm<T extends object>(
  type: DtoClass<T>,
  { fields }: Pick<Sent, 'fields'>,
  context: InputContext,
): T {
  const { clave: _, ...own } = fields;
  return readInput(type, own, context);
}
