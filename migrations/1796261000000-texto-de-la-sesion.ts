import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a customer wrote, kept with the session of the panel for an hour. */
export class TextoDeLaSesion1796261000000 implements MigrationInterface {
  name = 'TextoDeLaSesion1796261000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table panel_sesiones add column texto text, add column texto_en timestamptz(3)',
    );
    await runner.query('create index panel_sesiones_texto_idx on panel_sesiones (texto_en)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table panel_sesiones drop column texto, drop column texto_en');
  }
}
