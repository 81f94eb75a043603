import type { MigrationInterface, QueryRunner } from 'typeorm';

const EVENTO = 'guia.destinatario_niega';

/** The type that it follows in each list, as in the code. */
const BEFORE = 'guia.mensaje_fallido';

/** A phone by which recipients reach the merchant, and the recipient's answer that the parcel is not theirs. */
export class Destinatario1795520000000 implements MigrationInterface {
  name = 'Destinatario1795520000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table comercios add column telefono_contacto text
      constraint comercios_telefono_contacto_check check (telefono_contacto ~ '^\\+[1-9][0-9]{3,14}$')`);
    for (const list of LISTS)
      await setValues(runner, list, (values) =>
        values.flatMap((value) => (value === BEFORE ? [value, EVENTO] : [value])),
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('delete from webhook_mensajes where evento = $1', [EVENTO]);
    await runner.query(
      `update webhooks set eventos = array['guia.creada'] where eventos = array['${EVENTO}']`,
    );
    await runner.query('update webhooks set eventos = array_remove(eventos, $1)', [EVENTO]);
    await runner.query('delete from eventos where tipo = $1', [EVENTO]);
    await runner.query(`update guias set advertencias = array_remove(advertencias, 'destinatario_niega')
      where advertencias @> '{destinatario_niega}'`);
    for (const list of LISTS)
      await setValues(runner, list, (values) => values.filter((value) => value !== EVENTO));
    await runner.query('alter table comercios drop column telefono_contacto');
  }
}

/** A constraint that lists the types of events that a column or a domain accepts. */
interface List {
  constraint: string;
  /** What it belongs to, for `alter`. */
  of: string;
  /** The rule with a list of SQL literals. */
  rule: (values: string) => string;
}

const LISTS: List[] = [
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
async function setValues(
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
