import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { textsOf, type Form } from '../../http/form-texts.js';
import type { StaffUser } from './admin-access.js';
import type { Submission } from './audit/audit.service.js';

export type { Form } from '../../http/form-texts.js';

/** The signed-in user. */
export const CurrentStaff = createParamDecorator(
  (_: unknown, context: ExecutionContext): StaffUser =>
    context.switchToHttp().getRequest<FastifyRequest>().adminUser!,
);

/** A posted form. */
export interface Sent extends Submission {
  /** None of any other body. */
  fields: Form;
}

/** The posted form and its user. */
export const SentForm = createParamDecorator((_: unknown, context: ExecutionContext): Sent => {
  const { adminUser, body } = context.switchToHttp().getRequest<FastifyRequest>();
  const fields = textsOf(body);
  return { user: adminUser!, clave: fields.clave, fields };
});
