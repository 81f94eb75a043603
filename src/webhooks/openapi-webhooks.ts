import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import type { DocumentedWebhooks } from '../platform/openapi/openapi-document.js';
import {
  AvisoDeLiquidacionDto,
  AvisoDeOperacionesDto,
  AvisoDePruebaDto,
  AvisoDto,
} from './deliveries/aviso.dto.js';
import {
  AVISO_EXAMPLES,
  OPERATOR_EXAMPLE,
  PAGADA_EXAMPLE,
  PRUEBA_EXAMPLE,
} from './deliveries/aviso.examples.js';
import {
  ACTUALIZADA,
  avisoName,
  GUIA_WEBHOOK_EVENTO_NAMES,
  PAGADA,
  PRUEBA,
  WEBHOOK_EVENTO_NAMES,
} from './endpoints/webhook-evento.js';

/** Classes that no route refers to. */
const MODELS = [AvisoDto, AvisoDeOperacionesDto, AvisoDeLiquidacionDto, AvisoDePruebaDto];

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const HEADERS = [
  header(
    'webhook-id',
    'Identifica el aviso: el mismo en cada intento y reenvío.',
    '01a1fe09-0d14-7104-84ef-54713d38e9d6',
  ),
  header('webhook-timestamp', 'Cuándo salió este intento, en segundos desde 1970.', '1795273445'),
  header(
    'webhook-signature',
    'Una o más firmas separadas por espacios: `v1,` y el HMAC-SHA256 en base64 de `id.timestamp.cuerpo`.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const RESPONSES = {
  '2XX': { description: 'Recibido; no se envía más.' },
  '410': { description: 'No quiere más avisos: el webhook se desactiva.' },
  default: {
    description:
      'Falla, también una redirección: se intenta otra vez, no antes de lo que diga `Retry-After`.',
  },
};

function entry(operationId: string, summary: string, schema: object, example: object) {
  return {
    post: {
      operationId,
      tags: ['Webhooks'],
      // They are signed: no key of the API.
      security: [],
      summary,
      parameters: HEADERS,
      requestBody: { required: true, content: { 'application/json': { schema, example } } },
      responses: RESPONSES,
    },
  };
}

/** `guia.estado_cambiado` → `avisoGuiaEstadoCambiado` */
const operationIdOf = (name: string) =>
  `aviso${name.replace(/(^|[._])(\w)/g, (_match, _separator, letter: string) => letter.toUpperCase())}`;

/** The document's `webhooks`: one entry for each event that merchants' systems receive, and one for operators' events. */
function entries(): NonNullable<OpenAPIObject['webhooks']> {
  const events = GUIA_WEBHOOK_EVENTO_NAMES.map((name) => {
    const ofThisType = { type: 'object', properties: { type: { enum: [name] } } };
    const schema = { allOf: [{ $ref: getSchemaPath(AvisoDto) }, ofThisType] };
    const summary = `Aviso: ${avisoName(name)}`;
    return [name, entry(operationIdOf(name), summary, schema, AVISO_EXAMPLES[name])] as const;
  });
  const payment = entry(
    operationIdOf(PAGADA),
    `Aviso: ${avisoName(PAGADA)}`,
    { $ref: getSchemaPath(AvisoDeLiquidacionDto) },
    PAGADA_EXAMPLE,
  );
  const operators = entry(
    operationIdOf(ACTUALIZADA),
    `Aviso a operadores: ${avisoName(ACTUALIZADA)}, y sus otros eventos`,
    { $ref: getSchemaPath(AvisoDeOperacionesDto) },
    OPERATOR_EXAMPLE,
  );
  const test = entry(
    operationIdOf(PRUEBA),
    'Aviso de prueba, pedido con «probar»',
    { $ref: getSchemaPath(AvisoDePruebaDto) },
    PRUEBA_EXAMPLE,
  );
  const byName = new Map<string, ReturnType<typeof entry>>([...events, [PAGADA, payment]]);
  return Object.fromEntries([
    ...WEBHOOK_EVENTO_NAMES.map((name) => [name, byName.get(name)!] as const),
    [ACTUALIZADA, operators],
    [PRUEBA, test],
  ]);
}

export const DOCUMENTED_WEBHOOKS: DocumentedWebhooks = { models: MODELS, entries };
