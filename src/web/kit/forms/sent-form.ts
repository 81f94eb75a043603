import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { textsOf, type Form } from '../../../platform/http/form-texts.js';
import { visitorOf } from '../page-routes.js';

export interface Sent<Visitor> {
  /** Who sent it. */
  by: Visitor;
  /** Its key: a form that is sent twice acts once. */
  clave: string | undefined;
  /** The others; none of any other body. */
  fields: Form;
}

/** The posted form and its visitor, who is missing only where the page needs no session. */
export const SentForm = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { clave, ...fields } = textsOf(request.body);
  return { by: visitorOf(request), clave, fields };
});
