import { loadModule, parseSync } from 'libpg-query';

/** What a row of a table is found by: one merchant (`value`), or merchants of other rows (`rows`); undefined for neither. */
export type Binding = 'value' | 'rows' | undefined;

/** A place where a statement names a table. */
export interface Source {
  table: string;
  /** How the distribution column of the rows read or changed is known. */
  by: Binding;
  /** The same for sources whose distribution columns are equal. */
  group: string;
}

type Node = Record<string, any>;

/** One of our tables, another one, or the columns that a subquery gives. */
type Named = { kind: 'ours' } | { kind: 'other' } | { kind: 'given'; columns: Columns };

/** What a query may name: its tables, those of the queries around it, and what `with` has named. */
interface Scope {
  id: number;
  /** By alias. */
  names: Map<string, Named>;
  outer: Scope | undefined;
}

/** Columns that a subquery gives, and what each is; `*` for all others. */
type Columns = Map<string, string>;
type Ctes = ReadonlyMap<string, Columns>;

const STATEMENTS = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'] as const;

/** To be awaited before `sourcesOf`. */
export const loadParser = loadModule;

/**
 * Where a statement names the tables, by PostgreSQL's own parser.
 * @param column the distribution column of all of them.
 */
export function sourcesOf(text: string, tables: ReadonlySet<string>, column: string): Source[] {
  const reader = new Reader(tables, column);
  for (const { stmt } of parseSync(text).stmts ?? []) reader.read(stmt as Node, undefined, new Map());
  return reader.sources();
}

class Reader {
  private readonly found: { table: string; key: string }[] = [];
  /** Equal columns and values, as a forest: each to another that it equals. */
  private readonly equals = new Map<string, string>();
  private scopes = 0;

  constructor(
    private readonly tables: ReadonlySet<string>,
    private readonly column: string,
  ) {}

  sources(): Source[] {
    const groups = new Map<string, string[]>();
    for (const key of this.equals.keys())
      groups.set(this.root(key), [...(groups.get(this.root(key)) ?? []), key]);
    return this.found.map(({ table, key }) => {
      const group = this.root(key);
      const members = groups.get(group) ?? [];
      const by = members.some((one) => one.startsWith('value '))
        ? 'value'
        : members.some((one) => one.startsWith('rows '))
          ? 'rows'
          : undefined;
      return { table, by, group };
    });
  }

  /** Reads a statement, and gives the columns of what it returns. */
  read(wrapped: Node, outer: Scope | undefined, around: Ctes): Columns {
    const kind = STATEMENTS.find((one) => wrapped[one]);
    if (!kind) return new Map();
    const node = wrapped[kind] as Node;
    const ctes = this.named(node, outer, around);
    const scope: Scope = { id: ++this.scopes, names: new Map(), outer };
    if (node.larg) {
      this.read({ SelectStmt: node.rarg }, outer, ctes);
      return this.read({ SelectStmt: node.larg }, outer, ctes);
    }
    if (node.relation) this.from({ RangeVar: node.relation }, scope, ctes);
    for (const one of [...(node.fromClause ?? []), ...(node.usingClause ?? [])] as Node[])
      this.from(one, scope, ctes);
    this.conditions(node.whereClause as Node, scope);
    const given = kind === 'InsertStmt' ? this.inserted(node, scope, ctes) : new Map<string, string>();
    this.subqueries(
      { ...node, withClause: undefined, fromClause: undefined, selectStmt: undefined },
      scope,
      ctes,
    );
    const returned = (node.returningClause?.exprs ??
      (kind === 'SelectStmt' ? node.targetList : [])) as Node[];
    return returned ? this.columns(returned, scope) : given;
  }

  private named(node: Node, outer: Scope | undefined, around: Ctes): Ctes {
    const ctes = new Map(around);
    for (const { CommonTableExpr: cte } of (node.withClause?.ctes ?? []) as Node[]) {
      if (node.withClause.recursive) ctes.set(cte.ctename as string, new Map());
      const columns = this.read(cte.ctequery as Node, outer, ctes);
      ctes.set(cte.ctename as string, renamed(columns, cte.aliascolnames as Node[]));
    }
    return ctes;
  }

