import type { OpenAPIObject } from '@nestjs/swagger';
import { ERRORS } from '../errors/error-codes.js';
import { exampleOf } from './api-errors.decorator.js';
import type { Operation } from './operations-of.js';
import { EXTENSION, type RouteNotes } from './route-notes.js';

const CODE = 'comercio_cerrado';

/** Documents the refusal of a closed merchant's key at each route that writes, whatever it writes. Call it before `addRouteNotes`. */
export function addClosedMerchants(document: OpenAPIObject): OpenAPIObject {
  for (const { get: _, ...path } of Object.values(document.paths))
    for (const operation of [path.post, path.put, path.patch, path.delete]) {
      const { scope } = (operation as { [EXTENSION]?: RouteNotes } | undefined)?.[EXTENSION] ?? {};
      if (operation && scope !== undefined && !scope.startsWith('operaciones') && !scope.endsWith(':leer'))
        addTo(operation);
    }
  return document;
}

function addTo({ responses }: Operation): void {
  const { status, when } = ERRORS[CODE];
  const response = responses[status];
  const content = response && 'content' in response && response.content?.['application/problem+json'];
  if (!content) throw new Error('a route with a scope documents no 403');
  // The decorators' own object, where the document is made a second time.
  if (content.examples?.[CODE]) return;
  const { allOf } = content.schema as { allOf: { properties?: { codigo: { enum: string[] } } }[] };
  allOf.at(-1)!.properties!.codigo.enum.push(CODE);
  content.examples = { ...content.examples, [CODE]: exampleOf(CODE) };
  response.description += `\n\n\`${CODE}\`: ${when}`;
}
