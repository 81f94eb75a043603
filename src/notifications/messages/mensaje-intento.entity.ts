import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { quoted } from '../../database/quoted.js';

/** Outcome of an attempt to send a message. */
export const INTENTO_RESULTADOS = [
  /** The provider took the message. */
  'aceptado',
  /** The provider did not accept it; it is retried. */
  'reintenta',
  /** No response came, so the provider may have accepted it. */
  'sin_respuesta',
  /** The sender is paused, so all its messages wait. */
  'detenido',
  /** The provider rejected it permanently. */
  'fallido',
  /** The provider accepted it, and later reported that it was not delivered. */
  'no_entregado',
  /** The process that made the attempt died. */
  'interrumpido',
] as const;

export type IntentoResultado = (typeof INTENTO_RESULTADOS)[number];

/** One attempt to send a message, and its outcome; written by the statement that settles the attempt. */
@Entity('mensaje_intentos')
@Check('mensaje_intentos_resultado_check', `resultado in (${quoted(INTENTO_RESULTADOS)})`)
@Check('mensaje_intentos_causa_check', 'char_length(causa) between 1 and 500')
@Check('mensaje_intentos_veces_check', 'veces >= 1')
export class MensajeIntento {
  /** No foreign key: both tables are partitioned by month of this id, and dropped with it. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'mensaje_intentos_pkey' })
  mensaje_id: string;

  /** UUID; for a provider's report derived from the provider's id, so that a repeat is recognised. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'mensaje_intentos_pkey' })
  id: string;

  /** When it ended; if `veces` is more than 1, when the last one did. */
  @Column({ type: 'timestamptz', precision: 3 })
  en: Date;

  @Column({ type: 'text' })
  resultado: IntentoResultado;

  /** Why, in Spanish with the provider's code, for support; never a phone or a text of the message. */
  @Column({ type: 'text', nullable: true })
  causa: string | null;

  /** Consecutive tries that ended so: a paused sender is tried each minute, perhaps for days. */
  @Column({ type: 'integer', default: () => '1' })
  veces: number;
}
