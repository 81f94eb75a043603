import type { QueryRunner } from 'typeorm';

/** A constraint that lists the types of events that a column or a domain accepts. */
interface List {
  constraint: string;
  /** What it belongs to, for `alter`. */
  of: string;
  /** The rule with a list of SQL literals. */
  rule: (values: string) => string;
}

/** Every list of types of events. */
export const EVENTO_LISTS: List[] = [
  {
    constraint: 'evento_tipo_check',
    of: 'domain evento_tipo',
    rule: (values) => `value in (${values})`,
  },
  {
    constraint: 'webhooks_eventos_check',
    of: 'table webhooks',
    rule: (values) => `cardinality(eventos) > 0 and eventos <@ array[${values}]`,
  },
  {
    constraint: 'webhook_mensajes_evento_check',
    of: 'table webhook_mensajes',
    rule: (values) => `evento in (${values})`,
  },
];

/** Changes a list; what other migrations put into it stays. */
export async function setValues(
  runner: QueryRunner,
  { constraint, of, rule }: List,
  change: (values: string[]) => string[],
): Promise<void> {
  const [{ definition }] = (await runner.query(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = '${constraint}'`,
  )) as [{ definition: string }];
  const values = change([...definition.matchAll(/'([^']+)'/g)].map(([, value]) => value!));
  const literals = values.map((value) => `'${value}'`).join(', ');
  await runner.query(`alter ${of} drop constraint ${constraint}`);
  await runner.query(`alter ${of} add constraint ${constraint} check (${rule(literals)})`);
}

/** Stands at the end of the list of messages; merchants do not subscribe to it. */
const PRUEBA = 'webhook.prueba';

/** Adds types of events that merchants may subscribe to, at the end of each list. */
export async function addWebhookEventos(runner: QueryRunner, tipos: readonly string[]): Promise<void> {
  for (const list of EVENTO_LISTS)
    await setValues(runner, list, (values) => [
      ...values.filter((value) => value !== PRUEBA),
      ...tipos,
      ...values.filter((value) => value === PRUEBA),
    ]);
}

/** Removes types of events, and what was recorded of them. */
export async function removeWebhookEventos(runner: QueryRunner, tipos: readonly string[]): Promise<void> {
  await runner.query('delete from webhook_mensajes where evento = any ($1)', [tipos]);
  await runner.query(`update webhooks set eventos = array['guia.creada'] where eventos <@ $1`, [tipos]);
  for (const tipo of tipos)
    await runner.query('update webhooks set eventos = array_remove(eventos, $1)', [tipo]);
  await runner.query('delete from eventos where tipo = any ($1)', [tipos]);
  for (const list of EVENTO_LISTS)
    await setValues(runner, list, (values) => values.filter((value) => !tipos.includes(value)));
}
