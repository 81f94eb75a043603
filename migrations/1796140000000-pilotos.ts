import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Drivers, and the link to the page of each. */
export class Pilotos1796140000000 implements MigrationInterface {
  name = 'Pilotos1796140000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table pilotos (
      id uuid not null constraint pilotos_pkey primary key,
      nombre varchar(120) not null constraint pilotos_nombre_check check (nombre <> ''),
      telefono telefono_e164,
      activo boolean not null default true,
      creado_en timestamptz(3) not null,
      visto_en timestamptz(3),
      operador_id uuid not null,
      ref text,
      enlace_hash bytea,
      enlace_vence_en timestamptz(3),
      constraint pilotos_enlace_check check ((enlace_hash is null) = (enlace_vence_en is null))
    )`);
    await runner.query(
      'create unique index pilotos_ref_key on pilotos (operador_id, ref) where ref is not null',
    );
    await runner.query(
      'create unique index pilotos_enlace_key on pilotos (enlace_hash) where enlace_hash is not null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table pilotos');
  }
}
