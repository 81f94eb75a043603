import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the panel remembers for a merchant, and the files that it imports. */
export class EntradaDelPanel1796231100000 implements MigrationInterface {
  name = 'EntradaDelPanel1796231100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table panel_ajustes (
      comercio_id uuid not null,
      guia jsonb not null default '{}',
      columnas jsonb not null default '{}',
      constraint panel_ajustes_pkey primary key (comercio_id)
    )`);
    await runner.query(`create table panel_archivos (
      comercio_id uuid not null,
      id uuid not null,
      nombre varchar(200) not null,
      separador varchar(1) not null,
      tabla jsonb not null,
      columnas jsonb not null,
      resultados jsonb not null default '{}',
      creado_en timestamptz(3) not null default now(),
      constraint panel_archivos_pkey primary key (comercio_id, id)
    )`);
    await runner.query('create index panel_archivos_creado_idx on panel_archivos (creado_en)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table panel_archivos');
    await runner.query('drop table panel_ajustes');
  }
}
