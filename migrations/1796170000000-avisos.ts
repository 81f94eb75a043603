import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A merchant's program may ask for its events in place of receiving them: they are kept for a day, in the order in which it asks. */
export class Avisos1796170000000 implements MigrationInterface {
  name = 'Avisos1796170000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table comercios add column escucha_desde timestamptz(3)');
    await runner.query(`create table avisos (
      id uuid constraint avisos_pkey primary key,
      comercio_id uuid not null,
      mensaje_id uuid not null constraint avisos_mensaje_key unique
    )`);
    await runner.query('create index avisos_comercio_idx on avisos (comercio_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table avisos');
    await runner.query('alter table comercios drop column escucha_desde');
  }
}
