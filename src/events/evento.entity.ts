import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EventoActor, EventoTipo } from './evento-tipo.js';

/**
 * Something that happened to a guide. The rows of a guide are its history for people; those not yet
 * dispatched are the work list for machines. Written in the same statement as the change itself.
 */
@Entity('eventos')
@Index('eventos_pendientes_idx', ['id'], { where: 'despachado_en is null' })
@Index('eventos_ref_key', ['operador_id', 'guia_id', 'ref'], { unique: true, where: 'ref is not null' })
export class Evento {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'eventos_pkey' })
  comercio_id: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'eventos_pkey' })
  guia_id: string;

  /** UUID; the same for the same occasion: of a guide's making its own id, but for those of older versions. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'eventos_pkey' })
  id: string;

  @Column({ type: 'text' })
  tipo: EventoTipo;

  /** The guide's version that it made: the order of a guide's events. Rises, but may leave numbers out. */
  @Column({ type: 'integer', default: () => '1' })
  secuencia: number;

  @Column({ type: 'text', default: 'comercio' })
  actor: EventoActor;

  /** When it was recorded. */
  @Column({ type: 'timestamptz', precision: 3 })
  creado_en: Date;

  /** When it happened, where an operator says so. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  ocurrido_en: Date | null;

  @Column({ type: 'uuid', nullable: true })
  operador_id: string | null;

  /** The operator's own reference of it: a repeat is recorded once. */
  @Column({ type: 'text', nullable: true })
  ref: string | null;

  /** What there is to say beyond the type; never a phone or an address. */
  @Column({ type: 'jsonb', nullable: true })
  datos: Record<string, unknown> | null;

  /** When its jobs were queued; null while there is something to do. A row that concerns nobody is born marked. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  despachado_en: Date | null;
}
