import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';
import type { StaffUser } from './admin-access.js';

/** The signed-in user. @throws AppError `no_encontrado` without board users: then there is no console. */
export const CurrentStaff = createParamDecorator((_: unknown, context: ExecutionContext): StaffUser => {
  const { adminUser } = context.switchToHttp().getRequest<FastifyRequest>();
  if (adminUser === undefined) throw new AppError('no_encontrado');
  return adminUser;
});

/** The texts of a form's fields. */
export type Form = Partial<Record<string, string>>;

/** The fields of a posted form; empty for any other body. */
export const SentForm = createParamDecorator((_: unknown, context: ExecutionContext): Form =>
  textsOf(context.switchToHttp().getRequest<FastifyRequest>().body),
);

/** The query's texts; the first of a repeated one. */
export const StaffQuery = createParamDecorator((_: unknown, context: ExecutionContext): Form => {
  const { query } = context.switchToHttp().getRequest<FastifyRequest>();
  const entries = Object.entries(query as Record<string, unknown>);
  return textsOf(
    Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value[0] : value])),
  );
});

function textsOf(sent: unknown): Form {
  if (typeof sent !== 'object' || sent === null) return {};
  const texts = Object.entries(sent).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts);
}
