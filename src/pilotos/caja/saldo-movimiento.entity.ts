import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { MAX } from '../../guias/guia/limits.js';
import { Piloto } from '../piloto.entity.js';

/** One change of a driver's balance that is no hand-over: a debt that was paid or forgiven. The drawer stays as it is. */
@Entity('saldo_movimientos')
@Index('saldo_movimientos_piloto_idx', ['piloto_id', 'id'])
@Index('saldo_movimientos_ref_key', ['operador_id', 'piloto_id', 'de_prueba', 'ref'], {
  unique: true,
  where: 'ref is not null',
})
@Check('saldo_movimientos_monto_check', 'monto <> 0')
export class SaldoMovimiento {
  /** UUID version 7: in order of time. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'saldo_movimientos_pkey' })
  id: string;

  @Column({ type: 'uuid' })
  piloto_id: string;

  @ManyToOne(() => Piloto)
  @JoinColumn({ name: 'piloto_id', foreignKeyConstraintName: 'saldo_movimientos_piloto_fkey' })
  piloto: Piloto;

  @Column({ type: 'boolean' })
  de_prueba: boolean;

  /** ISO 4217. */
  @Column({ type: 'text' })
  moneda: string;

  /** Negative where the driver owes more. */
  @Column({ type: 'numeric', precision: 20, scale: 2 })
  monto: string;

  @Column({ type: 'varchar', length: MAX.motivo })
  motivo: string;

  @Column({ type: 'timestamptz', precision: 3 })
  creado_en: Date;

  @Column({ type: 'uuid' })
  operador_id: string;

  /** The operator's reference: one movement for each operator, driver and `ref`. */
  @Column({ type: 'text', nullable: true })
  ref: string | null;
}
