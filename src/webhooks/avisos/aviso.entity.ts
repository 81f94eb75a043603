import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** A message that a merchant may ask for, in place of receiving it. */
@Entity('avisos')
@Unique('avisos_mensaje_key', ['mensaje_id'])
@Index('avisos_comercio_idx', ['comercio_id', 'id'])
export class Aviso {
  /** Its place in the list: the message's id, which begins with the time of its event; of a late one a later id. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'avisos_pkey' })
  id: string;

  @Column({ type: 'uuid' })
  comercio_id: string;

  /** `webhook-id`. */
  @Column({ type: 'uuid' })
  mensaje_id: string;
}
