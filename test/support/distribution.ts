import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './service-process.js';
import { sourcesOf } from './statement-sources.js';

/** Where a table's rows live once they no longer fit one server. */
export const PLACES = [
  // With their merchant, by `comercio_id`.
  'distributed',
  // Likewise, once the table has the column; until then its rows are found by another row's key.
  'distributed, without the column yet',
  // On every server: few rows, read beside the distributed ones.
  'reference',
  // On one server: of no merchant, or of all.
  'local',
];

/** The column whose value says on which server a row lives. */
export const DISTRIBUTION_COLUMN = 'comercio_id';

const PAGE = readFileSync(join(ROOT, 'docs/sharding.md'), 'utf8');

/** Text of `docs/sharding.md` below a heading. */
const sectionOf = (heading: string) => PAGE.split(`### ${heading}\n`)[1]!.split('\n#')[0]!;

/** The first two cells of each row of its table. */
function tableOf(heading: string): Record<string, string> {
  return Object.fromEntries(
    [...sectionOf(heading).matchAll(/^\| `(\w+)` +\| (.+?) +\|/gm)].map(([, name, cell]) => [name!, cell!]),
  );
}

/** Where each table lives. */
export const PLACE_OF = tableOf('Where each table lives');

/** The tables that the commands distribute, or copy to every server. */
export const MOVED = [...sectionOf('How to distribute the tables').matchAll(/'(\w+)'/g)]
  .map(([, name]) => name!)
  .filter((name) => name !== DISTRIBUTION_COLUMN);

/** The tables whose rows live with their merchant, or will. */
export const DISTRIBUTED: ReadonlySet<string> = new Set(
  Object.keys(PLACE_OF).filter((table) => PLACE_OF[table]!.startsWith('distributed')),
);

/**
 * Whether a statement reads and changes rows of one merchant, named by one value: then one server answers it. So it is where
 * each distributed table has an equality of its distribution column with that value, by itself or through joins.
 */
export function staysWithMerchant(text: string): boolean {
  const sources = sourcesOf(text, DISTRIBUTED, DISTRIBUTION_COLUMN);
  return sources.every(({ by }) => by === 'value') && new Set(sources.map(({ group }) => group)).size <= 1;
}

/** Those of the statements that do not stay with a merchant, without those that contain one of the parts. */
export function crossing(statements: Iterable<string>, parts: string[]): string[] {
  return [...statements].filter(
    (text) => !parts.some((part) => text.includes(part)) && !staysWithMerchant(text),
  );
}

/** Unique and foreign keys of distributed tables without the distribution column. */
export const UNIQUE_ELSEWHERE = Object.keys(tableOf('Keys without the merchant'));
