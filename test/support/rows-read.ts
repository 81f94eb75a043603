/** A node of `explain (analyze, format json)`, as far as it says what was read. */
export interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Rows that a plan has read of the tables, or partitions, with such a name. */
export function rowsReadOf(tables: RegExp, node: PlanNode): number {
  const { 'Actual Rows': rows, 'Actual Loops': loops, 'Rows Removed by Filter': removed = 0 } = node;
  const own = tables.test(node['Relation Name'] ?? '') ? (rows + removed) * loops : 0;
  return own + (node.Plans ?? []).reduce((sum, part) => sum + rowsReadOf(tables, part), 0);
}
