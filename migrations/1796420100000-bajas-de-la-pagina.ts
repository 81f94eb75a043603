import type { MigrationInterface, QueryRunner } from 'typeorm';
import { setValues } from './evento-lists.js';

const ORIGINS = {
  constraint: 'bajas_origen_check',
  of: 'table bajas',
  rule: (values: string) => `origen in (${values})`,
};

/** Recipients opt out on their page, too. */
export class BajasDeLaPagina1796420100000 implements MigrationInterface {
  name = 'BajasDeLaPagina1796420100000';

  async up(runner: QueryRunner): Promise<void> {
    await setValues(runner, ORIGINS, (values) => [...values, 'pagina']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`update bajas set origen = 'destinatario' where origen = 'pagina'`);
    await setValues(runner, ORIGINS, (values) => values.filter((value) => value !== 'pagina'));
  }
}
