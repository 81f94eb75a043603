import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The end of a rotation's overlap, which is not the expiry that was asked for: a next rotation copies the latter. */
export class SolapeDeClaves1795350000000 implements MigrationInterface {
  name = 'SolapeDeClaves1795350000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table claves_api add column solape_hasta timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('update claves_api set expira_en = least(expira_en, solape_hasta)');
    await runner.query('alter table claves_api drop column solape_hasta');
  }
}
