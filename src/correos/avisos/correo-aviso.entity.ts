import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Comercio } from '../../auth/merchants/comercio.entity.js';

export type AvisoCodigo =
  | 'destinatario_no_recibio'
  | 'destinatario_niega'
  | 'cod_distinto'
  | 'cancelada_ya_recogida'
  | 'extraviado'
  | 'webhook_desactivado';

/** Something that happened and that a merchant is told by mail: alone at once, or with what follows soon after a mail. */
@Entity('correo_avisos')
@Check(
  'correo_avisos_codigo_check',
  `codigo in ('destinatario_no_recibio', 'destinatario_niega', 'cod_distinto', 'cancelada_ya_recogida', 'extraviado', 'webhook_desactivado')`,
)
@Index('correo_avisos_pendientes_idx', ['comercio_id', 'creado_en'], { where: 'escrito_en is null' })
export class CorreoAviso {
  /** That of its event; UUID version 7. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'correo_avisos_pkey' })
  id: string;

  @Column({ type: 'uuid' })
  comercio_id: string;

  @ManyToOne(() => Comercio)
  @JoinColumn({ name: 'comercio_id', foreignKeyConstraintName: 'correo_avisos_comercio_fkey' })
  comercio: Comercio;

  /** Null for an endpoint. */
  @Column({ type: 'uuid', nullable: true })
  guia_id: string | null;

  @Column({ type: 'text' })
  codigo: AvisoCodigo;

  /** The host of an endpoint; null for a guide. */
  @Column({ type: 'text', nullable: true })
  detalle: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  creado_en: Date;

  /** When its mail was written; null before. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  escrito_en: Date | null;
}
