import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Operators read: keys that do nothing else, and destinations found by index, without regard to case and accents. */
export class OperacionesLeer1795391000000 implements MigrationInterface {
  name = 'OperacionesLeer1795391000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create function clave_lugar(texto text) returns text language sql immutable parallel safe strict
      as $$ select lower(translate(texto, 'ÁÀÄÂÃÉÈËÊÍÌÏÎÓÒÖÔÕÚÙÜÛÑÇáàäâãéèëêíìïîóòöôõúùüûñç',
        'AAAAAEEEEIIIIOOOOOUUUUNCaaaaaeeeeiiiiooooouuuunc')) $$`);
    await runner.query('create index guias_municipio_idx on guias (clave_lugar(municipio), estado, id)');
    await runner.query(
      'create index guias_departamento_idx on guias (clave_lugar(departamento), estado, id)',
    );
    await runner.query('alter table claves_api drop constraint claves_api_titular_check');
    await runner.query(`alter table claves_api add constraint claves_api_titular_check check (
      case when operador_id is null
        then comercio_id is not null and not alcances && array['operaciones', 'operaciones:leer']
      else comercio_id is null and alcances <@ array['operaciones', 'operaciones:leer'] end)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from claves_api where alcances = array['operaciones:leer']`);
    await runner.query(`update claves_api set alcances = array['operaciones'] where operador_id is not null`);
    await runner.query('alter table claves_api drop constraint claves_api_titular_check');
    await runner.query(`alter table claves_api add constraint claves_api_titular_check check (
      case when operador_id is null then comercio_id is not null and not 'operaciones' = any (alcances)
      else comercio_id is null and alcances = array['operaciones'] end)`);
    await runner.query('drop index guias_municipio_idx, guias_departamento_idx');
    await runner.query('drop function clave_lugar(text)');
  }
}
