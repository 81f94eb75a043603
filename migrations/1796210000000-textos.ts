import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What recipients wrote, for support: each text on the page of each guide that it may be about. */
export class Textos1796210000000 implements MigrationInterface {
  name = 'Textos1796210000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table textos (
      comercio_id uuid not null,
      guia_id uuid not null,
      id uuid not null,
      texto text not null constraint textos_texto_check check (char_length(texto) between 1 and 4096),
      recibido_en timestamptz(3) not null,
      constraint textos_pkey primary key (comercio_id, guia_id, id)
    )`);
    await runner.query('create index textos_id_idx on textos (id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table textos');
  }
}
