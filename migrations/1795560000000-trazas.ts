import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The trace that an event belongs to. Without a check, which would read all events under a lock. */
export class Trazas1795560000000 implements MigrationInterface {
  name = 'Trazas1795560000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table eventos add column traza text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table eventos drop column traza');
  }
}
