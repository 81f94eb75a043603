import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type Json = Record<string, any>;

/** An answer as it left the service. */
export interface SentAnswer {
  method: string;
  /** As Fastify registers it, like `/api/v1/guias/:id`; undefined where no route was found. */
  route: string | undefined;
  url: string;
  status: number;
  headers: Record<string, unknown>;
  /** Undefined for a stream. */
  body: string | Buffer | undefined;
}

/** Headers that mean something to a client of the API; others are about the connection, or the same everywhere. */
const MEANINGFUL_HEADERS =
  /^(guias-.*|ratelimit.*|retry-after|location|etag|www-authenticate|content-disposition|x-request-id|deprecation|sunset|link)$/;

/** Compares answers with an OpenAPI document: status, type, headers and body. */
export class DocumentedAnswers {
  // Others check that the document's schemas are valid; here it would cost each test file a tenth of a second.
  private readonly ajv = new Ajv2020({ strict: false, meta: false, validateSchema: false });
  /** What answers where there is no operation: no such route, or not with this method. */
  private readonly unknownRoute: Json;
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: Json) {
    addFormats.default(this.ajv);
    const { headers } = document.components as Json;
    this.unknownRoute = {
      headers,
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemaDto' } } },
    };
    this.ajv.addSchema(referringTo('#/', closed(document.components)), 'components');
  }

  /** What an answer says or leaves out against the document; nothing for a page that is not part of the API. */
  faultsOf({ method, route, url, status, headers, body }: SentAnswer): string[] {
    const path = route?.replace(/:(\w+)/g, '{$1}') ?? '';
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = this.document.paths[path]?.[verb] as Json | undefined;
    if (!operation && !url.startsWith('/api/v1/')) return [];
    const name = `${method} ${path || url} ${status}`;
    // The route of an id is named, too, where its place is taken by a path that has other methods.
    const isUnknown = status === 405 || (!operation && status === 404);
    const response = (isUnknown ? this.unknownRoute : this.resolve(operation?.responses[status])) as
      Json | undefined;
    if (!response) return [`${name} is not documented: ${url} ${String(body)}`];
    return [
      ...this.headerFaults(response.headers ?? {}, headers),
      ...this.bodyFaults(`${path}/${verb}/${status}`, response, method, headers, body),
    ].map((fault) => `${name}: ${fault}`);
  }

  private headerFaults(documented: Json, sent: Json): string[] {
    const names = new Map(Object.keys(documented).map((name) => [name.toLowerCase(), name]));
    const undocumented = Object.keys(sent).filter(
      (name) => MEANINGFUL_HEADERS.test(name) && !names.has(name),
    );
    const faults = undocumented.map((name) => `header ${name} is not documented`);
    for (const [name, documentedName] of names) {
      const { required, schema } = this.resolve(documented[documentedName]);
      if (sent[name] === undefined) {
        if (required) faults.push(`header ${documentedName} is missing`);
        continue;
      }
      const value: unknown = schema.type === 'integer' ? Number(sent[name]) : sent[name];
      const validate = this.validator(`header ${JSON.stringify(schema)}`, schema);
      if (!validate(value)) faults.push(`header ${documentedName}: ${this.ajv.errorsText(validate.errors)}`);
    }
    return faults;
  }

  private bodyFaults(key: string, response: Json, method: string, headers: Json, body: unknown): string[] {
    const type = String(headers['content-type'] ?? '').split(';')[0]!;
    const types = Object.keys(response.content ?? {});
    if (types.length === 0) return body === undefined || body === '' || body === null ? [] : ['has a body'];
    if (!types.includes(type)) return [`type ${type || 'none'} is not documented`];
    const isJson = /[/+]json$/.test(type);
    if (method === 'HEAD' || !isJson || (typeof body !== 'string' && !Buffer.isBuffer(body))) return [];
    const validate = this.validator(`${key}/${type}`, response.content[type].schema);
    return validate(JSON.parse(String(body)))
      ? []
      : [`${this.ajv.errorsText(validate.errors)}: ${String(body)}`];
  }

  /** Compiled once, at the first answer of its kind. */
  private validator(key: string, schema: Json): ValidateFunction {
    const known = this.validators.get(key);
    if (known) return known;
    const compiled = this.ajv.compile(referringTo('components#/', schema));
    this.validators.set(key, compiled);
    return compiled;
  }

  private resolve(value: any): any {
    const parts = (value?.$ref as string | undefined)?.split('/').slice(1);
    return parts ? parts.reduce((part: Json, key) => part[key], this.document) : value;
  }
}

/** A copy whose references to components begin with something else. */
function referringTo(start: string, schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', `"${start}`)) as Json;
}

/** Schemas that allow no field that they do not name: a field of an answer that is not documented is a fault. */
function closed({ schemas }: Json): Json {
  return {
    schemas: Object.fromEntries(
      Object.entries<Json>(schemas).map(([name, schema]) => [
        name,
        schema.properties ? { additionalProperties: false, ...schema } : schema,
      ]),
    ),
  };
}

let committed: DocumentedAnswers | undefined;

/** Of openapi.json. One for all files that a process runs: compiling a schema costs more than its answers. */
const committedDocument = () =>
  (committed ??= new DocumentedAnswers(
    JSON.parse(readFileSync(resolve(import.meta.dirname, '../../openapi.json'), 'utf8')) as Json,
  ));

/** Collects what the answers of an app say against openapi.json. Call it before the app listens. */
export function watchAnswers(fastify: FastifyInstance): { faults: string[] } {
  const documented = committedDocument();
  const faults: string[] = [];
  const bodies = new WeakMap<FastifyRequest, unknown>();
  fastify.addHook('onSend', (request, _reply, body, done) => {
    bodies.set(request, body);
    done(null, body);
  });
  fastify.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const body = bodies.get(request);
    const answer = {
      method: request.method,
      route: request.routeOptions.url,
      url: request.url,
      status: reply.statusCode,
      headers: reply.getHeaders(),
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : undefined,
    };
    for (const fault of documented.faultsOf(answer)) faults.push(fault);
    done();
  });
  return { faults };
}
