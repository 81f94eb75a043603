import { HIGHEST_ID, LOWEST_ID } from '../../database/row-id.js';
import type { Position } from '../../pagination/cursor.js';
import type { GuiaAdvertencia } from '../guia-advertencia.js';
import { GUIA_ESTADOS, type GuiaEstado } from '../guia-estado.js';

/** Filters of a merchant's guides, combined with AND. */
export interface ListFilter {
  /** Any of these, without duplicates. */
  estados?: readonly GuiaEstado[];
  /** E.164. */
  telefono?: string;
  direccion_confirmada?: boolean;
  external_ref?: string;
  /** Guide number. */
  guia?: string;
  /** With this warning, or with any. */
  advertencia?: GuiaAdvertencia | 'cualquiera';
  /** Changed at this time or later, in ms since 1970. Sorts by last change. */
  actualizada_desde?: number;
  /** Lowest id. */
  from?: string;
  /** The id above the highest one. */
  before?: string;
}

export interface PageRequest {
  after?: Position;
  rows: number;
}

/** Registers a value of a statement and returns its placeholder. */
export type Param = (value: unknown) => string;

/** Whose guides a list shows, and which columns. */
export interface ListSource {
  /** First part of the statement's name. */
  name: string;
  columns: string;
  /** What the indexes of the list begin with. */
  scope: (param: Param) => string[];
  /** Conditions on the destination, the narrower one first. */
  place?: (param: Param) => string[];
  /** Whether `scope` is one merchant: then references are unique, and its phones have an index. */
  isMerchant: boolean;
}

export interface ListQuery {
  name: string;
  text: string;
  values: unknown[];
}

/** Up to so many guides of a place are all read and sorted, where no index has the place and the other filter. */
const FEW = 2_000;

/** A limit that is never reached: it keeps the order of what it limits, and conditions out of it. */
const ENDLESS = 1_000_000_000;

/**
 * A condition that an index begins with. The second half is always true, and hidden from the planner, which takes it for
 * rare: otherwise, where all guides have one value, it would think that any index finds them.
 */
export const led = (column: string, value: string, atLeast = '>=') =>
  `${column} = ${value} and ${column} ${atLeast} (select '')`;

/** Checked row by row: the planner uses no index for it. */
const checked = (condition: string) => `(${condition}) is true`;

/**
 * The first `rows` guides after `after`, newest first; with `actualizada_desde` by last change, oldest first.
 * Ids contain the creation time, so in the first order the position and the dates are one range of the key.
 *
 * An index holds the guides of each state, confirmed or not, in the order of the list. A list is merged from those that it
 * asks for, so it reads hardly a row more than it shows, however rare what its filters match is.
 *
 * Each combination of filters is a prepared statement of its own. If the planner thought that most guides match, it
 * would read another index, and every guide of a merchant with none: see `led`.
 */
export function pageOfGuias(source: ListSource, filter: ListFilter, page: PageRequest): ListQuery {
  return new PageStatement(source, filter, page).query();
}

class PageStatement {
  private readonly name: string[];
  private readonly values: unknown[] = [];
  private readonly scope: string[];
  private readonly place: string[];
  private readonly phone: string[] = [];
  private readonly warned: string[] = [];
  private readonly code: string[] = [];
  private readonly one: string[] = [];
  private readonly range: string[] = [];
  private readonly estados: readonly GuiaEstado[] | undefined;
  private readonly confirmed: boolean | undefined;
  private readonly isByChange: boolean;
  private readonly order: string;
  private readonly limit: string;

  constructor(
    private readonly source: ListSource,
    filter: ListFilter,
    { after, rows }: PageRequest,
  ) {
    this.name = [source.name];
    this.estados = filter.estados?.length === GUIA_ESTADOS.length ? undefined : filter.estados;
    this.confirmed = filter.direccion_confirmada;
    this.isByChange = filter.actualizada_desde !== undefined;
    this.scope = source.scope(this.param);
    this.place = source.place?.(this.param) ?? [];
    this.addValues(filter);
    this.addRange(filter, after);
    this.order = `order by ${this.isByChange ? 'actualizada_en, id' : 'id desc'}`;
    this.limit = `limit ${this.param(rows)}`;
  }

  query(): ListQuery {
    const { scope, place, phone, warned, code, one, source, isByChange, range } = this;
    const isWarned = warned.length > 0;
    if (one.length > 0) {
      const all = [...scope, ...place, ...phone, ...warned, ...code, ...one, ...range];
      return this.named('flat', this.flat(all));
    }
    if (phone.length > 0) {
      const hasIndex = source.isMerchant && !isByChange && !isWarned && place.length === 0;
      if (hasIndex) return this.named('merged', this.merged([...scope, ...phone]));
      // A phone has few guides: all are read and sorted.
      return this.named('flat', this.sorted([...scope, ...phone], [...place, ...warned, ...code]));
    }
    const [lead, ...others] = place.map((condition, i) => (i === 0 ? condition : checked(condition)));
    if (lead === undefined) {
      const isWhole = !this.estados && this.confirmed === undefined && !isByChange && !isWarned;
      return isWhole
        ? this.named('flat', this.flat([...scope, ...range]))
        : this.named('merged', this.merged([...scope, ...warned], code));
    }
    if (isByChange || isWarned) return this.named('merged', this.gated(lead, others));
    if (source.isMerchant) return this.named('flat', this.gated(lead, others));
    return this.named('merged', this.merged([...scope, lead, ...others]));
  }

  private readonly param: Param = (value) => `$${this.values.push(value)}`;

  private readonly hidden = (value: unknown, type: string) => `(select ${this.param(value)}::${type})`;

