import { ApiExtension } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import { BODY_LIMIT, MERGE_PATCH } from '../config/body-limit.js';
import { ERRORS, type ErrorCode } from '../errors/error-codes.js';
import { bodyLimitError, bodyTypeError, scopeError } from '../errors/route-errors.js';
import { operationsOf, type Operation } from './operations-of.js';

/** Parts of a route's configuration that its documentation repeats. */
export interface RouteNotes {
  scope: string;
  /** Bytes. */
  bodyLimit?: number;
  isBatch?: boolean;
}

/** Kept in an extension until the document is built; never published. */
export const EXTENSION = 'x-route-notes';

/** Leaves what `addRouteNotes` writes into the route's documentation. */
export const ApiRouteNotes = ({ scope, bodyLimit, isBatch }: RouteNotes): MethodDecorator =>
  ApiExtension(EXTENSION, { scope, bodyLimit, isBatch });

const CSV_BODY = 'x-csv-body';

type RequestBody = Exclude<NonNullable<Operation['requestBody']>, { $ref: string }>;
type MediaType = RequestBody['content'][string];

/** Documents a body in CSV, beside the one in JSON that `@Body()` documents. */
export const ApiCsvBody = (csv: MediaType): MethodDecorator => ApiExtension(CSV_BODY, csv);

/** Adds the bodies that an operation takes beside JSON: CSV, and the merge patch of each PATCH. */
export function addBodyTypes(document: OpenAPIObject): OpenAPIObject {
  for (const operation of operationsOf(document) as (Operation & { [CSV_BODY]?: MediaType })[]) {
    const { [CSV_BODY]: csv, requestBody } = operation;
    delete operation[CSV_BODY];
    if (csv && requestBody && 'content' in requestBody) requestBody.content['text/csv'] = csv;
  }
  for (const { patch } of Object.values(document.paths))
    if (patch?.requestBody && 'content' in patch.requestBody) {
      const { content } = patch.requestBody;
      content[MERGE_PATCH] = { schema: content['application/json']!.schema! };
    }
  return document;
}

function bodyTypesOf({ requestBody }: Operation): string[] {
  return requestBody && 'content' in requestBody ? Object.keys(requestBody.content) : [];
}

/** Says of each operation which scope it needs, and of its 403, 413 and 415 what this route answers. */
export function addRouteNotes(document: OpenAPIObject): OpenAPIObject {
  for (const operation of operationsOf(document) as (Operation & { [EXTENSION]?: RouteNotes })[]) {
    const notes = operation[EXTENSION];
    if (!notes) continue;
    delete operation[EXTENSION];
    const { scope, bodyLimit = BODY_LIMIT, isBatch } = notes;
    operation.description = `${operation.description}\n\nAlcance: \`${scope}\`.`;
    rewrite(operation, 'sin_permiso', scopeError(scope));
    rewrite(operation, 'cuerpo_demasiado_grande', bodyLimitError(bodyLimit, isBatch));
    rewrite(operation, 'tipo_no_soportado', bodyTypeError(bodyTypesOf(operation)));
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
