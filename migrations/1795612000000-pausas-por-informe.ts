import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A pause knows whether it began with a report, so that an accepted message alone does not end it. */
export class PausasPorInforme1795612000000 implements MigrationInterface {
  name = 'PausasPorInforme1795612000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table pausas add column por_informe boolean not null default false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table pausas drop column por_informe');
  }
}
