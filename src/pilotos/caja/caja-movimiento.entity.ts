import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { CajaEntrega } from './caja-entrega.entity.js';

/**
 * One change of the cash that a driver carries: a delivery, a correction of its amount, or its undoing. Written in the
 * guide's transaction. A table of its own, so that hand-overs and settlements never lock the same rows.
 */
@Entity('caja_movimientos')
@Index('caja_movimientos_llevado_idx', ['piloto_id', 'de_prueba', 'moneda'], { where: 'entrega_id is null' })
@Check('caja_movimientos_monto_check', 'monto <> 0')
export class CajaMovimiento {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'caja_movimientos_pkey' })
  comercio_id: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'caja_movimientos_pkey' })
  id: string;

  @Column({ type: 'uuid' })
  guia_id: string;

  @Column({ type: 'uuid' })
  piloto_id: string;

  /** Whether the guide is a test. */
  @Column({ type: 'boolean' })
  de_prueba: boolean;

  /** ISO 4217, of the merchant. */
  @Column({ type: 'text' })
  moneda: string;

  /** Negative where less was collected than was recorded before. */
  @Column({ type: 'numeric', precision: 12, scale: 2 })
  monto: string;

  @Column({ type: 'timestamptz', precision: 3 })
  creado_en: Date;

  /** The hand-over that it is part of; null while the driver carries it. */
  @Column({ type: 'uuid', nullable: true })
  entrega_id: string | null;

  @ManyToOne(() => CajaEntrega)
  @JoinColumn({ name: 'entrega_id', foreignKeyConstraintName: 'caja_movimientos_entrega_fkey' })
  entrega: CajaEntrega | null;
}
