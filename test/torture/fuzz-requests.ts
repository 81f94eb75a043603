import { FuzzValues, textOf, type Json } from './fuzz-values.js';
import type { Random } from './plan.js';

export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Content type of the body. */
  type?: string;
  body: Buffer | undefined;
}

/** Who asks: a key that fits the operation's path. */
export interface FuzzKeys {
  merchant: string;
  test: string;
  operator: string;
}

/** What was ever a part of an answer may be asked for. */
const KEPT_IDS = 500;

const TYPES = [
  'application/json',
  'application/json; charset=latin1',
  'text/plain',
  'text/csv',
  'application/xml',
  'x',
];

/** Methods that are sent without a body. */
const BODYLESS = ['get', 'delete', 'head', 'options'];

/** Draws requests from an OpenAPI document: half of them fit it, and the others nearly do. */
export class FuzzRequests {
  private readonly ids: string[] = [];
  private readonly values: FuzzValues;
  private readonly operations: { method: string; path: string; operation: Json }[];

  constructor(
    document: Json,
    random: Random,
    private readonly keys: FuzzKeys,
  ) {
    this.values = new FuzzValues(document, random, this.ids);
    this.operations = Object.entries<Json>(document.paths as Json).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, operation]) => ({ method, path, operation })),
    );
  }

  /** Remembers the ids in an answer, so that later requests find what there is. */
  learn(answer: string): void {
    for (const [, id] of answer.matchAll(/"(?:id|guia|siguiente)":"([^"]{8,200})"/g)) {
      if (this.ids.length < KEPT_IDS) this.ids.push(id!);
      else this.ids[this.values.number(KEPT_IDS)] = id!;
    }
  }

  next(): FuzzRequest {
    const { values } = this;
    const { method, path, operation } = values.pick(this.operations);
    const isSpoiled = values.chance(0.5);
    const parameters = (operation.parameters ?? []) as Json[];
    const part = (schema: Json): string => {
      const value = isSpoiled && values.chance(0.3) ? values.hostile() : values.fitting(schema);
      return textOf(value);
    };
    const query = parameters
      .filter((one) => one.in === 'query' && values.chance(0.25))
      .map((one) => `${encoded(one.name as string)}=${encoded(part(one.schema as Json))}`);
    if (isSpoiled && values.chance(0.1))
      query.push(`${encoded(values.hostileText())}=${encoded(values.hostileText())}`);
    if (isSpoiled && query.length > 0 && values.chance(0.1)) query.push(query[0]!);
    const filled = path.replace(/\{\w+\}/g, () => encoded(values.id()) || 'x');
    const content = operation.requestBody?.content as Json | undefined;
    const drawn =
      isSpoiled && values.chance(0.02) ? values.pick(['put', 'head', 'options', 'delete']) : method;
    return {
      method: drawn,
      path: query.length > 0 ? `${filled}?${query.join('&')}` : filled,
      headers: this.headers(path, parameters, part, isSpoiled),
      body: undefined,
      ...(content && !BODYLESS.includes(drawn) && this.body(content, isSpoiled)),
    };
  }

  private headers(
    path: string,
    parameters: Json[],
    part: (schema: Json) => string,
    isSpoiled: boolean,
  ): Record<string, string> {
    const { values, keys } = this;
    const fits = path.includes('/operaciones/')
      ? keys.operator
      : path.includes('/pruebas/')
        ? keys.test
        : keys.merchant;
    const key = isSpoiled && values.chance(0.1) ? values.pick(Object.values(keys)) : fits;
    const headers: Record<string, string> = { authorization: `Bearer ${key}` };
    for (const one of parameters)
      if (one.in === 'header' && values.chance(0.3))
        // What a header can hold.
        headers[(one.name as string).toLowerCase()] = part(one.schema as Json)
          .replace(/[^\x20-\x7e]/g, '?')
          .trim();
    return headers;
  }

  private body(content: Json, isSpoiled: boolean): Pick<FuzzRequest, 'body' | 'type'> {
    const { values } = this;
    const type = values.pick(Object.keys(content));
    const { schema, example, examples } = content[type] as Json;
    const shown = [
      example,
      ...Object.values<Json>((examples ?? {}) as Json).map((one) => one.value as unknown),
    ].filter((one) => one !== undefined);
    let value = shown.length > 0 && values.chance(0.3) ? values.pick(shown) : values.fitting(schema as Json);
    if (isSpoiled) for (let n = values.number(3); n >= 0; n--) value = values.spoiled(value);
    const text = typeof value === 'string' && type === 'text/csv' ? value : JSON.stringify(value);
    return {
      type: isSpoiled && values.chance(0.05) ? values.pick(TYPES) : type,
      body: isSpoiled && values.chance(0.05) ? this.broken(text) : Buffer.from(text ?? ''),
    };
  }

  /** Bytes that are no longer JSON, or not even text. */
  private broken(text: string): Buffer {
    const { values } = this;
    const bytes = Buffer.from(text);
    if (values.chance(0.3)) return bytes.subarray(0, values.number(bytes.length + 1));
    if (values.chance(0.3)) return Buffer.concat([Buffer.from('\ufeff'), bytes]);
    if (bytes.length > 0) bytes[values.number(bytes.length)] = values.number(256);
    return bytes;
  }
}

/** `encodeURIComponent` refuses half a surrogate pair, which a Buffer replaces. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString()).slice(0, 2_000).replace(/%\w?$/, '');
}
