import type { Random } from './plan.js';

export type Json = Record<string, any>;

/** Values that no field expects, or that are at the edge of what it takes. */
const HOSTILE: readonly unknown[] = [
  ...[null, true, false, 0, -1, 0.1, 1e21, 1e308, -0, 2 ** 53, 2 ** 31, -(2 ** 63)],
  ...[
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '👩‍👩‍👧',
    '\u202eABC',
    '\u0301',
    '\ufeff',
    '\n',
    '\r\n\t',
  ],
  ...[
    "'",
    '"',
    '\\',
    '$1',
    '%',
    '%00',
    '{{x}}',
    "';select 1--",
    '<script>',
    '../..',
    '__proto__',
    'constructor',
    'null',
  ],
  ...[
    'NaN',
    'Infinity',
    '-infinity',
    '1e400',
    '0x10',
    '٣',
    '５',
    '1,5',
    '1.',
    '.5',
    '+1',
    '00',
    '9'.repeat(400),
  ],
  ...[
    'a'.repeat(300),
    'ñ'.repeat(5_000),
    '+502'.repeat(20),
    '+50255551234',
    '5555-1234',
    'https://maps.app.goo.gl/x',
  ],
  ...[
    '0000-00-00',
    '2026-02-30',
    '2026-11-23T25:00:00Z',
    '+275760-09-13T00:00:00Z',
    '-271821-04-20',
    '2026-11-23T00:00:00',
  ],
  ...[
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a5',
  ],
  ...[[], [null], [[]], {}, { a: 1 }, [1, 'a'], { length: -1 }, { toString: 1 }],
];

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABC0123456789-_. áéñ';

/** Draws values from an OpenAPI document; the same ones for the same random numbers. */
export class FuzzValues {
  constructor(
    private readonly document: Json,
    private readonly random: Random,
    /** Ids that the service has given. */
    private readonly ids: readonly string[],
  ) {}

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  /** From 0 to `below`, excluding it. */
  number(below: number): number {
    return Math.floor(this.random() * below);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.number(list.length)]!;
  }

  hostile(): unknown {
    if (this.chance(0.02)) return this.deep();
    return this.pick(HOSTILE);
  }

  hostileText(): string {
    return textOf(this.hostile());
  }

  /** An id of something that exists, as a rule. */
  id(): string {
    return this.ids.length > 0 && this.chance(0.9) ? this.pick(this.ids) : this.hostileText();
  }

  /** A value that fits a schema, as far as the schema says. */
  fitting(schema: Json, depth = 0): unknown {
    const { $ref, enum: values, const: only, example, examples, type, format } = schema;
    if ($ref) return this.fitting(this.resolve($ref as string), depth);
    const branches = (schema.oneOf ?? schema.anyOf) as Json[] | undefined;
    if (branches) return this.fitting(this.pick(branches), depth);
    if (schema.allOf) return this.fitting((schema.allOf as Json[])[0]!, depth);
    if (only !== undefined) return only;
    if (values) return this.pick(values as unknown[]);
    const shown = [
      ...(example === undefined ? [] : [example]),
      ...((examples as unknown[] | undefined) ?? []),
    ];
    if (shown.length > 0 && this.chance(0.6)) return structuredClone(this.pick(shown));
    switch (Array.isArray(type) ? this.pick(type as string[]) : type) {
      case 'object':
        return this.object(schema, depth);
      case 'array':
        return Array.from({ length: depth > 3 ? 0 : this.number(4) }, () =>
          this.fitting((schema.items as Json | undefined) ?? {}, depth + 1),
        );
      case 'integer':
      case 'number':
        return this.numeric(schema, type === 'integer');
      case 'boolean':
        return this.chance(0.5);
      case 'string':
        return this.text(schema, format as string | undefined);
      case 'null':
        return null;
      default:
        return this.hostile();
    }
  }

  /** The same value with a few of its parts replaced, removed or added. */
  spoiled(value: unknown): unknown {
    if (this.chance(0.1)) return this.hostile();
    if (Array.isArray(value)) {
      const copy: unknown[] = [...value];
      if (copy.length > 0) {
        const at = this.number(copy.length);
        copy[at] = this.spoiled(copy[at]);
      }
      return this.chance(0.05) ? Array.from({ length: 600 }, () => copy[0]) : copy;
    }
    if (typeof value !== 'object' || value === null) return this.hostile();
    const copy: Json = { ...value };
    const keys = Object.keys(copy);
    const key = keys.length > 0 ? this.pick(keys) : 'x';
    if (this.chance(0.3)) delete copy[key];
    else if (this.chance(0.15)) copy[this.hostileText().slice(0, 50)] = this.hostile();
    else copy[key] = this.chance(0.4) ? this.spoiled(copy[key]) : this.hostile();
    return copy;
  }

  private resolve(ref: string): Json {
    return ref
      .split('/')
      .slice(1)
      .reduce((part: Json, key) => part[key] as Json, this.document);
  }

  private object({ properties = {}, required = [] }: Json, depth: number): Json {
    const fields = Object.entries<Json>(properties as Json).filter(
      ([name]) => (required as string[]).includes(name) || (depth < 4 && this.chance(0.4)),
    );
    return Object.fromEntries(fields.map(([name, schema]) => [name, this.fitting(schema, depth + 1)]));
  }

  private numeric({ minimum = -1_000, maximum = 1_000 }: Json, isInteger: boolean): number {
    if (this.chance(0.2)) return this.pick([minimum as number, maximum as number]);
    const value = Number(minimum) + this.random() * (Number(maximum) - Number(minimum));
    return isInteger ? Math.round(value) : Math.round(value * 1e6) / 1e6;
  }

  private text({ minLength = 0, maxLength = 40 }: Json, format: string | undefined): string {
    if (format === 'uuid') return this.id();
    if (format === 'date-time') return new Date(Date.now() - this.random() * 1e10).toISOString();
    if (format === 'date') return new Date(Date.now() - this.random() * 1e10).toISOString().slice(0, 10);
    if (format === 'uri') return `https://example.com/${this.number(1e6)}`;
    const length = Number(minLength) + this.number(Math.min(Number(maxLength) - Number(minLength), 60) + 1);
    return Array.from({ length }, () => this.pick([...LETTERS])).join('');
  }

  private deep(): unknown {
    let value: unknown = 1;
    for (let n = this.number(2_000); n > 0; n--) value = this.chance(0.5) ? [value] : { a: value };
    return value;
  }
}

/** As it is written in a path or a query. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
