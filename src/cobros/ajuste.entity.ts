import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { Comercio } from '../auth/merchants/comercio.entity.js';
import { MAX } from '../guias/guia/limits.js';
import { Liquidacion } from './liquidacion.entity.js';

/** An amount that is added to a merchant's payment, or taken from it. The next settlement has it. */
@Entity('ajustes')
@Unique('ajustes_id_key', ['id'])
@Index('ajustes_pendientes_idx', ['comercio_id', 'id'], { where: 'liquidacion_id is null' })
@Index('ajustes_liquidacion_idx', ['comercio_id', 'liquidacion_id', 'id'], {
  where: 'liquidacion_id is not null',
})
@Index('ajustes_ref_key', ['operador_id', 'comercio_id', 'ref'], { unique: true, where: 'ref is not null' })
@Check('ajustes_monto_check', 'monto <> 0')
export class Ajuste {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'ajustes_pkey' })
  comercio_id: string;

  @ManyToOne(() => Comercio)
  @JoinColumn({ name: 'comercio_id', foreignKeyConstraintName: 'ajustes_comercio_fkey' })
  comercio: Comercio;

  /** UUID version 7: in order of time. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'ajustes_pkey' })
  id: string;

  /** The guide that it is about; null for none. */
  @Column({ type: 'uuid', nullable: true })
  guia_id: string | null;

  /** ISO 4217, of the merchant. */
  @Column({ type: 'text' })
  moneda: string;

  /** Negative where it is taken away. */
  @Column({ type: 'numeric', precision: 20, scale: 2 })
  monto: string;

  /** The merchant reads it. */
  @Column({ type: 'varchar', length: MAX.motivo })
  motivo: string;

  @Column({ type: 'timestamptz', precision: 3 })
  creado_en: Date;

  /** Who made it by hand, of staff the console's operator, or whose change made it; null of a change by staff or a driver. */
  @Column({ type: 'uuid', nullable: true })
  operador_id: string | null;

  /** The operator's reference: one adjustment for each operator, merchant and `ref`. */
  @Column({ type: 'text', nullable: true })
  ref: string | null;

  /** Whether a change of a settled amount made it. */
  @Column({ type: 'boolean', default: false })
  automatico: boolean;

  /** Null while it is pending. */
  @Column({ type: 'uuid', nullable: true })
  liquidacion_id: string | null;

  @ManyToOne(() => Liquidacion)
  @JoinColumn([
    {
      name: 'comercio_id',
      referencedColumnName: 'comercio_id',
      foreignKeyConstraintName: 'ajustes_liquidacion_fkey',
    },
    {
      name: 'liquidacion_id',
      referencedColumnName: 'id',
      foreignKeyConstraintName: 'ajustes_liquidacion_fkey',
    },
  ])
  liquidacion: Liquidacion | null;
}
