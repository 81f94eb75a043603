import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { linkTo } from './guides.js';
import { addCommonHeaders } from './answer-headers.js';
import { addClosedMerchants } from './closed-merchants.js';
import { addBodyTypes, addRouteNotes } from './route-notes.js';
import { operationsOf } from './operations-of.js';
import { shareErrors } from './shared-errors.js';

const DESCRIPTION = `API de guías de envío: crear guías, confirmar la dirección del destinatario y seguirlas.

**Para probar aquí mismo:** pulse *Autorizar*, pegue su clave y ejecute *Crear una guía* tal como está. Donde se pide \`id\`, pegue el número de \`guia\` que recibió. Al iniciar sin base de datos propia, el servicio imprime una clave de demostración y una de prueba.

${linkTo('integrar')}.

- Todo es JSON en UTF-8; los campos desconocidos se rechazan, para que un \`external_ref\` mal escrito no duplique un envío.
- Los errores son \`application/problem+json\` (RFC 9457): \`codigo\` para programas, \`detail\` y \`errores\` para personas.
- Sin coordenadas de destino, el destinatario recibe un mensaje y confirma con un pin; \`direccion_confirmada\` pasa entonces a true. En modo sandbox los teléfonos terminados en 0001, 0002 y 0003 muestran cada desenlace sin un teléfono real.
- Con una clave de prueba (\`gk_test_…\`) puede probar todo sin que nada sea real: vea *Pruebas*. Sus respuestas llevan \`Guias-Modo: prueba\`.
- Cada respuesta lleva \`X-Request-Id\`: consérvelo y déselo a soporte.`;

const WEBHOOKS_DESCRIPTION = `Avisos firmados al sistema del comercio cuando algo le pasa a una guía, según [Standard Webhooks](https://www.standardwebhooks.com): verifíquelos con su biblioteca y el \`secreto\`.

Responda 2xx en menos de 15 segundos, y procese después. Lo demás, también una redirección, es una falla: se intenta otra vez tras 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h y 24 h (\`Retry-After\` puede alargarlo); 410 desactiva el webhook, y cinco días sin un solo acierto también. Un aviso puede llegar más de una vez y en cualquier orden: \`webhook-id\` reconoce la repetición, y \`data.secuencia\` da el orden entre los de una guía.`;

/** The document's `webhooks`, which belong to no controller, and the classes that their schemas refer to. */
export interface DocumentedWebhooks {
  models: (new () => object)[];
  entries: () => NonNullable<OpenAPIObject['webhooks']>;
}

/**
 * The OpenAPI document, from controllers and DTOs alone.
 * @param version 3.0 for tools that know no 3.1: the package then writes `nullable`, and the webhooks are an extension.
 */
export function createOpenApiDocument(
  app: NestFastifyApplication,
  webhooks: DocumentedWebhooks,
  version: '3.1.0' | '3.0.3' = '3.1.0',
): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion(version)
    .setTitle('Guías')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'Este servidor')
    .addTag('Guías', `Crear, listar, ver, corregir y cancelar guías de envío. ${linkTo('api')}.`)
    .addTag(
      'Cobros',
      `Qué se cobró al entregar y qué se liquidó; también como archivo CSV. ${linkTo('dia-del-comercio')}.`,
    )
    .addTag('Webhooks', `${WEBHOOKS_DESCRIPTION}\n\n${linkTo('webhooks')}.`)
    .addTag(
      'Pruebas',
      'Con una clave de prueba (`gk_test_…`) nada es real: las guías no se recogen, los mensajes no salen y nada de ello se ve con una clave real. Estas rutas, solo para claves de prueba, hacen lo que harían el destinatario y la mensajería. Toda respuesta a una clave de prueba lleva `Guias-Modo: prueba`.',
    )
    .addTag(
      'Operaciones',
      `Para despachadores y sistemas de mensajería: mover guías de cualquier comercio. Piden una clave de operador. ${linkTo('dia-del-mensajero')}.`,
    )
    .addTag(
      'Pilotos',
      `Quienes reparten las guías. Son de la instalación: todos los operadores los usan. ${linkTo('dia-del-mensajero')}.`,
    )
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      // In place of the default, JWT.
      bearerFormat: 'gk_…',
      description: 'Clave de comercio (`gk_live_…`), de prueba (`gk_test_…`) o de operador.',
    })
    .build();
  const created = SwaggerModule.createDocument(app, config, {
    extraModels: webhooks.models,
    autoTagControllers: false,
  });
  const document = shareErrors(
    addCommonHeaders(addRouteNotes(addClosedMerchants(addBodyTypes(unwrapParameters(closeBodies(created)))))),
  );
  if (version === '3.1.0') return { ...document, webhooks: webhooks.entries() };
  const document30 = Object.assign(document, { 'x-webhooks': webhooks.entries() });
  return [plainBoolean, plainSchema, withoutNullableReference].reduce(inPlace, withOneSuccess(document30));
}

