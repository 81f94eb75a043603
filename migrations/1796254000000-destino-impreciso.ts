import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The warning `destino_impreciso`, which former versions do not know. */
export class DestinoImpreciso1796254000000 implements MigrationInterface {
  name = 'DestinoImpreciso1796254000000';

  async up(): Promise<void> {
    // The column holds any code.
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`update guias set advertencias = array_remove(advertencias, 'destino_impreciso')
      where advertencias @> array['destino_impreciso']`);
  }
}
