import type { OpenAPIObject } from '@nestjs/swagger';
import { REQUEST_ID_EXAMPLE } from './answer-fields.js';
import { operationsOf, type Operation } from './operations-of.js';

type Response = Exclude<NonNullable<Operation['responses'][string]>, { $ref: string }>;
type Headers = NonNullable<Response['headers']>;

/** Headers that responses of every operation may have. */
const COMMON: Headers = {
  'X-Request-Id': {
    description: 'Identificador de la solicitud: déselo a soporte.',
    required: true,
    schema: { type: 'string' },
    example: REQUEST_ID_EXAMPLE,
  },
  'RateLimit-Policy': {
    description: 'El límite de la clave: `q` solicitudes en `w` segundos.',
    schema: { type: 'string' },
    example: '"clave";q=600;w=60',
  },
  RateLimit: {
    description: 'Lo que queda del límite: `r` solicitudes, y está completo otra vez en `t` segundos.',
    schema: { type: 'string' },
    example: '"clave";r=599;t=60',
  },
  'Guias-Modo': {
    description: '`prueba`: la clave es de prueba y nada es real. Falta con una clave real.',
    schema: { type: 'string', enum: ['prueba'] },
  },
};

export function addCommonHeaders(document: OpenAPIObject): OpenAPIObject {
  const references: Headers = Object.fromEntries(
    Object.keys(COMMON).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  for (const { responses } of operationsOf(document)) {
    for (const response of Object.values(responses)) {
      if (response && !('$ref' in response)) response.headers = { ...references, ...response.headers };
    }
  }
  document.components = { ...document.components, headers: COMMON };
  return document;
}
