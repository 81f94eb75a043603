import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The outbox: events that wait for their first dispatch. Inserted with the event, in the same statement; the relay deletes it.
 */
@Entity('eventos_pendientes')
export class EventoPendiente {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'eventos_pendientes_pkey' })
  id: string;

  @Column({ type: 'uuid' })
  comercio_id: string;

  @Column({ type: 'uuid' })
  guia_id: string;
}
