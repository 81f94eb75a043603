import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What old rows are found by. Quotas are of a keyed hash instead of a phone; those of the last 24 hours begin anew. */
export class Retencion1795350100000 implements MigrationInterface {
  name = 'Retencion1795350100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index confirmaciones_creada_idx on confirmaciones (creada_en)');
    await runner.query('drop table cupos_telefono');
    await runner.query(`create table cupos_telefono (
      huella bytea constraint cupos_telefono_pkey primary key
        constraint cupos_telefono_huella_check check (octet_length(huella) = 32),
      enviados timestamptz(3)[] not null,
      ultimo_en timestamptz(3) not null
    )`);
    await runner.query('create index cupos_telefono_ultimo_idx on cupos_telefono (ultimo_en)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table cupos_telefono');
    await runner.query(`create table cupos_telefono (
      telefono text constraint cupos_telefono_pkey primary key,
      enviados timestamptz(3)[] not null
    )`);
    await runner.query('drop index confirmaciones_creada_idx');
  }
}
