import type { MigrationInterface, QueryRunner } from 'typeorm';
import { EVENTO_LISTS, setValues } from './evento-lists.js';

const TIPO = 'guia.asignada';
const ACTOR = 'piloto';

const [TIPOS] = EVENTO_LISTS;
const ACTORES = {
  constraint: 'evento_actor_check',
  of: 'domain evento_actor',
  rule: (values: string) => `value in (${values})`,
};

/** Whose guide it is. The index has the guides of drivers alone, so that a create pays nothing for it. */
export class Asignaciones1796141000000 implements MigrationInterface {
  name = 'Asignaciones1796141000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table guias add column piloto_id uuid');
    await runner.query(`create index guias_piloto_idx on guias (piloto_id, estado, id)
      where piloto_id is not null and not de_prueba`);
    await setValues(runner, TIPOS!, (values) => [...values, TIPO]);
    await setValues(runner, ACTORES, (values) => [...values, ACTOR]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('delete from eventos where tipo = $1', [TIPO]);
    await runner.query(`update eventos set actor = 'operador' where actor = $1`, [ACTOR]);
    await setValues(runner, TIPOS!, (values) => values.filter((value) => value !== TIPO));
    await setValues(runner, ACTORES, (values) => values.filter((value) => value !== ACTOR));
    await runner.query('alter table guias drop column piloto_id');
  }
}
