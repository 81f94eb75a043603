import type { ComponentChildren } from 'preact';
import type { Tone } from '../../guias/guia/tone.js';
import { Icon, type IconName } from './icon.js';
import { withQuery } from './with-query.js';

export type Fact = [name: string, value: ComponentChildren];

/** Names and their values; leaves out names without a value. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
        .map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
    </dl>
  );
}

/** The name of a column, and how its cells look: sums on the right, buttons at the end. */
export type Column = string | readonly [name: string, look: 'sum' | 'acts'];

/** A column of amounts or counts. */
export const asSum = (name: string) => [name, 'sum'] as const;

const lookOf = (column: Column) => (typeof column === 'string' ? undefined : column[1]);
const nameOf = (column: Column) => (typeof column === 'string' ? column : column[0]);

interface TableProps {
  /** For screen readers. */
  label: string;
  columns: readonly Column[];
  rows: ComponentChildren[][];
  /** In place of an empty table. */
  empty?: string;
  /** Attributes of a row, for programs that read the page. @param n of the row, from 0. */
  dataOf?: (n: number) => Record<`data-${string}`, string>;
  /** The box that chooses a row, and the one in the head that chooses all. */
  pick?: { all?: ComponentChildren; of: (n: number) => ComponentChildren };
}

/** A table; cards of its rows where the screen is narrow, and a sentence where it has none. */
export function Table({ label, columns, rows, empty = 'Ninguno.', dataOf, pick }: TableProps) {
  if (rows.length === 0) return <p class="soft">{empty}</p>;
  const cellOf = (cell: ComponentChildren, i: number) => {
    const look = lookOf(columns[i]!);
    const isNamed = i > 0 && !pick && look !== 'acts';
    return (
      <td class={look} data-name={isNamed ? nameOf(columns[i]!) : undefined}>
        {look === 'acts' ? <div class="row">{cell}</div> : cell}
      </td>
    );
  };
  return (
    <table class={pick ? 'list pick' : 'list'} aria-label={label}>
      <thead>
        <tr>
          {pick && (pick.all ? <th scope="col">{pick.all}</th> : <td />)}
          {columns.map((column) => (
            <th scope="col" class={lookOf(column)}>
              {lookOf(column) === 'acts' ? <span class="vh">{nameOf(column)}</span> : nameOf(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, n) => (
          <tr {...dataOf?.(n)}>
            {pick && <td>{pick.of(n)}</td>}
            {cells.map(cellOf)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface NavLinksProps {
  label: string;
  links: readonly (readonly [path: string, name: ComponentChildren, ...rest: unknown[]])[];
  /** Path of the page. */
  current: string | undefined;
}

/** Leads to pages beside each other. */
export function NavLinks({ label, links, current }: NavLinksProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {links.map(([path, name]) => (
        <a href={path} aria-current={path === current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** Leads to the page above this one. */
export const Back = ({ to: [path, name] }: { to: readonly [path: string, name: string] }) => (
  <a class="btn small" href={path}>
    <Icon name="left" />
    {name}
  </a>
);

interface PagesProps {
  path: string;
  query?: Record<string, string>;
  /** From 1. */
  page: number;
  hasMore: boolean;
  /** Of the page in the query: where a page has several lists, each has its own. */
  name?: string;
  /** Of how many, where that is known. */
  of?: number;
}

/** Leads to the pages before and after one of a list. */
export function Pages({ path, query = {}, page, hasMore, name = 'pagina', of }: PagesProps) {
  const to = (next: number) => withQuery(path, { ...query, [name]: String(next) });
  if (page === 1 && !hasMore) return null;
  return (
    <nav class="row" aria-label="Páginas">
      {page > 1 && <a href={to(page - 1)}>Anteriores</a>}
      {of !== undefined && (
        <span class="soft">
          Página {page} de {of}
        </span>
      )}
      {hasMore && <a href={to(page + 1)}>Siguientes</a>}
    </nav>
  );
}

interface NextPageProps {
  path: string;
  query?: Record<string, string>;
  /** Where the next page begins; null or undefined on the last one. */
  cursor: string | null | undefined;
  /** Of the cursor in the query: where a page has several lists, each has its own. */
  name?: string;
  /** Id of the list on the page. */
  id?: string;
}

/** Leads to the next page of a list whose pages have no numbers. */
export function NextPage({ path, query = {}, cursor, name = 'cursor', id }: NextPageProps) {
  if (cursor === null || cursor === undefined) return null;
  return (
    <nav class="row" aria-label="Páginas">
      <a href={withQuery(path, { ...query, [name]: cursor }) + (id === undefined ? '' : `#${id}`)}>
        Siguientes
      </a>
    </nav>
  );
}

const SHORT_DAY = { day: 'numeric', month: 'short' } as const;
const CLOCK = { hour: 'numeric', minute: '2-digit', hourCycle: 'h23' } as const;

/** Writes times of a zone; a formatter is made once for each. */
function written(options: Intl.DateTimeFormatOptions): (at: number, zone: string) => string {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (at, timeZone) => {
    const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('es', { ...options, timeZone });
    formats.set(timeZone, format);
    return format.format(at);
  };
}

const whole = written({ ...SHORT_DAY, year: 'numeric', ...CLOCK, second: '2-digit' });
const hourOf = written(CLOCK);
const dayOf = written(SHORT_DAY);
const dateOf = written({ ...SHORT_DAY, year: 'numeric' });

/** A time where the merchant is, and in UTC when pointed at. @param at ISO 8601. @param zone IANA time zone. */
export function Time({ at, zone }: { at: string; zone: string }) {
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      {whole(Date.parse(at), zone)}
    </time>
  );
}

/** A time as it is said: `8:40`, `ayer 18:10`, `23 nov 9:03`; the whole time when pointed at. @param at ISO 8601. */
export function When({ at, zone }: { at: string; zone: string }) {
  const time = Date.parse(at);
  const day = dayOf(time, zone);
  const named = [Date.now(), Date.now() - 86_400_000].findIndex((one) => dayOf(one, zone) === day);
  return (
    <time dateTime={at} title={whole(time, zone)}>
      {`${['', 'ayer '][named] ?? `${day} `}${hourOf(time, zone)}`}
    </time>
  );
}

const UNITS: [ms: number, name: (n: number) => string][] = [
  [86_400_000, (n) => `${n} ${n === 1 ? 'día' : 'días'}`],
  [3_600_000, (n) => `${n}\u00a0h`],
  [60_000, (n) => `${n}\u00a0min`],
];

/** How long ago: `hace 12 min`; the whole time when pointed at. @param at ISO 8601. */
export function Ago({ at, zone }: { at: string; zone: string }) {
  const ms = Date.now() - Date.parse(at);
  const [unit, name] = UNITS.find(([size]) => ms >= size) ?? [];
  return (
    <time dateTime={at} title={whole(Date.parse(at), zone)}>
      {unit === undefined ? 'ahora' : `hace ${name!(Math.floor(ms / unit))}`}
    </time>
  );
}

const longDay = written({ weekday: 'long', day: 'numeric', month: 'long' });

/** `domingo 29 de noviembre`. @param at ms since 1970. @param zone IANA time zone. */
export const weekday = (at: number, zone: string) => longDay(at, zone).replace(',', '');

/** A day as the times on the pages are written. @param day `2026-11-21`. */
export const dayName = (day: string) => dateOf(Date.parse(day), 'UTC');

interface BadgeProps {
  tone: Tone;
  icon?: IconName;
  children: ComponentChildren;
}

/** A coloured word that shows a state. */
export const Badge = ({ tone, icon, children }: BadgeProps) => (
  <span class={`badge ${tone}`}>
    {icon && <Icon name={icon} />}
    {children}
  </span>
);

/** An icon on a round ground. */
export const Disc = ({ tone, icon }: { tone: Tone; icon: IconName }) => (
  <span class={`disc ${tone}`}>
    <Icon name={icon} />
  </span>
);

interface TileProps {
  tone: Tone;
  count: string;
  text: string;
  href?: string | undefined;
}

/** A count or an amount of the day, in large figures; a link where there is more to read. */
export function Tile({ tone, count, text, href }: TileProps) {
  const inside = (
    <>
      <b class="num">{count}</b>
      <span>{text}</span>
    </>
  );
  const look = `card tile ${tone}`;
  return href === undefined ? (
    <div class={look}>{inside}</div>
  ) : (
    <a class={look} href={href}>
      {inside}
    </a>
  );
}

/** A count with a limit. @param limit highest exact count. */
export function atMost(count: number, limit: number): string {
  return count > limit ? `más de ${grouped(limit)}` : grouped(count);
}

const NUMBERS = new Intl.NumberFormat('es-GT');

/** How many, with the noun: `1 guía`, `1,204 guías`. */
export const counted = (count: number, one: string): string =>
  `${grouped(count)} ${one}${count === 1 ? '' : 's'}`;

/** A number as people write it: `1,204`. */
export function grouped(number: number): string {
  return NUMBERS.format(number);
}
