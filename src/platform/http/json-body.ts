import { isUtf8 } from 'node:buffer';
import type { FastifyBodyParser, FastifyInstance } from 'fastify';
import { MERGE_PATCH } from '../config/body-limit.js';
import { AppError } from '../errors/app-error.js';
import { findJsonFault, placeOf } from './json-fault.js';
import { excessOf, type JsonLimits } from './json-shape.js';

/** The parsed form of a body of no bytes. */
export const EMPTY_BODY = Symbol('empty JSON body');

/** A batch has three levels, and no object more than some thirty fields. */
const LIMITS: JsonLimits = { levels: 8, names: 200 };

/** Parses JSON in UTF-8 alone. Fastify would replace invalid bytes, and two references could become one. */
export function registerJsonBody(fastify: FastifyInstance): void {
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  const parse: FastifyBodyParser<Buffer> = (request, body, done) => {
    if (request.routeOptions.config.takesRawJson) return done(null, body);
    // Some clients send a JSON content type without a body; the route decides whether it needs one.
    if (body.length === 0) return done(null, EMPTY_BODY);
    const excess = excessOf(body, LIMITS);
    if (excess) return done(tooLarge(excess));
    const text = body.toString();
    if (!isUtf8(body)) return done(notJson(body, text));
    void parseJson(request, text, (error, parsed: unknown) =>
      error ? done(notJson(body, text, error)) : done(null, parsed),
    );
  };
  fastify.removeContentTypeParser(['application/json', 'text/plain']);
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse);
  fastify.addContentTypeParser(MERGE_PATCH, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (request.method === 'PATCH') parse(request, body, done);
    else done(body.length === 0 ? null : new AppError('tipo_no_soportado'));
  });
}

function tooLarge(excess: keyof JsonLimits): AppError {
  if (excess === 'levels')
    return new AppError('json_invalido', { detail: `El JSON puede tener hasta ${LIMITS.levels} niveles.` });
  const mensaje = `Un objeto puede tener hasta ${LIMITS.names} campos, y ninguno necesita tantos.`;
  return AppError.validation([{ campo: 'cuerpo', codigo: 'fuera_de_rango', mensaje }]);
}

function notJson(body: Buffer, text: string, cause?: Error): AppError {
  return new AppError('json_invalido', { detail: faultOf(body, text), cause });
}

function faultOf(body: Buffer, text: string): string {
  if (isUtf16(body)) return 'El cuerpo parece estar en UTF-16. Envíelo en UTF-8.';
  // The decoder replaced what is not UTF-8.
  if (!isUtf8(body))
    return `El cuerpo no está en UTF-8: hay un byte inválido en la ${placeOf(text.indexOf('\ufffd'), text)}. Envíelo en UTF-8.`;
  // The parser ignores a byte order mark.
  const source = text.replace(/^\ufeff/, '');
  const at = findJsonFault(source);
  if (at === undefined) return 'El JSON tiene un campo `__proto__` o `constructor`, que no se acepta.';
  const place = placeOf(at, source);
  return at === source.length
    ? `El JSON se corta en la ${place}: falta el final. Revise comillas, llaves y corchetes.`
    : `El cuerpo no es JSON válido en la ${place}. Revise ahí, y justo antes, comillas, comas y signos.`;
}

/** Every text of ASCII letters has zeros in UTF-16; other texts begin with a byte order mark. */
function isUtf16([first, second]: Buffer): boolean {
  return first === 0 || second === 0 || (first! >= 0xfe && second! >= 0xfe);
}
