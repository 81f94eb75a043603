import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists find guides with warnings by an index; few guides have any, so it costs a create nothing. */
export class Advertencias1795390000000 implements MigrationInterface {
  name = 'Advertencias1795390000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create index guias_advertencias_idx on guias (comercio_id, id) where advertencias <> '{}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index guias_advertencias_idx');
  }
}
