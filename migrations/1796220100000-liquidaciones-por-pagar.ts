import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The settlements that are to be paid, at the day's close. */
export class LiquidacionesPorPagar1796220100000 implements MigrationInterface {
  name = 'LiquidacionesPorPagar1796220100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create index liquidaciones_por_pagar_idx on liquidaciones (id) where pagada_en is null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index liquidaciones_por_pagar_idx');
  }
}
