import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which process does an action of the console, and whether that process lives; assigning many guides is an action on many. */
export class AccionesInterrumpidas1796252000000 implements MigrationInterface {
  name = 'AccionesInterrumpidas1796252000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table procesos (
      id uuid not null,
      visto_en timestamptz(3) not null,
      constraint procesos_pkey primary key (id)
    )`);
    await runner.query(`alter table auditoria add column proceso_id uuid,
      drop constraint auditoria_resultado_check,
      add constraint auditoria_resultado_check
        check (resultado in ('en_curso', 'hecho', 'rechazado', 'fallo', 'interrumpida'))`);
    await runner.query(`create index auditoria_en_curso_idx on auditoria (id) where resultado = 'en_curso'`);
    await runner.query(`alter table masivas add column piloto_id uuid,
      drop constraint masivas_accion_check,
      add constraint masivas_accion_check
        check (accion in ('pedir', 'reenviar', 'anotar', 'atender', 'asignar'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from masivas where accion = 'asignar'`);
    await runner.query(`alter table masivas drop column piloto_id,
      drop constraint masivas_accion_check,
      add constraint masivas_accion_check check (accion in ('pedir', 'reenviar', 'anotar', 'atender'))`);
    await runner.query('drop index auditoria_en_curso_idx');
    await runner.query(`update auditoria set resultado = 'fallo' where resultado = 'interrumpida'`);
    await runner.query(`alter table auditoria drop column proceso_id,
      drop constraint auditoria_resultado_check,
      add constraint auditoria_resultado_check
        check (resultado in ('en_curso', 'hecho', 'rechazado', 'fallo'))`);
    await runner.query('drop table procesos');
  }
}