type Schema = {
  allOf?: Schema[];
  oneOf?: Schema[];
  nullable?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  $ref?: string;
  [other: string]: unknown;
} | null;

/** Replaces values of the document. A schema that `replace` looked up and that nothing names any more is left out. */
function inPlace(
  document: OpenAPIObject,
  replace: (key: string, value: Schema, schemaOf: (reference?: Schema) => Schema) => unknown,
): OpenAPIObject {
  const schemas = document.components?.schemas ?? {};
  const lookedUp = new Set<string>();
  const schemaOf = (reference?: Schema): Schema => {
    const name = reference?.$ref?.split('/').at(-1) ?? '';
    lookedUp.add(name);
    return (schemas[name] ?? null) as Schema;
  };
  const text = JSON.stringify(document);
  const replaced = JSON.parse(text, (key, value: Schema) => replace(key, value, schemaOf)) as OpenAPIObject;
  const named = JSON.stringify(replaced);
  for (const name of lookedUp)
    if (!named.includes(`"#/components/schemas/${name}"`)) delete replaced.components?.schemas?.[name];
  return replaced;
}

/** Generators of OpenAPI 3.0 read each success as the first one: 200 and 201 have one schema. */
function withOneSuccess(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const { responses } of operationsOf(document) as { responses: Record<string, Schema> }[]) {
    const [made, repeated] = ['201', '200'].map((status) => {
      const content = responses[status]?.content as Record<string, { schema: { $ref: string } }> | undefined;
      return content?.['application/json'];
    });
    const [name, other] = [made, repeated].map((answer) => answer?.schema.$ref?.split('/').at(-1));
    if (!made || !repeated || !name || !other || name === other) continue;
    schemas[name] = alternatives([schemas[name]!, schemas[other]!]);
    repeated.schema = made.schema;
    delete schemas[other];
  }
  return document;
}

/** The generator for Python writes a boolean of one value as it finds it in JSON, which is no Python. */
const plainBoolean = (_key: string, value: Schema): unknown =>
  value?.type === 'boolean' ? { ...value, enum: undefined } : value;

/**
 * Generators of OpenAPI 3.0 name no type for a schema made of others in an answer: an error is the common schema alone, and
 * alternatives are one object.
 */
function plainSchema(key: string, value: Schema, schemaOf: (reference?: Schema) => Schema): unknown {
  if (key === 'application/problem+json')
    return { ...value, schema: (value?.schema as Schema)?.allOf?.[0] ?? value?.schema };
  if (!value?.oneOf) return value;
  const { oneOf, ...others } = value;
  return { ...others, ...alternatives(oneOf.map(schemaOf)) };
}

/** An object with the fields of each schema, of which those are required that all have. */
function alternatives(schemas: Schema[]): Schema {
  const properties: Record<string, Schema> = {};
  for (const schema of schemas)
    for (const [name, property] of Object.entries(schema?.properties ?? {})) {
      const { enum: _values, description: _text, example: _example, ...common } = property ?? {};
      const isSame = JSON.stringify(properties[name] ?? property) === JSON.stringify(property);
      properties[name] = isSame ? property : common;
    }
  const [first = [], ...others] = schemas.map((schema) => schema?.required ?? []);
  const required = first.filter((name) => others.every((names) => names.includes(name)));
  return { type: 'object', required, properties };
}

/**
 * In OpenAPI 3.0, a field that is null or a value of an enumeration needs null among the values, on which generators stop:
 * it is documented as a text that may be null. One that is null or an object has the object's fields in place.
 */
function withoutNullableReference(
  _key: string,
  value: Schema,
  schemaOf: (reference?: Schema) => Schema,
): unknown {
  if (!value?.nullable || !value.allOf) return value;
  const { allOf, ...others } = value;
  const schema = schemaOf(allOf[0]);
  return schema?.properties ? { ...schema, ...others } : { ...others, type: 'string' };
}

/** Uses a parameter's schema directly; the package wraps it in an `allOf` with one element. */
function unwrapParameters(document: OpenAPIObject): OpenAPIObject {
  for (const parameter of operationsOf(document).flatMap(({ parameters = [] }) => parameters)) {
    if ('$ref' in parameter || !parameter.schema || '$ref' in parameter.schema) continue;
    const [only, ...others] = parameter.schema.allOf ?? [];
    if (only && others.length === 0) parameter.schema = only;
  }
  return document;
}

/** Marks every schema of a request body as closed: unknown fields are refused. */
function closeBodies(document: OpenAPIObject): OpenAPIObject {
  const schemas = document.components?.schemas ?? {};
  const close = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = schemas[name!];
      if (!schema || '$ref' in schema || schema.type !== 'object' || schema.additionalProperties === false)
        continue;
      schema.additionalProperties = false;
      close(schema.properties);
    }
  };
  for (const { requestBody } of operationsOf(document)) close(requestBody);
  return document;
}
