type Json = Record<string, any>;

/** Who writes a value: clients, in requests, or the service, in answers and webhooks. */
type Writer = 'client' | 'service';

/** Values may be added to these fields of answers and webhooks: docs/api.md tells clients to expect new ones. */
const OPEN_FIELDS = /(^|[.\]])(codigo|type|tipo|evento|eventos|advertencias|actor)(\[\])*$/;

const UPPER_LIMITS = ['maximum', 'maxLength', 'maxItems'];
const LOWER_LIMITS = ['minimum', 'minLength', 'minItems'];

/**
 * What a client that was written for one OpenAPI document cannot rely on in another: a line for each fault, with
 * its operation and field. Descriptions, examples, and whatever is new and optional, count as compatible.
 */
export function breakingChanges(released: Json, current: Json): string[] {
  return [
    ...operationsOf(released.paths).flatMap(({ name, path, verb, operation }) => {
      const now = current.paths?.[path]?.[verb] as Json | undefined;
      if (!now) return [`${name} is gone`];
      return compareOperations(new Comparison(released, current), operation, now).map(
        (fault) => `${name}: ${fault}`,
      );
    }),
    ...operationsOf(released.webhooks ?? {}).flatMap(({ name, path, verb, operation }) => {
      const now = current.webhooks?.[path]?.[verb] as Json | undefined;
      if (!now) return [`webhook ${name} is gone`];
      const comparison = new Comparison(released, current);
      comparison.contents('service', 'body', operation.requestBody.content, now.requestBody.content);
      return comparison.faults.map((fault) => `webhook ${name}: ${fault}`);
    }),
  ];
}

function operationsOf(paths: Json) {
  return Object.entries<Json>(paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([verb, operation]) => ({
      name: `${verb.toUpperCase()} ${path}`,
      ...{ path, verb, operation },
    })),
  );
}

function compareOperations(comparison: Comparison, before: Json, after: Json): string[] {
  const { faults } = comparison;
  if (before.operationId !== after.operationId) faults.push(`operationId is now ${after.operationId}`);
  if (JSON.stringify(before.security) !== JSON.stringify(after.security))
    faults.push('its security is another');
  comparison.parameters(before.parameters ?? [], after.parameters ?? []);
  if (after.requestBody?.required && !before.requestBody?.required) faults.push('the body is now required');
  if (before.requestBody)
    comparison.contents('client', 'body', before.requestBody.content, after.requestBody?.content ?? {});
  for (const [status, response] of Object.entries<Json>(before.responses)) {
    const now = after.responses[status] as Json | undefined;
    if (now) comparison.responses(status, response, now);
    // An error that no longer happens breaks nobody.
    else if (status < '300') faults.push(`${status} is gone`);
  }
  return faults;
}

class Comparison {
  readonly faults: string[] = [];

  constructor(
    private readonly released: Json,
    private readonly current: Json,
  ) {}

  parameters(before: Json[], after: Json[]): void {
    const same = (one: Json) => (other: Json) => one.name === other.name && one.in === other.in;
    for (const parameter of before) {
      const now = after.find(same(parameter));
      if (!now) this.faults.push(`${parameter.in} ${parameter.name} is gone`);
      else this.schemas('client', `${parameter.in} ${parameter.name}`, parameter.schema, now.schema);
    }
    for (const parameter of after)
      if (parameter.required && !before.find(same(parameter))?.required)
        this.faults.push(`${parameter.in} ${parameter.name} is now required`);
  }

  responses(status: string, released: Json, current: Json): void {
    const [before, after] = [flat(released, this.released), flat(current, this.current)];
    for (const [name, reference] of Object.entries<Json>(before.headers ?? {})) {
      const header = flat(reference, this.released);
      const now = after.headers?.[name] && flat(after.headers[name] as Json, this.current);
      if (!now) this.faults.push(`${status} header ${name} is gone`);
      else if (header.required && !now.required)
        this.faults.push(`${status} header ${name} is no longer always there`);
      else this.schemas('service', `${status} header ${name}`, header.schema, now.schema);
    }
    this.contents('service', status, before.content ?? {}, after.content ?? {});
  }

  contents(writer: Writer, at: string, before: Json, after: Json): void {
    for (const [type, { schema }] of Object.entries<Json>(before)) {
      if (!after[type]) this.faults.push(`${at} is no longer ${type}`);
      else this.schemas(writer, at, schema, after[type].schema);
    }
  }

