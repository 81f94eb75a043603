import type { MigrationInterface, QueryRunner } from 'typeorm';
import { EVENTO_LISTS, setValues } from './evento-lists.js';

const EVENTO = 'guia.destinatario_niega';

/** The type that it follows in each list, as in the code. */
const BEFORE = 'guia.mensaje_fallido';

/** A phone by which recipients reach the merchant, and the recipient's answer that the parcel is not theirs. */
export class Destinatario1795520000000 implements MigrationInterface {
  name = 'Destinatario1795520000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table comercios add column telefono_contacto text
      constraint comercios_telefono_contacto_check check (telefono_contacto ~ '^\\+[1-9][0-9]{3,14}$')`);
    for (const list of EVENTO_LISTS)
      await setValues(runner, list, (values) =>
        values.flatMap((value) => (value === BEFORE ? [value, EVENTO] : [value])),
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('delete from webhook_mensajes where evento = $1', [EVENTO]);
    await runner.query(
      `update webhooks set eventos = array['guia.creada'] where eventos = array['${EVENTO}']`,
    );
    await runner.query('update webhooks set eventos = array_remove(eventos, $1)', [EVENTO]);
    await runner.query('delete from eventos where tipo = $1', [EVENTO]);
    await runner.query(`update guias set advertencias = array_remove(advertencias, 'destinatario_niega')
      where advertencias @> '{destinatario_niega}'`);
    for (const list of EVENTO_LISTS)
      await setValues(runner, list, (values) => values.filter((value) => value !== EVENTO));
    await runner.query('alter table comercios drop column telefono_contacto');
  }
}
