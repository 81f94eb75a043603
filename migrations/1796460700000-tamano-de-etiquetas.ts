import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The size of a shop's labels. */
export class TamanoDeEtiquetas1796460700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table panel_ajustes add column tamano varchar(20) not null default '100x150'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table panel_ajustes drop column tamano');
  }
}
