import type { MigrationInterface, QueryRunner } from 'typeorm';
import { EVENTO_LISTS, setValues } from './evento-lists.js';

const ACTUALIZADA = 'guia.actualizada';
const PRUEBA = 'webhook.prueba';
const LISTS = EVENTO_LISTS.filter(({ constraint }) => constraint !== 'evento_tipo_check');

const CODES = ['comercio', 'operador', 'respuesta_410', 'cinco_dias_de_fallas'];
const allow = (codes: string[]) => `alter table webhooks drop constraint webhooks_desactivado_por_check,
  add constraint webhooks_desactivado_por_check check (desactivado_por in (${codes.map((code) => `'${code}'`).join(', ')}))`;

/** Operators have endpoints, too: for the guides of all merchants, also about changed data. */
export class WebhooksDeOperadores1796220000000 implements MigrationInterface {
  name = 'WebhooksDeOperadores1796220000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table webhooks alter column comercio_id drop not null,
      add column operador_id uuid constraint webhooks_operador_fkey references operadores (id),
      add constraint webhooks_titular_check check (num_nonnulls(comercio_id, operador_id) = 1)`);
    await runner.query(
      'create index webhooks_operador_idx on webhooks (operador_id, eliminado_en, id) where operador_id is not null',
    );
    await runner.query('alter table webhook_mensajes alter column comercio_id drop not null');
    await runner.query(allow(CODES));
    for (const list of LISTS)
      await setValues(runner, list, (values) => [
        ...values.filter((value) => value !== PRUEBA),
        ACTUALIZADA,
        ...values.filter((value) => value === PRUEBA),
      ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    const theirs = '(select id from webhooks where operador_id is not null)';
    for (const table of ['webhook_intentos', 'webhook_entregas'])
      await runner.query(`delete from ${table} where webhook_id in ${theirs}`);
    await runner.query('delete from webhook_mensajes where comercio_id is null');
    await runner.query('delete from webhooks where operador_id is not null');
    for (const list of LISTS)
      await setValues(runner, list, (values) => values.filter((value) => value !== ACTUALIZADA));
    await runner.query(allow(CODES.filter((code) => code !== 'operador')));
    await runner.query('alter table webhook_mensajes alter column comercio_id set not null');
    await runner.query('drop index webhooks_operador_idx');
    await runner.query(
      'alter table webhooks drop constraint webhooks_titular_check, drop column operador_id, alter column comercio_id set not null',
    );
  }
}
