import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { Comercio } from '../auth/merchants/comercio.entity.js';

/** A settlement: the amounts collected for a merchant, and its adjustments, that are paid to it together. None of them ever change. */
@Entity('liquidaciones')
@Unique('liquidaciones_id_key', ['id'])
// By an expression, which TypeORM cannot describe.
@Index('liquidaciones_referencia_idx', { synchronize: false })
@Index('liquidaciones_por_pagar_idx', ['id'], { where: 'pagada_en is null' })
@Index('liquidaciones_ref_key', ['operador_id', 'comercio_id', 'ref'], {
  unique: true,
  where: 'ref is not null',
})
@Check('liquidaciones_guias_check', 'guias >= 0')
@Check('liquidaciones_vacia_check', 'guias > 0 or cobrado = 0')
@Check('liquidaciones_cobrado_check', 'cobrado >= 0')
@Check(
  'liquidaciones_pago_check',
  'num_nulls(pagada_en, referencia_pago, pago_operador_id) in (0, 3) and (pago_ref is null or pagada_en is not null)',
)
export class Liquidacion {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'liquidaciones_pkey' })
  comercio_id: string;

  @ManyToOne(() => Comercio)
  @JoinColumn({ name: 'comercio_id', foreignKeyConstraintName: 'liquidaciones_comercio_fkey' })
  comercio: Comercio;

  /** UUID version 7: in order of time. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'liquidaciones_pkey' })
  id: string;

  /** ISO 4217, of the merchant. */
  @Column({ type: 'text' })
  moneda: string;

  /** How many guides; none where it has adjustments alone. */
  @Column({ type: 'integer' })
  guias: number;

  /** The sum of its guides' `cod_cobrado`. */
  @Column({ type: 'numeric', precision: 20, scale: 2 })
  cobrado: string;

  /** The sum of its adjustments; negative where they take away. What is paid is never below 0. */
  @Column({ type: 'numeric', precision: 20, scale: 2, default: () => '0' })
  ajustes: string;

  /** When the first of its amounts was collected; without any, when its first adjustment was made. */
  @Column({ type: 'timestamptz', precision: 3 })
  desde: Date;

  /** It contains amounts that were collected until this time. */
  @Column({ type: 'timestamptz', precision: 3 })
  hasta: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  creada_en: Date;

  @Column({ type: 'uuid' })
  operador_id: string;

  /** The operator's reference: one settlement for each operator, merchant and `ref`. */
  @Column({ type: 'text', nullable: true })
  ref: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  pagada_en: Date | null;

  /** The bank's, as the operator sent it. */
  @Column({ type: 'text', nullable: true })
  referencia_pago: string | null;

  @Column({ type: 'uuid', nullable: true })
  pago_operador_id: string | null;

  @Column({ type: 'text', nullable: true })
  pago_ref: string | null;
}
