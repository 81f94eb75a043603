import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is due for an endpoint in each queue is found without reading what waits for others, or for later. A delivery that
 * arrived is in the index of its key alone; those of a guide are found by their messages and its merchant's endpoints.
 */
export class EntregasPorEndpoint1796130000000 implements MigrationInterface {
  name = 'EntregasPorEndpoint1796130000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const index of ['cola', 'estado', 'mensaje'])
      await runner.query(`drop index webhook_entregas_${index}_idx`);
    await runner.query(`create index webhook_entregas_cola_idx on webhook_entregas (webhook_id, lenta, proximo_en)
      where estado = 'pendiente'`);
    await runner.query(`create index webhook_entregas_estado_idx on webhook_entregas (webhook_id, estado, mensaje_id)
      where estado <> 'entregada'`);
    await runner.query('drop index webhooks_comercio_idx');
    await runner.query('create index webhooks_comercio_idx on webhooks (comercio_id, eliminado_en, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index webhooks_comercio_idx');
    await runner.query(
      'create index webhooks_comercio_idx on webhooks (comercio_id, id) where eliminado_en is null',
    );
    for (const index of ['cola', 'estado']) await runner.query(`drop index webhook_entregas_${index}_idx`);
    await runner.query('create index webhook_entregas_mensaje_idx on webhook_entregas (mensaje_id)');
    await runner.query(
      'create index webhook_entregas_estado_idx on webhook_entregas (webhook_id, estado, mensaje_id)',
    );
    await runner.query(
      `create index webhook_entregas_cola_idx on webhook_entregas (lenta, proximo_en) where estado = 'pendiente'`,
    );
  }
}
