import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';
import type { StaffUser } from './admin-access.js';
import type { Submission } from './audit/audit.service.js';

/** The signed-in user. @throws AppError `no_encontrado` without board users: then there is no console. */
export const CurrentStaff = createParamDecorator((_: unknown, context: ExecutionContext): StaffUser =>
  userOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The texts of a form's fields. */
export type Form = Partial<Record<string, string>>;

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

/** The query's texts; the first of a repeated one. */
export const StaffQuery = createParamDecorator((_: unknown, context: ExecutionContext): Form => {
  const { query } = context.switchToHttp().getRequest<FastifyRequest>();
  const entries = Object.entries(query as Record<string, unknown>);
  return textsOf(
    Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value[0] : value])),
  );
});

function userOf({ adminUser }: FastifyRequest): StaffUser {
  if (adminUser === undefined) throw new AppError('no_encontrado');
  return adminUser;
}

function textsOf(sent: unknown): Form {
  if (typeof sent !== 'object' || sent === null) return {};
  const texts = Object.entries(sent).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts);
}
