import type { MigrationInterface, QueryRunner } from 'typeorm';

const TIPOS_BEFORE = `'guia.creada', 'guia.confirmacion_pedida', 'guia.confirmada', 'guia.mensaje_fallido', 'guia.mensaje_omitido',
    'guia.enlace_leido', 'guia.enlace_fallido'`;

const CHANGES = [
  `create table operadores (
    id uuid constraint operadores_pkey primary key,
    nombre text not null constraint operadores_nombre_key unique
      constraint operadores_nombre_check check (char_length(nombre) between 1 and 120),
    creado_en timestamptz(3) not null default now()
  )`,

  `alter table claves_api alter column comercio_id drop not null`,
  `alter table claves_api add column operador_id uuid constraint claves_api_operador_fkey references operadores (id)`,
  `create index claves_api_operador_idx on claves_api (operador_id) where operador_id is not null`,
  // The owner decides the scopes: an operator's key has none of the merchants', and the reverse.
  `alter table claves_api add constraint claves_api_titular_check check (
    case when operador_id is null then comercio_id is not null and not 'operaciones' = any (alcances)
    else comercio_id is null and alcances = array['operaciones'] end)`,
  // Keys with all scopes keep all scopes.
  `update claves_api set alcances = alcances || array['webhooks']
    where alcances @> array['guias:leer', 'guias:escribir']`,

  // Number of changes of the guide, and its ETag. An event has the version it made, which orders events.
  `alter table guias add column version integer not null default 1`,
  // When the guide moved to its state, as reported by the operator; null until its first move.
  `alter table guias add column estado_en timestamptz(3)`,
  // When the recipient's phone last changed; null if never. Messages to an earlier phone no longer count.
  `alter table guias add column telefono_desde timestamptz(3)`,
  // Operators name a guide without its merchant. The condition always holds: it keeps the planner from reading
  // a merchant's list through this index, past the guides of all other merchants.
  `create index guias_id_idx on guias (id) where guia <> ''`,

  `alter table eventos add column secuencia integer not null default 1`,
  `alter table eventos add column actor text not null default 'comercio'`,
  `alter table eventos add column ocurrido_en timestamptz(3)`,
  `alter table eventos add column operador_id uuid`,
  `alter table eventos add column ref text`,
  `update eventos e set secuencia = contado.secuencia, actor = case
      when e.tipo = 'guia.creada' then 'comercio' when e.tipo = 'guia.confirmada' then 'destinatario' else 'sistema' end
    from (select comercio_id, guia_id, id, row_number() over (partition by comercio_id, guia_id order by creado_en, id) as secuencia
      from eventos) contado
    where e.comercio_id = contado.comercio_id and e.guia_id = contado.guia_id and e.id = contado.id
      and (contado.secuencia > 1 or e.tipo <> 'guia.creada')`,
  `update guias g set version = contado.eventos
    from (select comercio_id, guia_id, max(secuencia) as eventos from eventos group by 1, 2) contado
    where g.comercio_id = contado.comercio_id and g.id = contado.guia_id and contado.eventos > 1`,
  `create unique index eventos_ref_key on eventos (operador_id, guia_id, ref) where ref is not null`,
  `alter table eventos add constraint eventos_actor_check
    check (actor in ('comercio', 'operador', 'destinatario', 'sistema'))`,
  `alter table eventos drop constraint eventos_tipo_check`,
  `alter table eventos add constraint eventos_tipo_check check (tipo in (
    'guia.creada', 'guia.confirmacion_pedida', 'guia.confirmada', 'guia.estado_cambiado', 'guia.cancelada',
    'guia.mensaje_fallido', 'guia.mensaje_omitido', 'guia.enlace_leido', 'guia.enlace_fallido', 'guia.actualizada',
    'guia.evento_tardio', 'guia.cod_distinto'))`,
];

export class CicloDeVida1795305600000 implements MigrationInterface {
  name = 'CicloDeVida1795305600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CHANGES) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from eventos where tipo not in (${TIPOS_BEFORE})`);
    await runner.query('alter table eventos drop constraint eventos_tipo_check');
    await runner.query(
      `alter table eventos add constraint eventos_tipo_check check (tipo in (${TIPOS_BEFORE}))`,
    );
    await runner.query(
      'alter table eventos drop column secuencia, drop column actor, drop column ocurrido_en, drop column operador_id, drop column ref',
    );
    await runner.query('drop index guias_id_idx');
    await runner.query(
      'alter table guias drop column version, drop column estado_en, drop column telefono_desde',
    );
    await runner.query('delete from claves_api where operador_id is not null');
    await runner.query(`alter table claves_api drop constraint claves_api_titular_check`);
    await runner.query(`delete from claves_api where alcances = array['webhooks']`);
    await runner.query(`update claves_api set alcances = array_remove(alcances, 'webhooks')`);
    await runner.query('alter table claves_api drop column operador_id');
    await runner.query('alter table claves_api alter column comercio_id set not null');
    await runner.query('drop table operadores');
  }
}
