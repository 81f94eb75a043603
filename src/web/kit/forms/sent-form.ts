import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { textsOf, type Form } from '../../../platform/http/form-texts.js';
import type { DtoClass, InputContext } from '../../../platform/validation/dto-fields.js';
import { readInput } from '../../../platform/validation/read-input.js';
import { visitorOf } from '../page-routes.js';

/** A posted form. */
export interface Sent<Visitor> {
  /** Who sent it. */
  by: Visitor;
  /** Its key: a form that is sent twice acts once. */
  clave: string | undefined;
  /** None of any other body. */
  fields: Form;
}

/** The posted form and its visitor, who is missing only where the page needs no session. */
export const SentForm = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const fields = textsOf(request.body);
  return { by: visitorOf(request), clave: fields.clave, fields };
});

/** A form's fields as a class. @throws AppError `validacion` */
export function readForm<T extends object>(
  type: DtoClass<T>,
  { fields }: Pick<Sent<unknown>, 'fields'>,
  context: InputContext,
): T {
  const { clave: _, ...own } = fields;
  return readInput(type, own, context);
}
