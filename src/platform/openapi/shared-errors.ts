import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf, type Operation } from './operations-of.js';

type Response = Exclude<NonNullable<Operation['responses'][string]>, { $ref: string }>;

const FIRST_ERROR = '400';

/** Documents each error once, in `components.responses`: in each operation it would be most of the document. */
export function shareErrors(document: OpenAPIObject): OpenAPIObject {
  const shared: Record<string, Response> = {};
  for (const { responses } of operationsOf(document)) {
    for (const [status, response] of Object.entries(responses)) {
      if (status < FIRST_ERROR || !response || '$ref' in response) continue;
      const name = nameOf(status, response);
      const known = (shared[name] ??= response);
      if (JSON.stringify(known) !== JSON.stringify(response))
        throw new Error(`two different errors would be documented as ${name}`);
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  document.components = { ...document.components, responses: shared };
  return document;
}

/** The status and the codes, and what its description says of the route: a scope, a media type, a limit. */
function nameOf(status: string, { description, content }: Response): string {
  const codes = Object.keys(content?.['application/problem+json']?.examples ?? {});
  const details =
    description.match(/(?<=alcance `)[\w:]{1,40}|(?<=`)\w{1,20}\/[\w+-]{1,40}(?=`)|\d{1,4} [KM]iB/g) ?? [];
  return `Error${[status, ...codes, ...details].join('_').replace(/\W+/g, '_')}`;
}
