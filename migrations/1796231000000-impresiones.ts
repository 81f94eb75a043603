import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a guide's label was last printed, and by what. */
export class Impresiones1796231000000 implements MigrationInterface {
  name = 'Impresiones1796231000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table impresiones (
      comercio_id uuid not null,
      guia_id uuid not null,
      por varchar(20) not null,
      impresa_en timestamptz(3) not null,
      constraint impresiones_pkey primary key (comercio_id, guia_id, por)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table impresiones');
  }
}
