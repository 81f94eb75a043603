import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Test mode: a merchant's test keys act for its test twin, a merchant of its own. Each guide says whether it is a test, so
 * that operators' lists and moves, which cross merchants, tell real guides from tests by an index.
 */
export class ModoDePrueba1795510000000 implements MigrationInterface {
  name = 'ModoDePrueba1795510000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table comercios add prueba_de uuid,
      add constraint comercios_prueba_de_key unique (prueba_de),
      add constraint comercios_prueba_de_fkey foreign key (prueba_de) references comercios (id)`);
    await runner.query('alter table guias add de_prueba boolean not null default false');
    await runner.query('drop index guias_id_idx, guias_municipio_idx, guias_departamento_idx');
    await runner.query('create index guias_id_idx on guias (id) where not de_prueba');
    await runner.query('create index guias_prueba_id_idx on guias (id) where de_prueba');
    for (const lugar of ['municipio', 'departamento'])
      await runner.query(
        `create index guias_${lugar}_idx on guias (clave_lugar(${lugar}), estado, id) where not de_prueba`,
      );
    await runner.query(
      `create index mensajes_sandbox_idx on mensajes (comercio_id, id) where proveedor = 'sandbox'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index mensajes_sandbox_idx');
    await runner.query(
      'drop index guias_id_idx, guias_prueba_id_idx, guias_municipio_idx, guias_departamento_idx',
    );
    // Without their mark, test guides would be real ones: their keys end with them.
    await runner.query(`update claves_api set revocada_en = coalesce(revocada_en, now())
      where comercio_id in (select id from comercios where prueba_de is not null)`);
    await runner.query('alter table guias drop de_prueba');
    await runner.query('alter table comercios drop prueba_de');
    await runner.query(`create index guias_id_idx on guias (id) where guia <> ''`);
    for (const lugar of ['municipio', 'departamento'])
      await runner.query(`create index guias_${lugar}_idx on guias (clave_lugar(${lugar}), estado, id)`);
  }
}
