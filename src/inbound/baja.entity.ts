import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A person who opted out of messages. */
@Entity('bajas')
@Check('bajas_destinatario_check', 'char_length(destinatario) between 1 and 200')
export class Baja {
  /** E.164, or the person's id in the app. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'bajas_pkey' })
  destinatario: string;

  @Column({ type: 'timestamptz', precision: 3 })
  creada_en: Date;
}
