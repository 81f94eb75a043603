import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors/app-error.js';
import { textsOf, type Form } from '../../http/form-texts.js';
import type { StaffUser } from './admin-access.js';
import type { Submission } from './audit/audit.service.js';

export type { Form } from '../../http/form-texts.js';

/** The signed-in user. @throws AppError `no_encontrado` without board users: then there is no console. */
export const CurrentStaff = createParamDecorator((_: unknown, context: ExecutionContext): StaffUser =>
  userOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** A posted form. */
export interface Sent extends Submission {
  /** None of any other body. */
  fields: Form;
}

/** The posted form and its user. @throws AppError as `CurrentStaff` */
export const SentForm = createParamDecorator((_: unknown, context: ExecutionContext): Sent => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const fields = textsOf(request.body);
  return { user: userOf(request), clave: fields.clave, fields };
});

function userOf({ adminUser }: FastifyRequest): StaffUser {
  if (adminUser === undefined) throw new AppError('no_encontrado');
  return adminUser;
}
