import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A row for each map link that is still to be read, with its attempts and when the next one is due. Each table of queued work
 * counts the jobs that a row has had.
 */
export class Trabajo1796003000000 implements MigrationInterface {
  name = 'Trabajo1796003000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table enlaces (
      comercio_id uuid,
      guia_id uuid,
      lugar text constraint enlaces_lugar_check check (lugar in ('recogida', 'destino')),
      intentos smallint not null default 0 constraint enlaces_intentos_check check (intentos >= 0),
      ronda smallint not null default 0 constraint enlaces_ronda_check check (ronda >= 0),
      creado_en timestamptz(3) not null,
      proximo_en timestamptz(3) not null,
      constraint enlaces_pkey primary key (comercio_id, guia_id, lugar)
    )`);
    await runner.query('create index enlaces_proximo_idx on enlaces (proximo_en)');
    await runner.query(`insert into enlaces (comercio_id, guia_id, lugar, creado_en, proximo_en)
      select g.comercio_id, g.id, lugar, coalesce((select max(e.creado_en) from eventos e
          where lugar = 'destino' and e.comercio_id = g.comercio_id and e.guia_id = g.id
            and e.tipo = 'guia.actualizada' and e.datos->'campos' ? 'maps_url'), g.creada_en), now()
      from guias g, unnest(g.enlaces_pendientes) lugar where g.enlaces_pendientes <> '{}'`);
    for (const table of ['entrantes', 'simulaciones'])
      await runner.query(`alter table ${table} add column ronda smallint not null default 0
        constraint ${table}_ronda_check check (ronda >= 0)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['entrantes', 'simulaciones'])
      await runner.query(`alter table ${table} drop column ronda`);
    await runner.query('drop table enlaces');
  }
}
