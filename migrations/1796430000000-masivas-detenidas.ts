import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Staff stops an action on many guides; what it has done stays. */
export class MasivasDetenidas1796430000000 implements MigrationInterface {
  name = 'MasivasDetenidas1796430000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table masivas add detenida_en timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table masivas drop column detenida_en');
  }
}
