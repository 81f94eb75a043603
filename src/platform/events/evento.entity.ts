import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EventoActor, EventoTipo } from './evento-tipo.js';

/**
 * Something that happened to a guide or a settlement: the history. Written once, in the transaction of the change itself;
 * only an event that cannot be dispatched is updated.
 */
@Entity('eventos')
@Index('eventos_apartados_idx', ['proximo_en'], { where: 'proximo_en is not null' })
@Index('eventos_intentos_idx', ['creado_en'], {
  where: `tipo = 'guia.estado_cambiado' and datos->>'estado' = 'intento_fallido'`,
})
@Index('eventos_ref_key', ['operador_id', 'guia_id', 'ref'], { unique: true, where: 'ref is not null' })
export class Evento {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'eventos_pkey' })
  comercio_id: string;

  /** Of `liquidacion.…` the settlement's id. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'eventos_pkey' })
  guia_id: string;

  /** UUID. Of `guia.creada` the guide's own id, except in rows of older versions. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'eventos_pkey' })
  id: string;

  @Column({ type: 'text' })
  tipo: EventoTipo;

  /** The guide's version after the change. Orders the events of a guide; may skip numbers. */
  @Column({ type: 'integer', default: () => '1' })
  secuencia: number;

  @Column({ type: 'text', default: 'comercio' })
  actor: EventoActor;

  /** When it was recorded. */
  @Column({ type: 'timestamptz', precision: 3 })
  creado_en: Date;

  /** When it happened, if an operator reported that. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  ocurrido_en: Date | null;

  /** Who reported it: an operator, or a driver where the actor is `piloto`. */
  @Column({ type: 'uuid', nullable: true })
  operador_id: string | null;

  /** The operator's reference: an event with the same one is recorded once. */
  @Column({ type: 'text', nullable: true })
  ref: string | null;

  /** Details; never a phone or an address. */
  @Column({ type: 'jsonb', nullable: true })
  datos: Record<string, unknown> | null;

  /** W3C `traceparent` of the request, or job, that recorded it; null without tracing. */
  @Column({ type: 'text', nullable: true })
  traza: string | null;

  /** How often its dispatch failed because of this event. */
  @Column({ type: 'integer', default: () => '0' })
  intentos: number;

  /** Time of the next dispatch attempt of a parked event; null if it is not parked. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  proximo_en: Date | null;

  /** Why its last dispatch failed, in Spanish, for support. */
  @Column({ type: 'text', nullable: true })
  causa: string | null;
}
