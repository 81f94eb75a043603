import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails are work that is sent; what merchants are told at once waits for its mail; which day's summary was decided. */
export class EnvioDeCorreos1796460500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table correos add column ronda integer not null default 0;
      alter table comercios add column resumen_dia date;

      create table correo_avisos (
        id uuid constraint correo_avisos_pkey primary key,
        comercio_id uuid not null constraint correo_avisos_comercio_fkey references comercios,
        guia_id uuid,
        codigo text not null constraint correo_avisos_codigo_check check (codigo in
          ('destinatario_no_recibio', 'destinatario_niega', 'cod_distinto', 'cancelada_ya_recogida', 'extraviado', 'webhook_desactivado')),
        detalle text,
        creado_en timestamptz(3) not null default now(),
        escrito_en timestamptz(3)
      );
      create index correo_avisos_pendientes_idx on correo_avisos (comercio_id, creado_en) where escrito_en is null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table correo_avisos;
      alter table comercios drop column resumen_dia;
      alter table correos drop column ronda;
    `);
  }
}
