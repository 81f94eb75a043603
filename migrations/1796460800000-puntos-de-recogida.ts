import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A text of what was remembered; null where it is empty. */
const remembered = (campo: string) => `nullif(trim(a.guia->>'recogida.${campo}'), '')`;

/** Two numbers with a comma between them, in a link or as they were typed. */
const COORDINATES = String.raw`'(-?\d{1,3}\.\d+)(?:,|%2C)\s*(-?\d{1,3}\.\d+)'`;

/** Pickup points that have a name; the one that was remembered becomes the first. */
export class PuntosDeRecogida1796460800000 implements MigrationInterface {
  name = 'PuntosDeRecogida1796460800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table panel_recogidas (
      comercio_id uuid not null,
      id uuid not null,
      nombre varchar(120) not null,
      direccion varchar(500) not null,
      lat double precision not null,
      lng double precision not null,
      creado_en timestamptz(3) not null default now(),
      constraint panel_recogidas_pkey primary key (comercio_id, id)
    )`);
    await runner.query('alter table panel_ajustes add recogida_id uuid');
    await runner.query('alter table panel_archivos add recogida_id uuid');
    // Its coordinates are those of a guide that was made with it, else those that its text has.
    await runner.query(`insert into panel_recogidas (comercio_id, id, nombre, direccion, lat, lng)
      select a.comercio_id, gen_random_uuid(),
        left(coalesce(${remembered('nombre')}, ${remembered('direccion')}, 'Mi tienda'), 120),
        coalesce(${remembered('direccion')}, ${remembered('nombre')}, 'Mi tienda'), p.lat, p.lng
      from panel_ajustes a cross join lateral (
        (select recogida_lat as lat, recogida_lng as lng from (
          select * from guias g where g.comercio_id = a.comercio_id order by id desc limit 1000
        ) g where recogida_lat is not null and recogida_maps_url is not distinct from ${remembered('maps_url')}
          and recogida_nombre is not distinct from ${remembered('nombre')} limit 1)
        union all
        (select m[1]::float8, m[2]::float8 from regexp_match(
          coalesce(${remembered('lat')} || ',' || ${remembered('lng')}, ${remembered('maps_url')}), ${COORDINATES}) m
        where m is not null)
        limit 1
      ) p
      where (a.guia ? 'recogida.maps_url' or a.guia ? 'recogida.lat') and p.lat between -90 and 90 and p.lng between -180 and 180`);
    await runner.query(`update panel_ajustes set guia = (
      select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(guia) where key not like 'recogida.%'
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`update panel_ajustes a set guia = guia || jsonb_build_object('recogida.nombre', p.nombre,
        'recogida.direccion', p.direccion, 'recogida.lat', p.lat::text, 'recogida.lng', p.lng::text)
      from panel_recogidas p where p.comercio_id = a.comercio_id and p.id = coalesce(a.recogida_id, (
        select id from panel_recogidas f where f.comercio_id = a.comercio_id order by creado_en, id limit 1
      ))`);
    await runner.query('alter table panel_archivos drop recogida_id');
    await runner.query('alter table panel_ajustes drop recogida_id');
    await runner.query('drop table panel_recogidas');
  }
}
