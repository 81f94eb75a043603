import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** An event that a messaging app sent us, recorded once even if it is sent repeatedly. */
@Entity('entrantes')
@Unique('entrantes_clave_key', ['clave'])
@Index('entrantes_pendientes_idx', ['recibido_en'], { where: 'procesado_en is null' })
@Index('entrantes_guardados_idx', ['procesado_en'], { where: 'cuerpo is not null' })
@Check('entrantes_ronda_check', 'ronda >= 0')
@Check('entrantes_clave_check', 'char_length(clave) between 1 and 600')
export class Entrante {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'entrantes_pkey' })
  id: string;

  /** The provider's id of the event. */
  @Column({ type: 'text' })
  clave: string;

  /** The event as JSON; null once processed, or 24 h after the recipient was asked to choose a guide. */
  @Column({ type: 'text', nullable: true })
  cuerpo: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  recibido_en: Date;

  /** Number of times that its job was lost and replaced; part of the job's id. */
  @Column({ type: 'smallint', default: () => '0' })
  ronda: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  procesado_en: Date | null;
}
