import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Someone who wants no messages. */
@Entity('bajas')
@Check('bajas_destinatario_check', 'char_length(destinatario) between 1 and 200')
export class Baja {
  /** E.164, or the app's own id of them. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'bajas_pkey' })
  destinatario: string;

  @Column({ type: 'timestamptz', precision: 3 })
  creada_en: Date;
}
