import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';
import type { StaffUser } from './admin-access.js';

/** Who of support is signed in. @throws AppError `no_encontrado` where there are no board users, and so no console. */
export const CurrentStaff = createParamDecorator((_: unknown, context: ExecutionContext): StaffUser => {
  const { adminUser } = context.switchToHttp().getRequest<FastifyRequest>();
  if (adminUser === undefined) throw new AppError('no_encontrado');
  return adminUser;
});

/** The texts of a form's fields. */
export type Form = Partial<Record<string, string>>;

/** What a form sent; empty for any other body. */
export const SentForm = createParamDecorator((_: unknown, context: ExecutionContext): Form =>
  textsOf(context.switchToHttp().getRequest<FastifyRequest>().body),
);

/** The query's texts; of one that is repeated the first. */
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
