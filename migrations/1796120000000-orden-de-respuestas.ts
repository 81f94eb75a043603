import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a recipient sent the answer and the wish that count, so that older ones that are delivered late change nothing. */
export class OrdenDeRespuestas1796120000000 implements MigrationInterface {
  name = 'OrdenDeRespuestas1796120000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table guias add column respuesta_en timestamptz(3)');
    await runner.query('alter table bajas add column vigente boolean not null default true');
    await runner.query('alter table bajas add column deseo_en timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('delete from bajas where not vigente');
    await runner.query('alter table bajas drop column deseo_en, drop column vigente');
    await runner.query('alter table guias drop column respuesta_en');
  }
}
