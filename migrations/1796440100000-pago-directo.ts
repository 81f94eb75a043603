import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was paid to the merchant has an index, as the other states of amounts; the checks of the migration before hold for all rows. */
export class PagoDirecto1796440100000 implements MigrationInterface {
  name = 'PagoDirecto1796440100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table cobros validate constraint cobros_pago_check');
    await runner.query('alter table cobros validate constraint cobros_estado_check');
    await runner.query(
      `create index cobros_sin_cobro_idx on cobros (comercio_id, guia_id) where estado = 'sin_cobro'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index cobros_sin_cobro_idx');
  }
}