  private schemas(writer: Writer, at: string, released: Json, current: Json): void {
    const [before, after] = [flat(released, this.released), flat(current, this.current)];
    const [offered, taken] = writer === 'client' ? [before, after] : [after, before];
    for (const type of typesOf(offered))
      if (!accepts(taken, type)) this.faults.push(`${at} ${verbFor(writer)} ${type}`);
    this.values(writer, at, offered, taken);
    this.forms(writer, at, before, after);
    if (before.items) this.schemas(writer, `${at}[]`, before.items as Json, (after.items ?? {}) as Json);
    this.fields(writer, at, before, after);
  }

  /** Values of a list: what is offered must be among what is taken. */
  private values(writer: Writer, at: string, offered: Json, taken: Json): void {
    if (!taken.enum || (writer === 'service' && OPEN_FIELDS.test(at))) return;
    if (!offered.enum) this.faults.push(`${at} ${verbFor(writer)} any value`);
    for (const value of (offered.enum ?? []) as unknown[])
      if (!taken.enum.includes(value)) this.faults.push(`${at} ${verbFor(writer)} ${String(value)}`);
  }

  private forms(writer: Writer, at: string, before: Json, after: Json): void {
    for (const rule of ['pattern', 'format']) {
      const [demanding, other] = writer === 'client' ? [after, before] : [before, after];
      if (demanding[rule] !== undefined && demanding[rule] !== other[rule])
        this.faults.push(`${at} has another ${rule}`);
    }
    if (writer === 'service') return;
    for (const limit of UPPER_LIMITS)
      if (after[limit] < (before[limit] ?? Infinity)) this.faults.push(`${at} has a lower ${limit}`);
    for (const limit of LOWER_LIMITS)
      if (after[limit] > (before[limit] ?? -Infinity)) this.faults.push(`${at} has a higher ${limit}`);
  }

  private fields(writer: Writer, at: string, before: Json, after: Json): void {
    const required = (schema: Json, field: string) => schema.required?.includes(field) as boolean | undefined;
    for (const [field, schema] of Object.entries<Json>(before.properties ?? {})) {
      const now = after.properties?.[field] as Json | undefined;
      // Unknown fields of a request are refused.
      if (!now) this.faults.push(`${at}.${field} is gone`);
      else if (writer === 'service' && required(before, field) && !required(after, field))
        this.faults.push(`${at}.${field} is no longer always there`);
      else this.schemas(writer, `${at}.${field}`, schema, now);
    }
    if (writer === 'service') return;
    for (const field of (after.required ?? []) as string[])
      if (!required(before, field)) this.faults.push(`${at}.${field} is now required`);
  }
}

function verbFor(writer: Writer): string {
  return writer === 'client' ? 'no longer takes' : 'may now be';
}

function typesOf({ type }: Json): string[] {
  return ([type ?? []] as (string | string[])[]).flat();
}

function accepts(schema: Json, type: string): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
}

/** A schema without references, `allOf`, and `anyOf` for null: all its parts in one. */
function flat(schema: Json | undefined, document: Json): Json {
  if (schema?.anyOf) return flat(withNull(schema, document), document);
  const { $ref, allOf, ...own } = schema ?? {};
  const target = ($ref as string | undefined)
    ?.split('/')
    .slice(1)
    .reduce((part, key) => part[key] as Json, document);
  const parts = [...(target ? [target] : []), ...((allOf ?? []) as Json[])].map((part) =>
    flat(part, document),
  );
  return [...parts, own].reduce((whole, part) => ({
    ...whole,
    ...part,
    ...((whole.properties || part.properties) && {
      properties: mergeFields(whole.properties as Json, part.properties as Json),
      required: [...((whole.required ?? []) as string[]), ...((part.required ?? []) as string[])],
    }),
  }));
}

/** A schema that is another one, or null, with null among its types and values. */
function withNull({ anyOf, ...own }: Json, document: Json): Json {
  const [form, ...others] = (anyOf as Json[]).filter(({ type }) => type !== 'null');
  if (others.length > 0) throw new Error('not compared: several forms in anyOf');
  const { enum: values, ...schema } = flat(form, document);
  return {
    ...own,
    ...schema,
    type: [...typesOf(schema), 'null'],
    ...(values && { enum: [...(values as unknown[]), null] }),
  };
}

function mergeFields(one: Json = {}, other: Json = {}): Json {
  const both = { ...one, ...other };
  for (const field of Object.keys(one))
    if (field in other) both[field] = { allOf: [one[field], other[field]] };
  return both;
}
