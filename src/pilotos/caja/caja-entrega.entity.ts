import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { MAX } from '../../guias/guia/limits.js';
import { Piloto } from '../piloto.entity.js';

/** A hand-over: all the cash of one currency that a driver carried. */
@Entity('caja_entregas')
@Index('caja_entregas_piloto_idx', ['piloto_id', 'id'])
@Index('caja_entregas_ref_key', ['operador_id', 'piloto_id', 'de_prueba', 'ref'], {
  unique: true,
  where: 'ref is not null',
})
export class CajaEntrega {
  /** UUID version 7: in order of time. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'caja_entregas_pkey' })
  id: string;

  @Column({ type: 'uuid' })
  piloto_id: string;

  @ManyToOne(() => Piloto)
  @JoinColumn({ name: 'piloto_id', foreignKeyConstraintName: 'caja_entregas_piloto_fkey' })
  piloto: Piloto;

  @Column({ type: 'boolean' })
  de_prueba: boolean;

  /** ISO 4217. */
  @Column({ type: 'text' })
  moneda: string;

  /** The sum of the rows of `caja_movimientos` that it marks. */
  @Column({ type: 'numeric', precision: 20, scale: 2 })
  esperado: string;

  /** The counted amount. */
  @Column({ type: 'numeric', precision: 20, scale: 2 })
  monto: string;

  @Column({ type: 'varchar', length: MAX.nota, nullable: true })
  nota: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  creada_en: Date;

  @Column({ type: 'uuid' })
  operador_id: string;

  /** The operator's reference: one hand-over for each operator, driver and `ref`. */
  @Column({ type: 'text', nullable: true })
  ref: string | null;
}