  /** The target of an INSERT knows its merchant from what is inserted. */
  private inserted(node: Node, scope: Scope, ctes: Ctes): Columns {
    const select = node.selectStmt as Node | undefined;
    // Its columns are not the target's.
    const given = select ? this.read(select, scope.outer, ctes) : new Map<string, string>();
    const table = node.relation.relname as string;
    const index = ((node.cols ?? []) as Node[]).findIndex(({ ResTarget }) => ResTarget.name === this.column);
    if (!this.tables.has(table) || index < 0) return given;
    const key = this.keyOf(scope, (node.relation.alias?.aliasname ?? table) as string);
    const lists = (select?.SelectStmt?.valuesLists ?? []) as Node[];
    if (lists.length === 1) this.join(key, this.valueOf(lists[0]!.List.items[index] as Node, scope));
    else if (lists.length > 1) this.join(key, `rows ${key}`);
    else this.join(key, [...given.values()][index] ?? `rows ${key}`);
    return given;
  }

  private from(node: Node, scope: Scope, ctes: Ctes): void {
    if (node.JoinExpr) {
      const { larg, rarg, quals, usingClause } = node.JoinExpr as Node;
      this.from(larg as Node, scope, ctes);
      this.from(rarg as Node, scope, ctes);
      this.conditions(quals as Node, scope);
      if (quals) this.subqueries(quals as Node, scope, ctes);
      if ((usingClause as Node[] | undefined)?.some(({ String: { sval } }) => sval === this.column)) {
        const keys = [...scope.names.keys()].map((name) => this.keyOf(scope, name));
        for (const key of keys) this.join(keys[0]!, key);
      }
    } else if (node.RangeVar) {
      const { relname, schemaname, alias } = node.RangeVar as Node;
      const name = (alias?.aliasname ?? relname) as string;
      const columns = schemaname === undefined ? ctes.get(relname as string) : undefined;
      const isOurs = !columns && (schemaname ?? 'public') === 'public' && this.tables.has(relname as string);
      scope.names.set(name, columns ? { kind: 'given', columns } : { kind: isOurs ? 'ours' : 'other' });
      if (isOurs) this.found.push({ table: relname as string, key: this.keyOf(scope, name) });
    } else if (node.RangeSubselect) {
      const { subquery, alias } = node.RangeSubselect as Node;
      const columns = renamed(this.read(subquery as Node, scope, ctes), alias?.colnames as Node[]);
      scope.names.set((alias?.aliasname ?? '') as string, { kind: 'given', columns });
    } else if (node.RangeFunction) {
      const { alias, functions, coldeflist } = node.RangeFunction as Node;
      const name = (alias?.aliasname ?? `function ${scope.names.size}`) as string;
      const named = ((alias?.colnames ?? []) as Node[]).map(({ String: { sval } }) => sval as string);
      const defined = ((coldeflist ?? []) as Node[]).map(({ ColumnDef: { colname } }) => colname as string);
      const rows = (column: string) => this.known(`rows ${scope.id}.${name}.${column}`);
      const columns = new Map([...named, ...defined].map((column) => [column, rows(column)]));
      scope.names.set(name, { kind: 'given', columns });
      this.subqueries(functions, scope, ctes);
    }
  }

  /** Notes what is equal wherever a condition holds. */
  private conditions(node: Node | undefined, scope: Scope): void {
    if (!node) return;
    if (node.BoolExpr?.boolop === 'AND_EXPR')
      for (const one of node.BoolExpr.args as Node[]) this.conditions(one, scope);
    const { kind, name, lexpr, rexpr } = (node.A_Expr ?? {}) as Node;
    if (name?.[0]?.String?.sval === '=') {
      if (kind === 'AEXPR_OP') {
        const [left, right] = [itemsOf(lexpr as Node), itemsOf(rexpr as Node)];
        left.forEach((one, i) => right[i] && this.equate(one, right[i], scope));
      } else if (kind === 'AEXPR_OP_ANY' || kind === 'AEXPR_IN') {
        this.amongRows(lexpr as Node, scope);
      }
    }
    if (node.SubLink?.subLinkType === 'ANY_SUBLINK') this.amongRows(node.SubLink.testexpr as Node, scope);
  }

