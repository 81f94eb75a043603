import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a key did is found without a pass over all requests. */
export class SolicitudesPorClave1796460000000 implements MigrationInterface {
  name = 'SolicitudesPorClave1796460000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create index solicitudes_clave_idx on solicitudes (clave_id, id) where clave_id is not null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index solicitudes_clave_idx');
  }
}
