import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Filtros1795302000000 implements MigrationInterface {
  name = 'Filtros1795302000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index guias_telefono_idx on guias (comercio_id, telefono, id)');
    await runner.query(
      'create index guias_direccion_confirmada_idx on guias (comercio_id, direccion_confirmada, id)',
    );
    await runner.query('create index guias_actualizada_idx on guias (comercio_id, actualizada_en, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop index guias_telefono_idx, guias_direccion_confirmada_idx, guias_actualizada_idx',
    );
  }
}
