import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What support works with: an audit log, notes on guides, and which request had which id. A phone is found by its last
 * digits too, by the same index of each merchant's guides as before; names by how they begin.
 */
export class Soporte1795500000000 implements MigrationInterface {
  name = 'Soporte1795500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table auditoria (
      id uuid constraint auditoria_pkey primary key,
      clave uuid not null constraint auditoria_clave_key unique,
      usuario text not null,
      accion text not null,
      guia text constraint auditoria_guia_check check (guia ~ '^[1-9][0-9]{11}$'),
      comercio_id uuid,
      webhook_id uuid,
      detalle text constraint auditoria_detalle_check check (char_length(detalle) between 1 and 200),
      resultado text not null
        constraint auditoria_resultado_check check (resultado in ('en_curso', 'hecho', 'rechazado', 'fallo')),
      nota text constraint auditoria_nota_check check (char_length(nota) between 1 and 500),
      creado_en timestamptz(3) not null
    )`);
    await runner.query('create index auditoria_guia_idx on auditoria (guia, id) where guia is not null');
    await runner.query(`create table guia_notas (
      id uuid constraint guia_notas_pkey primary key,
      comercio_id uuid not null,
      guia_id uuid not null,
      usuario text not null,
      texto text not null constraint guia_notas_texto_check check (char_length(texto) between 1 and 1000),
      creado_en timestamptz(3) not null
    )`);
    await runner.query('create index guia_notas_guia_idx on guia_notas (guia_id, id)');
    await runner.query(`create table solicitudes (
      id uuid constraint solicitudes_pkey primary key,
      peticion text not null,
      metodo text not null,
      ruta text,
      estado smallint not null,
      codigo text,
      ms integer not null,
      comercio_id uuid,
      operador_id uuid
    )`);
    await runner.query('create index solicitudes_peticion_idx on solicitudes (peticion)');
    await runner.query(`create index mensajes_fallidos_idx on mensajes (id) where estado = 'fallido'`);
    await runner.query('drop index guias_telefono_idx');
    await runner.query(
      'create index guias_telefono_idx on guias (comercio_id, reverse(telefono) text_pattern_ops, id)',
    );
    await runner.query(`create index guias_destinatario_idx on guias (comercio_id, clave_lugar(destinatario) text_pattern_ops, id)
      where destinatario <> ''`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index guias_destinatario_idx');
    await runner.query('drop index guias_telefono_idx');
    await runner.query('create index guias_telefono_idx on guias (comercio_id, telefono, id)');
    await runner.query('drop index mensajes_fallidos_idx');
    await runner.query('drop table solicitudes, guia_notas, auditoria');
  }
}
