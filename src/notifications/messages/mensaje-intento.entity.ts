import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { quoted } from '../../platform/database/quoted.js';
import type { Tone } from '../../guias/guia/tone.js';

interface ResultadoDefinition {
  /** For support. Begins in lower case. */
  name: string;
  tone: Tone;
}

const DEFINITIONS = {
  aceptado: { name: 'lo recibió el proveedor', tone: 'good' },
  /** The provider did not accept it; it is retried. */
  reintenta: { name: 'no salió, se reintenta', tone: 'care' },
  /** No response came, so the provider may have accepted it. */
  sin_respuesta: { name: 'no se sabe si salió', tone: 'care' },
  /** The sender is paused, so all its messages wait. */
  detenido: { name: 'el envío está detenido', tone: 'care' },
  fallido: { name: 'falló', tone: 'bad' },
  /** The provider accepted it, and later reported that it was not delivered. */
  no_entregado: { name: 'no llegó, según el proveedor', tone: 'bad' },
  /** The process that made the attempt died. */
  interrumpido: { name: 'se interrumpió', tone: 'care' },
} as const satisfies Record<string, ResultadoDefinition>;

export type IntentoResultado = keyof typeof DEFINITIONS;

export const RESULTADOS_DE_INTENTO: Readonly<Record<IntentoResultado, ResultadoDefinition>> = DEFINITIONS;

const INTENTO_RESULTADOS = Object.keys(RESULTADOS_DE_INTENTO) as IntentoResultado[];

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
