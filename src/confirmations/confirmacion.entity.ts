import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('confirmaciones')
@Index('confirmaciones_creada_idx', ['creada_en'])
@Check('confirmaciones_huella_check', 'octet_length(huella) = 32')
export class Confirmacion {
  /** SHA-256 of the token. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'confirmaciones_pkey' })
  huella: Buffer;

  @Column({ type: 'uuid' })
  comercio_id: string;

  @Column({ type: 'uuid' })
  guia_id: string;

  @Column({ type: 'timestamptz', precision: 3 })
  creada_en: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expira_en: Date;

  /** Of the event that asked for the confirmation; null in links older than the column. */
  @Column({ type: 'integer', nullable: true })
  secuencia: number | null;
}