  private amongRows(node: Node, scope: Scope): void {
    for (const one of itemsOf(node)) {
      const key = one.ColumnRef && this.resolve(one, scope);
      if (key) this.join(key as string, `rows ${key as string}`);
    }
  }

  private equate(left: Node, right: Node, scope: Scope): void {
    if (!left.ColumnRef && !right.ColumnRef) return;
    this.join(this.valueOf(left, scope), this.valueOf(right, scope));
  }

  /** Subqueries anywhere in an expression. */
  private subqueries(node: unknown, scope: Scope, ctes: Ctes): void {
    if (typeof node !== 'object' || node === null) return;
    if (STATEMENTS.some((one) => one in node)) {
      this.read(node, scope, ctes);
      return;
    }
    for (const one of Object.values(node)) this.subqueries(one, scope, ctes);
  }

  private columns(targets: Node[], scope: Scope): Columns {
    const columns = new Map<string, string>();
    targets.forEach(({ ResTarget: { name, val } }, i) => {
      const last = (val?.ColumnRef?.fields as Node[] | undefined)?.at(-1);
      if (last?.A_Star) {
        for (const [alias, source] of scope.names)
          if (source.kind === 'ours') columns.set(this.column, this.keyOf(scope, alias));
          else if (source.kind === 'given')
            for (const [column, key] of source.columns) columns.set(column, key);
      } else if (val)
        columns.set(
          (name ?? last?.String?.sval ?? `column ${i}`) as string,
          this.valueOf(val as Node, scope),
        );
    });
    return columns;
  }

  /** What names an expression's value: a parameter, a constant, or a column. */
  private valueOf(node: Node, scope: Scope): string {
    if (node.TypeCast) return this.valueOf(node.TypeCast.arg as Node, scope);
    if (node.ColumnRef) return this.resolve(node, scope);
    if (node.ParamRef) return this.known(`value $${node.ParamRef.number}`);
    const text = JSON.stringify(node, (key, value: unknown) => (key === 'location' ? undefined : value));
    // Of an expression over columns nothing is known.
    return this.known(`${text.includes('"ColumnRef"') ? 'column' : 'value'} ${text}`);
  }

  private resolve({ ColumnRef }: Node, scope: Scope): string {
    const fields = (ColumnRef.fields as Node[]).map((field) => field.String?.sval as string);
    const [column, alias] = [fields.at(-1)!, fields.at(-2)];
    for (let at: Scope | undefined = scope; at; at = at.outer)
      for (const [name, source] of at.names) {
        if (alias !== undefined ? name !== alias : !this.mayHave(source, column)) continue;
        if (source.kind === 'ours' && column === this.column) return this.keyOf(at, name);
        if (source.kind === 'given')
          return source.columns.get(column) ?? this.known(`rows ${at.id}.${name}.${column}`);
        return this.known(`column ${at.id}.${name}.${column}`);
      }
    return this.known(`column ${column}`);
  }

  private mayHave(source: Named, column: string): boolean {
    return source.kind === 'given'
      ? source.columns.has(column)
      : column === this.column && source.kind === 'ours';
  }

  private keyOf({ id }: Scope, name: string): string {
    return this.known(`column ${id}.${name}`);
  }

  private known(key: string): string {
    if (!this.equals.has(key)) this.equals.set(key, key);
    return key;
  }

  private join(one: string, other: string): void {
    this.equals.set(this.root(this.known(one)), this.root(this.known(other)));
  }

  private root(key: string): string {
    const next = this.equals.get(key)!;
    return next === key ? key : this.root(next);
  }
}

function itemsOf(node: Node): Node[] {
  return (node.RowExpr?.args as Node[] | undefined) ?? [node];
}

function renamed(columns: Columns, names: Node[] | undefined): Columns {
  if (!names) return columns;
  const given = [...columns.values()];
  return new Map(
    names.map(({ String: { sval } }, i) => [sval as string, given[i] ?? '']).filter(([, key]) => key) as [
      string,
      string,
    ][],
  );
}
