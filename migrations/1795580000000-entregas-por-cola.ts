import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is due in one queue is found without reading what is due in the other. */
export class EntregasPorCola1795580000000 implements MigrationInterface {
  name = 'EntregasPorCola1795580000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create index webhook_entregas_cola_idx on webhook_entregas (lenta, proximo_en) where estado = 'pendiente'`,
    );
    await runner.query('drop index webhook_entregas_pendientes_idx');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create index webhook_entregas_pendientes_idx on webhook_entregas (proximo_en) where estado = 'pendiente'`,
    );
    await runner.query('drop index webhook_entregas_cola_idx');
  }
}
