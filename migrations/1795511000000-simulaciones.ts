import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A simulated courier walks test guides through a script; this row is the truth, the queue only says when. */
export class Simulaciones1795511000000 implements MigrationInterface {
  name = 'Simulaciones1795511000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table simulaciones (
      id uuid constraint simulaciones_pkey primary key,
      comercio_id uuid not null,
      guia_id uuid not null,
      guion text not null,
      cada_segundos smallint not null
        constraint simulaciones_cada_segundos_check check (cada_segundos between 0 and 60),
      pasos jsonb not null,
      hechos timestamptz(3)[] not null default '{}',
      estado text not null,
      causa text constraint simulaciones_causa_check check (char_length(causa) between 1 and 500),
      creada_en timestamptz(3) not null,
      proximo_en timestamptz(3) not null,
      constraint simulaciones_estado_check check (estado in ('en_curso', 'terminada', 'detenida')),
      constraint simulaciones_hechos_check check (cardinality(hechos) <= jsonb_array_length(pasos))
    )`);
    await runner.query('create index simulaciones_guia_idx on simulaciones (comercio_id, guia_id, id)');
    await runner.query(`create unique index simulaciones_en_curso_idx on simulaciones (comercio_id, guia_id)
      where estado = 'en_curso'`);
    await runner.query(`create index simulaciones_proximo_idx on simulaciones (proximo_en, id)
      where estado = 'en_curso'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table simulaciones');
  }
}
