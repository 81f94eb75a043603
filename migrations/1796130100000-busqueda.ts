import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Guides are found by parts of names and references in a table of its own, which a job fills with the guides that exist; a
 * guide's row has an index less to be written with each of its changes.
 */
export class Busqueda1796130100000 implements MigrationInterface {
  name = 'Busqueda1796130100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table busqueda (
      comercio_id uuid not null,
      guia_id uuid not null,
      texto text not null,
      constraint busqueda_pkey primary key (comercio_id, guia_id)
    )`);
    // After a table, so that who may make neither is told to migrate as the owner.
    await runner.query('create extension if not exists pg_trgm');
    await runner.query('create index busqueda_texto_idx on busqueda using gin (texto gin_trgm_ops)');
    await runner.query(`create table busqueda_avance (
      paso text constraint busqueda_avance_pkey primary key
        constraint busqueda_avance_paso_check check (paso in ('nuevas', 'todas')),
      hasta_id uuid not null
    )`);
    await runner.query(`insert into busqueda_avance (paso, hasta_id) values
      ('todas', '00000000-0000-0000-0000-000000000000'),
      ('nuevas', rpad(lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0'), 32, '0')::uuid)`);
    await runner.query('drop index guias_destinatario_idx');
  }

  /** The extension stays: somebody else may have made it. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`create index guias_destinatario_idx on guias (comercio_id, clave_lugar(destinatario) text_pattern_ops, id)
      where destinatario <> ''`);
    await runner.query('drop table busqueda_avance, busqueda');
  }
}
