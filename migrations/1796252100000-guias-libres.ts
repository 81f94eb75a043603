import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Drivers find a guide that nobody has by its last four digits. No create pays for it: guides are created as `aceptado`. */
export class GuiasLibres1796252100000 implements MigrationInterface {
  name = 'GuiasLibres1796252100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create index guias_libres_idx on guias (left(reverse(guia), 4), id)
      where piloto_id is null and not de_prueba and estado in ('en_camino_a_recoger', 'recogido', 'en_ruta', 'intento_fallido')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index guias_libres_idx');
  }
}
