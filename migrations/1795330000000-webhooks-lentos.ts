import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which endpoints are slow, and in which of the two queues a delivery is: those of older versions are in the first.
 * And the last test of each endpoint.
 */
export class WebhooksLentos1795330000000 implements MigrationInterface {
  name = 'WebhooksLentos1795330000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table webhooks add column lento boolean not null default true, add column prueba_id uuid',
    );
    await runner.query('alter table webhook_entregas add column lenta boolean not null default false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhook_entregas drop column lenta');
    await runner.query('alter table webhooks drop column lento, drop column prueba_id');
  }
}
