import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Pago } from '../guias/guia/pago.js';
import { TAKEN_BACK } from '../guias/guia/uncollected.js';
import { Liquidacion } from './liquidacion.entity.js';

/**
 * The amount collected of one delivered guide. Its key is the guide's, so a guide is in at most one settlement.
 * Written by the statement that delivers the guide, changed by corrections and by the one settlement.
 *
 * Partial indexes by state: to an index with the state as a column, the planner would prefer the whole primary key.
 */
@Entity('cobros')
@Index('cobros_por_cobrar_idx', ['comercio_id', 'guia_id'], { where: `estado = 'por_cobrar'` })
@Index('cobros_cobrado_idx', ['comercio_id', 'guia_id'], { where: `estado = 'cobrado'` })
@Index('cobros_liquidado_idx', ['comercio_id', 'guia_id'], { where: `estado = 'liquidado'` })
@Index('cobros_sin_cobro_idx', ['comercio_id', 'guia_id'], { where: `estado = 'sin_cobro'` })
@Index('cobros_cobrado_en_idx', ['comercio_id', 'estado', 'cobrado_en', 'guia_id'])
@Index('cobros_liquidacion_idx', ['liquidacion_id', 'guia_id'], { where: 'liquidacion_id is not null' })
@Check(
  'cobros_estado_check',
  `(cod_cobrado is null) = (cobrado_en is null) and (cod_cobrado is not null or liquidacion_id is null)
  and estado = case when cod_cobrado is null then 'por_cobrar' when liquidacion_id is not null then 'liquidado'
    when pago = 'directo' then 'sin_cobro' else 'cobrado' end`,
)
@Index('cobros_deshechos_idx', ['comercio_id', 'guia_id'], { where: TAKEN_BACK })
@Check('cobros_pago_check', `pago in ('efectivo', 'tarjeta', 'transferencia', 'directo')`)
export class Cobro {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'cobros_pkey' })
  comercio_id: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'cobros_pkey' })
  guia_id: string;

  /** Copied from the guide; follows it while the delivery of a settled amount is taken back. */
  @Column({ type: 'numeric', precision: 12, scale: 2 })
  cod_amount: string;

  /** Null if an older version delivered the guide without it; a correction sets it. */
  @Column({ type: 'numeric', precision: 12, scale: 2, nullable: true })
  cod_cobrado: string | null;

  /** The amount in its settlement, where it was changed since; null where it is still `cod_cobrado`. */
  @Column({ type: 'numeric', precision: 12, scale: 2, nullable: true })
  liquidado: string | null;

  /** How it was paid; null where nothing was due, and while the delivery of a settled amount is taken back. */
  @Column({ type: 'text', nullable: true, default: 'efectivo' })
  pago: Pago | null;

  /** When the guide was delivered, as reported; never in the future, nor before 1970. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  cobrado_en: Date | null;

  @Column({ type: 'uuid', nullable: true })
  liquidacion_id: string | null;

  @ManyToOne(() => Liquidacion)
  @JoinColumn([
    {
      name: 'comercio_id',
      referencedColumnName: 'comercio_id',
      foreignKeyConstraintName: 'cobros_liquidacion_fkey',
    },
    {
      name: 'liquidacion_id',
      referencedColumnName: 'id',
      foreignKeyConstraintName: 'cobros_liquidacion_fkey',
    },
  ])
  liquidacion: Liquidacion | null;

  /** The driver at the time of the delivery, who carries it; null without one. */
  @Column({ type: 'uuid', nullable: true })
  piloto_id: string | null;

  /** Follows from the other columns; a column of its own for the indexes of the lists. */
  @Column({ type: 'text' })
  estado: 'por_cobrar' | 'cobrado' | 'liquidado' | 'sin_cobro';
}
