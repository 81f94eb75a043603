import type { MigrationInterface, QueryRunner } from 'typeorm';

const TIPOS = ['guia.cobro_corregido', 'liquidacion.pagada'];

const GUIA_EVENTOS = `'guia.creada', 'guia.confirmada', 'guia.estado_cambiado', 'guia.mensaje_fallido', 'guia.cancelada'`;

/** The correction of an amount, and the payment of a settlement, which merchants' systems are told of. */
export class EventosDeCobros1795380100000 implements MigrationInterface {
  name = 'EventosDeCobros1795380100000';

  async up(runner: QueryRunner): Promise<void> {
    await setTipos(runner, (tipos) => [...tipos, ...TIPOS]);
    await setWebhookEventos(runner, `${GUIA_EVENTOS}, 'liquidacion.pagada'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from webhook_mensajes where evento = 'liquidacion.pagada'`);
    await runner.query(
      `update webhooks set eventos = array['guia.creada'] where eventos = array['liquidacion.pagada']`,
    );
    await runner.query(`update webhooks set eventos = array_remove(eventos, 'liquidacion.pagada')`);
    await setWebhookEventos(runner, GUIA_EVENTOS);
    await runner.query('delete from eventos where tipo = any ($1)', [TIPOS]);
    await setTipos(runner, (tipos) => tipos.filter((tipo) => !TIPOS.includes(tipo)));
  }
}

/** Changes the list of types that the column accepts; the ones of other migrations stay. */
async function setTipos(runner: QueryRunner, change: (tipos: string[]) => string[]): Promise<void> {
  const [{ rule }] = (await runner.query(
    `select pg_get_constraintdef(oid) as rule from pg_constraint where conname = 'evento_tipo_check'`,
  )) as [{ rule: string }];
  const tipos = change([...rule.matchAll(/'([^']+)'/g)].map(([, tipo]) => tipo!));
  await runner.query('alter domain evento_tipo drop constraint evento_tipo_check');
  await runner.query(
    `alter domain evento_tipo add constraint evento_tipo_check check (value in (${tipos.map((tipo) => `'${tipo}'`).join(', ')}))`,
  );
}

async function setWebhookEventos(runner: QueryRunner, eventos: string): Promise<void> {
  await runner.query(`alter table webhooks drop constraint webhooks_eventos_check,
    add constraint webhooks_eventos_check check (cardinality(eventos) > 0 and eventos <@ array[${eventos}])`);
  await runner.query(`alter table webhook_mensajes drop constraint webhook_mensajes_evento_check,
    add constraint webhook_mensajes_evento_check check (evento in (${eventos}, 'webhook.prueba'))`);
}
