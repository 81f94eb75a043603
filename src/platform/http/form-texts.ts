import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The texts of a form's fields. */
export type Form = Partial<Record<string, string>>;

/** The texts of a parsed body; none of any other body. */
export function textsOf(sent: unknown): Form {
  if (typeof sent !== 'object' || sent === null) return {};
  const texts = Object.entries(sent).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts) as Form;
}

/** The number of a page in an address, from 1. */
export const pageIn = ({ pagina = '' }: Form): number => (/^[1-9]\d{0,3}$/.test(pagina) ? Number(pagina) : 1);

/** The values of a field that a form repeats (`formList`), each once. */
export const valuesIn = (text = ''): string[] => (text === '' ? [] : [...new Set(text.split(','))]);

/** The query's texts; the first of a repeated one. */
export const QueryTexts = createParamDecorator((_: unknown, context: ExecutionContext): Form => {
  const { query } = context.switchToHttp().getRequest<FastifyRequest>();
  const entries = Object.entries(query as Record<string, unknown>);
  return textsOf(
    Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value[0] : value])),
  );
});
