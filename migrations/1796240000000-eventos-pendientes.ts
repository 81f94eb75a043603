import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events that wait for their dispatch have a table of their own, so that an event is written once. A process of an older
 * version records no event any more: its statement names a column that is gone, and its change is rolled back.
 */
export class EventosPendientes1796240000000 implements MigrationInterface {
  name = 'EventosPendientes1796240000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('lock table eventos');
    await runner.query(`create table eventos_pendientes (
      id uuid constraint eventos_pendientes_pkey primary key,
      comercio_id uuid not null,
      guia_id uuid not null
    )`);
    await runner.query(`insert into eventos_pendientes (id, comercio_id, guia_id)
      select id, comercio_id, guia_id from eventos where despachado_en is null and proximo_en is null`);
    await runner.query('drop index eventos_pendientes_idx, eventos_apartados_idx');
    await runner.query(
      'create index eventos_apartados_idx on eventos (proximo_en) where proximo_en is not null',
    );
    await runner.query(
      'update eventos set proximo_en = null where proximo_en is not null and despachado_en is not null',
    );
    await runner.query('alter table eventos drop column despachado_en');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('lock table eventos');
    // A constant default is stored once, not in each row.
    await runner.query('alter table eventos add column despachado_en timestamptz(3) default now()');
    await runner.query('alter table eventos alter column despachado_en drop default');
    await runner.query(`update eventos e set despachado_en = null from eventos_pendientes p
      where e.comercio_id = p.comercio_id and e.guia_id = p.guia_id and e.id = p.id`);
    await runner.query('update eventos set despachado_en = null where proximo_en is not null');
    await runner.query('drop table eventos_pendientes');
    await runner.query('drop index eventos_apartados_idx');
    await runner.query(
      'create index eventos_apartados_idx on eventos (proximo_en) where despachado_en is null and proximo_en is not null',
    );
    await runner.query(
      'create index eventos_pendientes_idx on eventos (id) where despachado_en is null and proximo_en is null',
    );
  }
}
