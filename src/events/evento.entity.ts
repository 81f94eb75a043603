import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { EVENTO_TIPOS, type EventoTipo } from './evento-tipo.js';

/**
 * Something that happened to a guide. The rows of a guide are its history for people; those not yet
 * dispatched are the work list for machines. Written in the same statement as the change itself.
 */
@Entity('eventos')
@Index('eventos_pendientes_idx', ['id'], { where: 'despachado_en is null' })
@Check('eventos_tipo_check', `tipo in (${EVENTO_TIPOS.map((tipo) => `'${tipo}'`).join(', ')})`)
export class Evento {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'eventos_pkey' })
  comercio_id: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'eventos_pkey' })
  guia_id: string;

  /** UUID version 7: the order of a guide's events. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'eventos_pkey' })
  id: string;

  @Column({ type: 'text' })
  tipo: EventoTipo;

  @Column({ type: 'timestamptz', precision: 3 })
  creado_en: Date;

  /** What there is to say beyond the type; never a phone, an address or coordinates. */
  @Column({ type: 'jsonb', nullable: true })
  datos: Record<string, unknown> | null;

  /** When its jobs were queued; null while there is something to do. A row that concerns nobody is born marked. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  despachado_en: Date | null;
}
