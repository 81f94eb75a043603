import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Times of the confirmation messages sent to a number in the last 24 hours, by all merchants. */
@Entity('cupos_telefono')
export class CupoTelefono {
  /** E.164. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'cupos_telefono_pkey' })
  telefono: string;

  /** At most MESSAGES_PER_PHONE_PER_DAY; each new one drops those older than 24 hours. */
  @Column({ type: 'timestamptz', precision: 3, array: true })
  enviados: Date[];
}
