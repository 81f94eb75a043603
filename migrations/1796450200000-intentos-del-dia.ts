import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Failures of a day, by who reported them, have an index. */
export class IntentosDelDia1796450200000 implements MigrationInterface {
  name = 'IntentosDelDia1796450200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create index eventos_intentos_idx on eventos (creado_en)
      where tipo = 'guia.estado_cambiado' and datos->>'estado' = 'intento_fallido'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index eventos_intentos_idx');
  }
}
