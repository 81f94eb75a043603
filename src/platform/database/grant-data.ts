import pg from 'pg';
import { clientFor, SCRAM_ALONE } from './connection.js';
import { QUEUE_SCHEMA } from './queue-tables.js';

/** A backup that is restored without privileges lets every role call security definer functions. */
const OPEN = `
  select format('revoke execute on function %s from public', oid::regprocedure) as statement
  from pg_proc
  where pronamespace = 'public'::regnamespace and prosecdef and pg_has_role(current_user, proowner, 'USAGE')
    and (proacl is null or exists (select from aclexplode(proacl) where grantee = 0 and privilege_type = 'EXECUTE'))`;

/**
 * The service role's missing privileges: usage of schemas and sequences, reading and writing the owner's tables there,
 * and execution of the owner's functions; TypeORM's list of migrations is read-only. It may create objects only in
 * BullMQ's schema, where each queue creates a sequence with its first jobs.
 */
const MISSING = `
  select format('grant usage on schema %I to %I', nspname, $1::name) as statement
  from pg_namespace
  where nspname in ('public', '${QUEUE_SCHEMA}') and not has_schema_privilege($1::name, oid, 'USAGE')
  union all
  select format('grant create on schema %I to %I', nspname, $1::name)
  from pg_namespace
  where nspname = '${QUEUE_SCHEMA}' and not has_schema_privilege($1::name, oid, 'CREATE')
  union all
  select format('grant %s on %I.%I to %I', privileges, nspname, relname, $1::name)
  from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    cross join lateral (
      select case when relkind = 'S' then 'USAGE' when relname = 'migraciones' then 'SELECT'
        else 'SELECT, INSERT, UPDATE, DELETE' end as privileges
    ) as needed
  where nspname in ('public', '${QUEUE_SCHEMA}') and relkind in ('r', 'p', 'S')
    and pg_has_role(current_user, relowner, 'USAGE')
    and exists (
      select from unnest(string_to_array(privileges, ', ')) privilege
      where not case relkind when 'S' then has_sequence_privilege($1::name, c.oid, privilege)
        else has_table_privilege($1::name, c.oid, privilege) end
    )
  union all
  select format('grant execute on function %s to %I', oid::regprocedure, $1::name)
  from pg_proc
  where pronamespace = 'public'::regnamespace and pg_has_role(current_user, proowner, 'USAGE')
    and not has_function_privilege($1::name, oid, 'EXECUTE')`;

/**
 * Creates the service's role if it does not exist, and grants its missing privileges.
 * @param owner a connection of the tables' owner, or of the service's role itself, which is granted nothing.
 * @param serviceUrl name and password of the role.
 */
export async function grantData(owner: pg.Client, serviceUrl: string): Promise<void> {
  await execute(owner, OPEN);
  const { user, password } = clientFor(serviceUrl);
  if (user === undefined || user === owner.user) return;
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [user]);
  const login = `role ${pg.escapeIdentifier(user)} login password ${pg.escapeLiteral(password ?? '')}`;
  if (!rowCount) await owner.query(`create ${login}`);
  // The embedded server's superuser may have a new password, from which the role's is derived.
  else if (serviceUrl.endsWith(SCRAM_ALONE)) await owner.query(`alter ${login}`);
  await execute(owner, MISSING, [user]);
}

/** Executes the statements that a query finds. */
async function execute(owner: pg.Client, query: string, values: string[] = []): Promise<void> {
  const { rows } = await owner.query<{ statement: string }>(query, values);
  if (rows.length > 0) await owner.query(rows.map(({ statement }) => statement).join(';'));
}
