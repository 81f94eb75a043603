import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Guides are found by the last digits of their numbers, and by references however their separators are said. The pass over all
 * guides fills existing rows again; it has another name, so that processes of the version before do not take it past them.
 */
export class BusquedaPorFinales1796460710000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table busqueda add column ultimos varchar(4);
      create index busqueda_ultimos_idx on busqueda (ultimos, guia_id) where ultimos is not null;
      alter table busqueda_avance drop constraint busqueda_avance_paso_check;
      update busqueda_avance set paso = 'repaso', hasta_id = '00000000-0000-0000-0000-000000000000' where paso = 'todas';
      alter table busqueda_avance add constraint busqueda_avance_paso_check check (paso in ('nuevas', 'repaso'));
      create index liquidaciones_referencia_idx on liquidaciones (translate(lower(referencia_pago), ' -_/.#:', ''), id)
        where referencia_pago is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index liquidaciones_referencia_idx;
      alter table busqueda_avance drop constraint busqueda_avance_paso_check;
      update busqueda_avance set paso = 'todas' where paso = 'repaso';
      alter table busqueda_avance add constraint busqueda_avance_paso_check check (paso in ('nuevas', 'todas'));
      alter table busqueda drop column ultimos;
    `);
  }
}
