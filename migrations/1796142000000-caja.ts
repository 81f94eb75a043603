import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // The driver who carries the amount: the one at the time of the delivery.
  'alter table cobros add column piloto_id uuid',
  `create table caja_entregas (
    id uuid not null constraint caja_entregas_pkey primary key,
    piloto_id uuid not null constraint caja_entregas_piloto_fkey references pilotos (id),
    de_prueba boolean not null,
    moneda text not null,
    esperado numeric(20,2) not null,
    monto numeric(20,2) not null,
    nota varchar(500),
    creada_en timestamptz(3) not null,
    operador_id uuid not null,
    ref text
  )`,
  'create index caja_entregas_piloto_idx on caja_entregas (piloto_id, id)',
  `create unique index caja_entregas_ref_key on caja_entregas (operador_id, piloto_id, de_prueba, ref)
    where ref is not null`,
  `create table caja_movimientos (
    comercio_id uuid not null,
    id uuid not null,
    guia_id uuid not null,
    piloto_id uuid not null,
    de_prueba boolean not null,
    moneda text not null,
    monto numeric(12,2) not null constraint caja_movimientos_monto_check check (monto <> 0),
    creado_en timestamptz(3) not null,
    entrega_id uuid constraint caja_movimientos_entrega_fkey references caja_entregas (id),
    constraint caja_movimientos_pkey primary key (comercio_id, id)
  )`,
  `create index caja_movimientos_llevado_idx on caja_movimientos (piloto_id, de_prueba, moneda)
    where entrega_id is null`,
];

/** The cash that drivers carry, and hand over. */
export class Caja1796142000000 implements MigrationInterface {
  name = 'Caja1796142000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table caja_movimientos, caja_entregas');
    await runner.query('alter table cobros drop column piloto_id');
  }
}
