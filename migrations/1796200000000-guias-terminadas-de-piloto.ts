import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The guides of a driver that ended not long ago. The index has those of drivers alone: a create pays nothing for it. */
export class GuiasTerminadasDePiloto1796200000000 implements MigrationInterface {
  name = 'GuiasTerminadasDePiloto1796200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create index guias_piloto_fin_idx on guias (piloto_id, estado_en)
      where piloto_id is not null and not de_prueba
        and estado in ('entregado', 'devuelto', 'cancelado', 'extraviado')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index guias_piloto_fin_idx');
  }
}
