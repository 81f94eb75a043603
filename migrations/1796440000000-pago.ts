import type { MigrationInterface, QueryRunner } from 'typeorm';

const FOLLOWS = `(cod_cobrado is null) = (cobrado_en is null) and (cod_cobrado is not null or liquidacion_id is null)`;

const ESTADO = `check (${FOLLOWS} and estado = case when cod_cobrado is null then 'por_cobrar'
  when liquidacion_id is not null then 'liquidado' when pago = 'directo' then 'sin_cobro' else 'cobrado' end)`;

const FORMER_ESTADO = `check (${FOLLOWS} and estado = case when cod_cobrado is null then 'por_cobrar'
  when liquidacion_id is null then 'cobrado' else 'liquidado' end)`;

/**
 * How an amount was paid; what is stored was paid in cash. Nothing is read under the lock: the default of a new column needs no
 * pass over the table, and the next migration validates the checks.
 */
export class Pago1796440000000 implements MigrationInterface {
  name = 'Pago1796440000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table cobros add column pago text default 'efectivo',
      add constraint cobros_pago_check check (pago in ('efectivo', 'tarjeta', 'transferencia', 'directo')) not valid,
      drop constraint cobros_estado_check`);
    await runner.query(`alter table cobros add constraint cobros_estado_check ${ESTADO} not valid`);
  }

  /** What was paid to the merchant becomes an amount of 0 that was collected. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table cobros drop constraint cobros_estado_check');
    await runner.query(`update cobros set estado = 'cobrado' where estado = 'sin_cobro'`);
    await runner.query('alter table cobros drop column pago');
    await runner.query(`alter table cobros add constraint cobros_estado_check ${FORMER_ESTADO}`);
  }
}
