import {
  StreamableFile,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { LosslessNumber, stringify } from 'lossless-json';
import { tap } from 'rxjs';

/** An amount with the digits that PostgreSQL sent; a number in JSON. */
export type Monto = LosslessNumber;

export function toMonto(digits: string): Monto;
export function toMonto(digits: string | null): Monto | null;
export function toMonto(digits: string | null): Monto | null {
  return digits === null ? null : new LosslessNumber(digits);
}

/** More than is ever settled, adjusted or handed over at once. */
export const MAX_MONTO = 100_000_000_000;

/** The exact sum of amounts with two decimals. */
export function sumOf(...amounts: string[]): string {
  const cents = amounts.reduce((sum, amount) => sum + BigInt(amount.replace('.', '')), 0n);
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Writes an answer's amounts with their exact digits. */
export class ExactAmounts implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      tap((answer) => {
        if (answer instanceof StreamableFile) return;
        void reply.serializer((body) => stringify(body)!).type('application/json; charset=utf-8');
      }),
    );
  }
}
