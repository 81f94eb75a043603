import type { MigrationInterface, QueryRunner } from 'typeorm';
import { setValues } from './evento-lists.js';

const TIPO = 'pin_de_entrega';

const TIPOS = {
  constraint: 'mensajes_tipo_check',
  of: 'table mensajes',
  rule: (values: string) => `tipo in (${values})`,
};

/** The PIN of a delivery is sent to the recipient, too. */
export class MensajesConPin1796232000000 implements MigrationInterface {
  name = 'MensajesConPin1796232000000';

  async up(runner: QueryRunner): Promise<void> {
    await setValues(runner, TIPOS, (values) => [...values, TIPO]);
    await setSubject(runner, `tipo not in ('confirmacion_ubicacion', '${TIPO}')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'delete from mensaje_intentos where mensaje_id in (select id from mensajes where tipo = $1)',
      [TIPO],
    );
    await runner.query('delete from mensajes where tipo = $1', [TIPO]);
    await setSubject(runner, `tipo <> 'confirmacion_ubicacion'`);
    await setValues(runner, TIPOS, (values) => values.filter((value) => value !== TIPO));
  }
}

/** @param answers SQL condition: the message answers a person, so that it needs no guide. */
async function setSubject(runner: QueryRunner, answers: string): Promise<void> {
  await runner.query('alter table mensajes drop constraint mensajes_confirmacion_check');
  await runner.query(`alter table mensajes add constraint mensajes_confirmacion_check
    check (${answers} or (guia_id is not null and telefono is not null))`);
}
