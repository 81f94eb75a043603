import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a driver did and the service refused or did not apply, until the driver has read it. */
export class RechazosDePilotos1796400000000 implements MigrationInterface {
  name = 'RechazosDePilotos1796400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table piloto_rechazos (
      piloto_id uuid not null,
      ref uuid not null,
      guia varchar(36) not null,
      codigo varchar(50) not null,
      creado_en timestamptz(3) not null default clock_timestamp(),
      entendido_en timestamptz(3),
      constraint piloto_rechazos_pkey primary key (piloto_id, ref)
    )`);
    await runner.query('create index piloto_rechazos_creado_idx on piloto_rechazos (creado_en)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table piloto_rechazos');
  }
}
