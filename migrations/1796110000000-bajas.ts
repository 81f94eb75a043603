import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who asked for an opt-out; and which of the numbers of one line was named, as the others follow from it. */
export class Bajas1796110000000 implements MigrationInterface {
  name = 'Bajas1796110000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table bajas
      add column origen text not null default 'destinatario'
        constraint bajas_origen_check check (origen in ('destinatario', 'operador', 'soporte')),
      add column es_variante boolean not null default false,
      add column id uuid not null default gen_random_uuid()`);
    await runner.query('create unique index bajas_id_key on bajas (id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table bajas drop column origen, drop column es_variante, drop column id');
  }
}
