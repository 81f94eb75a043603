import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When a number was sent confirmation messages in the last 24 hours, over all merchants. */
@Entity('cupos_telefono')
export class CupoTelefono {
  /** E.164. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'cupos_telefono_pkey' })
  telefono: string;

  /** At most as many as MESSAGES_PER_PHONE_PER_DAY: the older ones are dropped with each new one. */
  @Column({ type: 'timestamptz', precision: 3, array: true })
  enviados: Date[];
}
