import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Settled amounts whose delivery was taken back, a handful, have an index. */
export class CobrosDeshechos1796450100000 implements MigrationInterface {
  name = 'CobrosDeshechos1796450100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create index cobros_deshechos_idx on cobros (comercio_id, guia_id) where liquidacion_id is not null and pago is null`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index cobros_deshechos_idx');
  }
}
