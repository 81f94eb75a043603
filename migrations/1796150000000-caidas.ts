import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An outage of a provider is a pause that is probed, and that releases what waits. */
export class Caidas1796150000000 implements MigrationInterface {
  name = 'Caidas1796150000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table pausas
      add column respuesta text constraint pausas_respuesta_check check (char_length(respuesta) between 1 and 200),
      add column prueba_en timestamptz(3),
      add column prueba_id uuid,
      add column responde_en timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from pausas where prueba_en is not null`);
    await runner.query(
      'alter table pausas drop column respuesta, drop column prueba_en, drop column prueba_id, drop column responde_en',
    );
  }
}
