import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each try to send a message, for support. */
export class IntentosDeMensajes1795540000000 implements MigrationInterface {
  name = 'IntentosDeMensajes1795540000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table mensaje_intentos (
      mensaje_id uuid not null constraint mensaje_intentos_mensaje_fkey references mensajes (id) on delete cascade,
      id uuid not null,
      en timestamptz(3) not null,
      resultado text not null constraint mensaje_intentos_resultado_check check (resultado in ('aceptado', 'reintenta',
        'sin_respuesta', 'detenido', 'fallido', 'no_entregado', 'interrumpido')),
      causa text constraint mensaje_intentos_causa_check check (char_length(causa) between 1 and 500),
      veces integer not null default 1 constraint mensaje_intentos_veces_check check (veces >= 1),
      constraint mensaje_intentos_pkey primary key (mensaje_id, id)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table mensaje_intentos');
  }
}
