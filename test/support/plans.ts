import pg, { type PoolClient, type QueryConfig } from 'pg';

/** A node of an executed plan. */
export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Rows Removed by Filter'?: number;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

/** What the planner knows of the values of a prepared statement: nothing, or all of them. */
export const PLAN_MODES = ['generic', 'custom'] as const;

export type PlanMode = (typeof PLAN_MODES)[number];

/** The executed plan of a prepared statement, as a list of its nodes. */
export async function planOf(
  client: Pick<PoolClient, 'query'>,
  { text, values }: QueryConfig,
  mode: PlanMode,
): Promise<Plan[]> {
  const literals = values!
    .map((value) => pg.escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : String(value)))
    .join(', ');
  await client.query(`set plan_cache_mode to force_${mode}_plan`);
  await client.query(`prepare listed as ${text}`);
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, format json) execute listed (${literals})`,
  );
  await client.query('deallocate listed');
  return flatten(rows[0]!['QUERY PLAN'][0].Plan);
}

/** Rows that a scan looked at in one loop. */
export function rowsRead(scan: Plan): number {
  return scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0);
}

function flatten(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flatten)];
}
