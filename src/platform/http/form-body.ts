import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { BODY_LIMIT } from '../config/body-limit.js';
import { AppError } from '../errors/app-error.js';

/**
 * Parses `application/x-www-form-urlencoded`, on the few routes that take it, into an object of strings without a
 * prototype. Invalid UTF-8 is refused, and a repeated field unless it is
 * the route's list.
 */
export function registerFormBody(fastify: FastifyInstance): void {
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    (request, body: Buffer, done) => {
      const { takesForm, formList } = request.routeOptions.config;
      if (!takesForm) return done(body.length === 0 ? null : new AppError('tipo_no_soportado'));
      try {
        done(null, parseForm(body, formList));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

/**
 * @param list the field that may be repeated: its values are joined by commas.
 * @throws AppError `json_invalido` or `validacion`
 */
export function parseForm(body: Buffer, list?: string): Record<string, string> {
  const fields = Object.create(null) as Record<string, string>;
  if (!isUtf8(body)) throw unreadable();
  for (const pair of body.toString().split('&')) {
    if (pair === '') continue;
    const [name, ...value] = pair.split('=');
    const key = decode(name!);
    if (key === list && key in fields) {
      fields[key] += `,${decode(value.join('='))}`;
      continue;
    }
    if (key in fields)
      throw AppError.validation([
        { campo: key.slice(0, 100), codigo: 'tipo', mensaje: 'Envíelo una sola vez.' },
      ]);
    fields[key] = decode(value.join('='));
  }
  return fields;
}

/** Refuses invalid UTF-8, which `URLSearchParams` would replace. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause?: unknown): AppError {
  return new AppError('json_invalido', { detail: 'El cuerpo no es un formulario válido en UTF-8.', cause });
}
