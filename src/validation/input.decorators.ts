import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { CountryCode } from 'libphonenumber-js';
import { AppError } from '../errors/app-error.js';
import { inspect, readInput } from './read-input.js';

/** A request whose sender the guard has recognised. */
interface RequestWithMerchant extends FastifyRequest {
  credential?: { merchant: { country: CountryCode } };
}

/** For routes without query parameters. */
export class NoParameters {}

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<RequestWithMerchant>();
const contextOf = (request: RequestWithMerchant) => ({ country: request.credential?.merchant.country });

/**
 * The body as an instance of a DTO class, valid; any query parameter is refused with it. Used in place of
 * Nest's `@Body()`, whose pipes cannot see the merchant's country that phone numbers are read with.
 */
export const ValidBody = createParamDecorator((type: new () => object, context: ExecutionContext) => {
  const request = requestOf(context);
  const body = inspect(type, request.body, contextOf(request));
  const query = inspect(NoParameters, request.query, contextOf(request));
  const errors = [...body.errors, ...query.errors];
  if (errors.length > 0) throw AppError.validation(errors);
  return body.value;
});

/** The query as an instance of a DTO class, valid. */
export const ValidQuery = createParamDecorator((type: new () => object, context: ExecutionContext) => {
  const request = requestOf(context);
  return readInput(type, request.query, contextOf(request));
});
