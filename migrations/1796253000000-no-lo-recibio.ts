import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addWebhookEventos, removeWebhookEventos } from './evento-lists.js';

const EVENTO = 'guia.destinatario_no_recibio';

/**
 * That a delivered parcel did not arrive is an event of its own, which merchants and operators may subscribe to. Reports that
 * were kept before stay as they are, and count.
 */
export class NoLoRecibio1796253000000 implements MigrationInterface {
  name = 'NoLoRecibio1796253000000';

  async up(runner: QueryRunner): Promise<void> {
    await addWebhookEventos(runner, [EVENTO]);
  }

  async down(runner: QueryRunner): Promise<void> {
    // A report is kept as it was before: as a change by the recipient.
    await runner.query(
      `update eventos set tipo = 'guia.actualizada',
        datos = datos || '{"campos": ["advertencias"], "no_recibio": true}' where tipo = $1`,
      [EVENTO],
    );
    await removeWebhookEventos(runner, [EVENTO]);
  }
}
