import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a key did, for `keys rotate --leaked`. */
export class SolicitudesDeClave1796410000000 implements MigrationInterface {
  name = 'SolicitudesDeClave1796410000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table solicitudes add clave_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table solicitudes drop clave_id');
  }
}
