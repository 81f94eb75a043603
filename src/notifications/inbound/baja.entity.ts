import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { quoted } from '../../platform/database/quoted.js';

/** Who asked that a person gets no messages, and the meaning of each for the documentation. */
export const BAJA_ORIGENES = {
  destinatario: 'lo pidió en el chat',
  operador: 'lo pidió la mensajería',
  soporte: 'lo pidió por teléfono',
  pagina: 'lo pidió en su página',
} as const;

export type BajaOrigen = keyof typeof BAJA_ORIGENES;

/** The last wish of a person about messages. */
@Entity('bajas')
@Index('bajas_id_key', ['id'], { unique: true })
@Check('bajas_destinatario_check', 'char_length(destinatario) between 1 and 200')
@Check('bajas_origen_check', `origen in (${quoted(Object.keys(BAJA_ORIGENES))})`)
export class Baja {
  /** E.164, or the person's id in the app. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'bajas_pkey' })
  destinatario: string;

  /** UUID version 7; the order of lists. */
  @Column({ type: 'uuid', default: () => 'gen_random_uuid()' })
  id: string;

  @Column({ type: 'timestamptz', precision: 3 })
  creada_en: Date;

  @Column({ type: 'text', default: 'destinatario' })
  origen: BajaOrigen;

  /** Another name of a person whose number was given: how WhatsApp writes it, or their id. Lists leave it out. */
  @Column({ type: 'boolean', default: false })
  es_variante: boolean;

  /** Whether it holds; false once the person opted in again. */
  @Column({ type: 'boolean', default: true })
  vigente: boolean;

  /** When the last wish was expressed, for or against messages; null: with the opt-out. Older ones change nothing. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deseo_en: Date | null;
}
