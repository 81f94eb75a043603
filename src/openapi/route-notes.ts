import { ApiExtension } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ERRORS, type ErrorCode } from '../errors/error-codes.js';
import { operationsOf, type Operation } from './operations-of.js';

/** What a route's configuration says that its documentation repeats. */
export interface RouteNotes {
  scope: string;
  /** Bytes. */
  bodyLimit?: number;
  takesCsv?: boolean;
}

/** Kept in an extension until the document is built; never published. */
const EXTENSION = 'x-route-notes';

/** Bytes; the limit of routes without their own. */
const BODY_LIMIT = 32 * 1024;

/** Leaves what `addRouteNotes` writes into the route's documentation. */
export const ApiRouteNotes = ({ scope, bodyLimit, takesCsv }: RouteNotes): MethodDecorator =>
  ApiExtension(EXTENSION, { scope, bodyLimit, takesCsv });

/** Says of each operation which scope it needs, and of its 403, 413 and 415 what this route answers. */
export function addRouteNotes(document: OpenAPIObject): OpenAPIObject {
  for (const operation of operationsOf(document) as (Operation & { [EXTENSION]?: RouteNotes })[]) {
    const notes = operation[EXTENSION];
    if (!notes) continue;
    delete operation[EXTENSION];
    const { scope, bodyLimit = BODY_LIMIT, takesCsv } = notes;
    const limit = bodyLimit < 1024 ** 2 ? `${bodyLimit / 1024} KiB` : `${bodyLimit / 1024 ** 2} MiB`;
    operation.description = `${operation.description}\n\nAlcance: \`${scope}\`.`;
    rewrite(operation, 'sin_permiso', {
      when: `La clave es válida, pero no tiene el alcance \`${scope}\`.`,
      detail: `La clave es válida, pero esta operación requiere el alcance \`${scope}\`. Pida una clave que lo tenga.`,
    });
    rewrite(operation, 'cuerpo_demasiado_grande', {
      when: `El cuerpo pasa de ${limit}.`,
      detail: `El cuerpo puede tener hasta ${limit}. ${bodyLimit > BODY_LIMIT ? 'Divida el lote y envíe cada parte en su propia solicitud.' : 'Acorte los textos y quite lo que sobre.'}`,
    });
    const types = takesCsv ? '`application/json` ni como `text/csv`' : '`application/json`';
    rewrite(operation, 'tipo_no_soportado', {
      when: `El cuerpo no se envió como ${types}, o vino comprimido.`,
    });
  }
  return document;
}

/** Replaces the texts of an error, where the operation has it. */
function rewrite(
  operation: Operation,
  codigo: ErrorCode,
  { when, detail }: { when: string; detail?: string },
) {
  const response = operation.responses[ERRORS[codigo].status];
  if (!response || '$ref' in response) return;
  const example = response.content?.['application/problem+json']?.examples?.[codigo];
  if (!example || '$ref' in example) return;
  response.description = response.description.replace(ERRORS[codigo].when, when);
  example.summary = withoutMarkup(when);
  if (detail !== undefined) example.value = { ...(example.value as object), detail };
}

/** Swagger UI shows summaries of examples in a list, where backticks stay as they are. */
export const withoutMarkup = (text: string): string => text.replaceAll('`', '');
