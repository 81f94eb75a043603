import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `create table ajustes (
    comercio_id uuid not null constraint ajustes_comercio_fkey references comercios (id),
    id uuid not null constraint ajustes_id_key unique,
    guia_id uuid,
    moneda text not null,
    monto numeric(20,2) not null constraint ajustes_monto_check check (monto <> 0),
    motivo varchar(200) not null,
    creado_en timestamptz(3) not null,
    operador_id uuid,
    ref text,
    automatico boolean not null default false,
    liquidacion_id uuid,
    constraint ajustes_pkey primary key (comercio_id, id),
    constraint ajustes_liquidacion_fkey foreign key (comercio_id, liquidacion_id) references liquidaciones (comercio_id, id)
  )`,
  'create unique index ajustes_ref_key on ajustes (operador_id, comercio_id, ref) where ref is not null',
  'create index ajustes_pendientes_idx on ajustes (comercio_id, id) where liquidacion_id is null',
  `create index ajustes_liquidacion_idx on ajustes (comercio_id, liquidacion_id, id)
    where liquidacion_id is not null`,

  'alter table liquidaciones add column ajustes numeric(20,2) not null default 0',
  `alter table liquidaciones add constraint liquidaciones_vacia_check check (guias > 0 or cobrado = 0)`,
  'alter table liquidaciones drop constraint liquidaciones_guias_check',
  'alter table liquidaciones add constraint liquidaciones_guias_check check (guias >= 0)',

  `create table saldo_movimientos (
    id uuid not null constraint saldo_movimientos_pkey primary key,
    piloto_id uuid not null constraint saldo_movimientos_piloto_fkey references pilotos (id),
    de_prueba boolean not null,
    moneda text not null,
    monto numeric(20,2) not null constraint saldo_movimientos_monto_check check (monto <> 0),
    motivo varchar(200) not null,
    creado_en timestamptz(3) not null,
    operador_id uuid not null,
    ref text
  )`,
  'create index saldo_movimientos_piloto_idx on saldo_movimientos (piloto_id, id)',
  `create unique index saldo_movimientos_ref_key on saldo_movimientos (operador_id, piloto_id, de_prueba, ref)
    where ref is not null`,

  // Null where the amount is still the settled one. Last: its lock is held to the end; the next migrations make the indexes.
  'alter table cobros add column liquidado numeric(12,2)',
];

/** What is added to a merchant's settlement by hand, and to a driver's balance. */
export class Ajustes1796450000000 implements MigrationInterface {
  name = 'Ajustes1796450000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  /** Settlements of adjustments alone go with them. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table saldo_movimientos, ajustes');
    await runner.query('alter table cobros drop column liquidado');
    await runner.query('delete from liquidaciones where guias = 0');
    await runner.query(`alter table liquidaciones drop constraint liquidaciones_vacia_check,
      drop constraint liquidaciones_guias_check, drop column ajustes`);
    await runner.query(
      'alter table liquidaciones add constraint liquidaciones_guias_check check (guias > 0)',
    );
  }
}
