import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Warnings that a side has seen, so that they no longer stand in its first page. */
export class AdvertenciasVistas1796253100000 implements MigrationInterface {
  name = 'AdvertenciasVistas1796253100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table advertencias_vistas (
      comercio_id uuid not null,
      guia_id uuid not null,
      lado varchar(20) not null,
      codigo varchar(50) not null,
      vista_en timestamptz(3) not null,
      constraint advertencias_vistas_pkey primary key (comercio_id, guia_id, lado, codigo)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table advertencias_vistas');
  }
}
