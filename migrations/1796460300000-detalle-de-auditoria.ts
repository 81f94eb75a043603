import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an action was about has room for two references of a payment, and for the numbers of many guides. */
export class DetalleDeAuditoria1796460300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table auditoria drop constraint auditoria_detalle_check,
        add constraint auditoria_detalle_check check (char_length(detalle) between 1 and 500);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update auditoria set detalle = left(detalle, 200) where char_length(detalle) > 200;
      alter table auditoria drop constraint auditoria_detalle_check,
        add constraint auditoria_detalle_check check (char_length(detalle) between 1 and 200);
    `);
  }
}
