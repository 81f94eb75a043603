import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Enlaces1795266000000 implements MigrationInterface {
  name = 'Enlaces1795266000000';

  async up(runner: QueryRunner): Promise<void> {
    // The guide's map links that are still to be resolved.
    await runner.query(`alter table guias add column enlaces_pendientes text[] not null default '{}'`);
    await runner.query(`alter table guias add constraint guias_enlaces_pendientes_check
      check (enlaces_pendientes <@ array['recogida', 'destino'])`);
    await runner.query(
      `create index guias_enlaces_pendientes_idx on guias (id) where enlaces_pendientes <> '{}'`,
    );
    // Existing guides: a pickup point without coordinates is a short link.
    await runner.query(`update guias set enlaces_pendientes = '{recogida}' where recogida_lat is null`);
    await runner.query('alter table eventos drop constraint eventos_tipo_check');
    await runner.query(`alter table eventos add constraint eventos_tipo_check check (tipo in (
      'guia.creada', 'guia.confirmacion_pedida', 'guia.confirmada', 'guia.mensaje_fallido', 'guia.mensaje_omitido',
      'guia.enlace_leido', 'guia.enlace_fallido'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from eventos where tipo in ('guia.enlace_leido', 'guia.enlace_fallido')`);
    await runner.query('alter table eventos drop constraint eventos_tipo_check');
    await runner.query(`alter table eventos add constraint eventos_tipo_check check (tipo in (
      'guia.creada', 'guia.confirmacion_pedida', 'guia.confirmada', 'guia.mensaje_fallido', 'guia.mensaje_omitido'))`);
    await runner.query('alter table guias drop column enlaces_pendientes');
  }
}
