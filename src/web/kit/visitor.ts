import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Whom the guard of pages let in: somebody of staff, or of a merchant. */
export const visitorOf = ({ adminUser, visit }: FastifyRequest) => adminUser ?? visit;

/** A page's visitor; undefined only where it needs no session. */
export const CurrentVisitor = createParamDecorator((_: unknown, context: ExecutionContext) =>
  visitorOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
