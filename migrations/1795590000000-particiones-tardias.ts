import type { MigrationInterface, QueryRunner } from 'typeorm';

const FUNCTIONS = [
  // As before, but where rows of the month are in the partition for all others already, it fails at once: with
  // 23514, as PostgreSQL itself does after it has read that whole partition while nobody else may use the table.
  `create or replace function crear_particion(de text, mes date) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '250ms'
  as $$
  declare
    inicio timestamp := date_trunc('month', mes::timestamp);
    desde uuid := public.primer_id(inicio at time zone 'UTC');
    hasta uuid := public.primer_id((inicio + interval '1 month') at time zone 'UTC');
    columna name;
    es_tarde boolean;
  begin
    if not exists (select from public.particiones() where tabla = de) then
      raise exception '% has no partitions', de;
    end if;
    perform pg_advisory_xact_lock(hashtext('particiones'));
    select attname into columna from pg_partitioned_table join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
      where partrelid = format('public.%I', de)::regclass;
    execute format('select exists (select from public.%1$I where %2$I >= %3$L and %2$I < %4$L)',
      de || '_resto', columna, desde, hasta) into es_tarde;
    if es_tarde then
      raise check_violation using message = format('rows of %s are in %s already', to_char(mes, 'YYYY-MM'), de || '_resto');
    end if;
    execute format('create table if not exists public.%I partition of public.%I for values from (%L) to (%L)',
      de || to_char(mes, '_YYYY_MM'), de, desde, hasta);
  end
  $$`,

  // As before, but asks a catalog of this moment whether the partition is there: what a session has cached may name one that
  // another has dropped while this one waited.
  `create or replace function soltar_particion(nombre text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '250ms'
  as $$
  begin
    perform pg_advisory_xact_lock(hashtext('particiones'));
    if not exists (select from pg_class where relname = nombre and relnamespace = 'public'::regnamespace) then
      return;
    end if;
    if not exists (
      select from public.particiones()
      where particion = nombre and hasta <= public.primer_id(now() - interval '30 days')
    ) then
      raise exception '% is no partition of old rows', nombre;
    end if;
    execute format('drop table public.%I', nombre);
  end
  $$`,
];

/** Two workers no longer hinder each other where they make and drop the months of the same tables. */
export class ParticionesTardias1795590000000 implements MigrationInterface {
  name = 'ParticionesTardias1795590000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of FUNCTIONS) await runner.query(statement);
  }

  /** The version before works with these functions, too. */
  async down(): Promise<void> {}
}
