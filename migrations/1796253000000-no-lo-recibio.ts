import type { MigrationInterface, QueryRunner } from 'typeorm';
import { EVENTO_LISTS, removeWebhookEventos, setValues } from './evento-lists.js';

const EVENTO = 'guia.destinatario_no_recibio';

/** The last type that merchants may subscribe to; in the lists of endpoints those of operators alone follow. */
const BEFORE = 'guia.advertencia';

/**
 * That a delivered parcel did not arrive is an event of its own, which merchants and operators may subscribe to. Reports that
 * were kept before stay as they are, and count.
 */
export class NoLoRecibio1796253000000 implements MigrationInterface {
  name = 'NoLoRecibio1796253000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const list of EVENTO_LISTS)
      await setValues(runner, list, (values) =>
        list.of.startsWith('domain')
          ? [...values, EVENTO]
          : values.flatMap((value) => (value === BEFORE ? [value, EVENTO] : [value])),
      );
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
