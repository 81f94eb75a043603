import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a file last made guides, which keeps it; and the sessions of a key, of which the newest stay. */
export class ArchivosAcotados1796251000000 implements MigrationInterface {
  name = 'ArchivosAcotados1796251000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table panel_archivos add column importado_en timestamptz(3)');
    await runner.query('create index panel_sesiones_clave_idx on panel_sesiones (clave_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index panel_sesiones_clave_idx');
    await runner.query('alter table panel_archivos drop column importado_en');
  }
}
