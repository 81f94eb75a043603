import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Times at which confirmation messages of any merchant were sent to a number in the last 24 hours. */
@Entity('cupos_telefono')
@Index('cupos_telefono_ultimo_idx', ['ultimo_en'])
@Check('cupos_telefono_huella_check', 'octet_length(huella) = 32')
export class CupoTelefono {
  /** HMAC-SHA-256 of the number. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'cupos_telefono_pkey' })
  huella: Buffer;

  /** At most MESSAGES_PER_PHONE_PER_DAY; each new one drops those older than 24 hours. */
  @Column({ type: 'timestamptz', precision: 3, array: true })
  enviados: Date[];

  @Column({ type: 'timestamptz', precision: 3 })
  ultimo_en: Date;
}
