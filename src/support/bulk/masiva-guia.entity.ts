import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Masiva } from './masiva.entity.js';

@Entity('masiva_guias')
@Check('masiva_guias_resultado_check', `resultado in ('hecho', 'no')`)
@Check('masiva_guias_motivo_check', 'char_length(motivo) between 1 and 500')
export class MasivaGuia {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'masiva_guias_pkey' })
  masiva_id: string;

  @ManyToOne(() => Masiva, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'masiva_id', foreignKeyConstraintName: 'masiva_guias_masiva_id_fkey' })
  masiva: Masiva;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'masiva_guias_pkey' })
  guia_id: string;

  @Column({ type: 'uuid' })
  comercio_id: string;

  @Column({ type: 'text' })
  guia: string;

  /** The message that failed, before; the one that is sent, after. */
  @Column({ type: 'uuid', nullable: true })
  mensaje_id: string | null;

  /** Null: not yet. */
  @Column({ type: 'text', nullable: true })
  resultado: 'hecho' | 'no' | null;

  /** Why not, in Spanish. */
  @Column({ type: 'text', nullable: true })
  motivo: string | null;
}