  private addValues({ telefono, external_ref, guia, advertencia }: ListFilter): void {
    if (telefono !== undefined) {
      this.name.push('tel');
      // By its end, as the index has it: support finds a phone by its last digits.
      this.phone.push(led('reverse(telefono)', `reverse(${this.param(telefono)}::text)`, '~>=~'));
    }
    if (external_ref !== undefined) {
      this.name.push('ref');
      this.one.push(`external_ref = ${this.hidden(external_ref, 'text')}`);
    }
    if (guia !== undefined) {
      this.name.push('guia');
      this.one.push(`guia = ${this.hidden(guia, 'text')}`);
    }
    if (advertencia === undefined) return;
    this.name.push(advertencia === 'cualquiera' ? 'adv' : 'cod');
    // The very text of the condition of the indexes of warnings.
    this.warned.push(`advertencias <> '{}'`);
    if (advertencia !== 'cualquiera')
      this.code.push(`advertencias @> array[${this.param(advertencia)}::text]`);
  }

  private addRange({ actualizada_desde, from, before }: ListFilter, after: Position | undefined): void {
    if (actualizada_desde !== undefined) {
      this.name.push('cam');
      const { ms, id } = after ?? { ms: actualizada_desde, id: LOWEST_ID };
      // Milliseconds, because PostgreSQL cannot read every ISO 8601 year.
      const change = `(to_timestamp(${this.param(ms)}::float8 / 1000), ${this.param(id)})`;
      this.range.push(`(actualizada_en, id) > ${change}`);
      if (before !== undefined) {
        this.name.push('has');
        this.range.push(`id < ${this.param(before)}`);
      }
    } else this.range.push(`id < ${this.param(after?.id ?? before ?? HIGHEST_ID)}`);
    // Only where it is asked for: between two bounds the planner expects so few guides that any index seems good.
    if (from === undefined) return;
    this.name.push('des');
    this.range.push(`id >= ${this.param(from)}`);
  }

  /** Merged lists have a part for each state. */
  private named(states: 'flat' | 'merged', text: string): ListQuery {
    const { name, estados, confirmed, values } = this;
    const parts = [
      ...name,
      ...(estados ? [states === 'merged' ? `e${estados.length}` : 'est'] : []),
      ...(confirmed === undefined ? [] : [confirmed ? 'con' : 'sin']),
    ];
    return { name: parts.join('-'), text, values };
  }

  private select(conditions: string[], from = 'guias'): string {
    return `select ${this.source.columns} from ${from} where ${conditions.join(' and ')}`;
  }

  private stateChecks(): string[] {
    const { estados, confirmed } = this;
    return [
      ...(estados ? [`estado = any (${this.param(estados)}::text[])`] : []),
      ...(confirmed === undefined ? [] : [`direccion_confirmada = ${confirmed}`]),
    ];
  }

  /** One index finds the guides in the order of the list, or there is only one. */
  private flat(conditions: string[]): string {
    return `${this.select([...conditions, ...this.stateChecks()])} ${this.order} ${this.limit}`;
  }

  /**
   * Each part has a page of its own, or the planner would read and sort all of its guides.
   * @param checks are applied to the guides in the order of the list, not to those of each part, of which some may have no
   * guide that passes: then a part has no end, but it is not read further than the list needs.
   */
  private merged(conditions: string[], checks: string[] = []): string {
    const { estados = GUIA_ESTADOS, confirmed, order, limit } = this;
    const isConfirmed = (confirmed === undefined ? [true, false] : [confirmed]).map(
      (value) => `direccion_confirmada = ${value}`,
    );
    const pageOf = (columns: string, where: string[], end: string) =>
      `(select ${columns} from guias where ${where.join(' and ')} ${order} ${end})`;
    const isChecked = checks.length > 0;
    const [columns, end] = isChecked ? ['*', `limit ${ENDLESS}`] : [this.source.columns, limit];
    const parts = estados.flatMap((estado) => {
      const inEstado = led('estado', `${this.param(estado)}::text`);
      return isConfirmed.map((one) => pageOf(columns, [...conditions, inEstado, one, ...this.range], end));
    });
    if (!isChecked) {
      const union = `select ${columns} from (${parts.join(' union all ')}) guias ${order} ${limit}`;
      return parts.length === 1 ? parts[0]! : union;
    }
    const inOrder = `(select * from (${parts.join(' union all ')}) parts ${order} limit ${ENDLESS}) guias`;
    return `${this.select(checks, inOrder)} ${order} ${limit}`;
  }

  /** All that the conditions find is read. `offset 0` is an optimisation fence: the planner uses no other index. */
  private sorted(conditions: string[], checks: string[]): string {
    const found = `(select * from guias where ${conditions.join(' and ')} offset 0) guias`;
    return `${this.select([...checks, ...this.range, ...this.stateChecks()], found)} ${this.order} ${this.limit}`;
  }

  /** The guides of a place with few of them are sorted; those of another place are soon met on the way through all guides. */
  private gated(lead: string, others: string[]): string {
    const { scope, warned, code, isByChange, range } = this;
    const places = [lead, ...others].map(checked);
    const isFew = `(select n <= ${FEW} from lugar)`;
    const ofMany =
      isByChange || warned.length > 0
        ? this.merged([...scope, ...warned, `not ${isFew}`], [...places, ...code])
        : this.flat([...scope, ...range, ...places, `not ${isFew}`]);
    return `with lugar as materialized (
        select count(*) as n from (select from guias where ${lead} limit ${FEW + 1}) g
      )
      select ${this.source.columns} from (
        (${this.sorted([lead], [...scope, ...others, ...warned, ...code, isFew])}) union all (${ofMany})
      ) guias ${this.order} ${this.limit}`;
  }
}
