import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A merchant's address, and the mails that are for it. */
export class Correos1796460400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table comercios
        add column correo text,
        add column correo_confirmado_en timestamptz(3),
        add column correo_rechazo text,
        add column con_avisos boolean not null default true,
        add column con_resumen boolean not null default true,
        add constraint comercios_correo_check check (char_length(correo) between 3 and 254),
        add constraint comercios_correo_rechazo_check check (char_length(correo_rechazo) between 1 and 200);
      create index comercios_correo_idx on comercios (correo) where correo is not null;

      create table correos (
        id uuid constraint correos_pkey primary key,
        comercio_id uuid constraint correos_comercio_fkey references comercios,
        para text not null constraint correos_para_check check (char_length(para) between 3 and 254),
        clase text not null constraint correos_clase_check check (clase in ('entrada', 'confirmacion', 'aviso', 'resumen')),
        asunto text not null,
        texto text,
        html text,
        estado text not null default 'pendiente'
          constraint correos_estado_check check (estado in ('pendiente', 'guardado', 'enviado', 'fallido')),
        intentos integer not null default 0,
        causa text constraint correos_causa_check check (char_length(causa) between 1 and 200),
        creado_en timestamptz(3) not null default now(),
        proximo_en timestamptz(3) not null default now(),
        enviado_en timestamptz(3)
      );
      create index correos_pendientes_idx on correos (proximo_en) where estado = 'pendiente';
      create index correos_comercio_idx on correos (comercio_id, id);
      create index correos_para_idx on correos (para, creado_en);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table correos;
      drop index comercios_correo_idx;
      alter table comercios drop column correo, drop column correo_confirmado_en, drop column correo_rechazo,
        drop column con_avisos, drop column con_resumen;
    `);
  }
}
