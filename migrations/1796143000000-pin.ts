import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Merchants whose parcels are delivered with a PIN, and the wrong ones that were tried. */
export class Pin1796143000000 implements MigrationInterface {
  name = 'Pin1796143000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table comercios add column con_pin boolean not null default false');
    await runner.query(`create table pin_fallos (
      comercio_id uuid not null,
      guia_id uuid not null,
      pin varchar(4) not null,
      constraint pin_fallos_pkey primary key (comercio_id, guia_id, pin)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table pin_fallos');
    await runner.query('alter table comercios drop column con_pin');
    await runner.query(`update guias set advertencias = array_remove(advertencias, 'entregado_sin_pin')
      where advertencias @> array['entregado_sin_pin']`);
  }
}
