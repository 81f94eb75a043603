import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { quoted } from '../../platform/database/quoted.js';

export const MASIVA_ACCIONES = ['pedir', 'reenviar', 'anotar', 'atender', 'asignar'] as const;
export type MasivaAccion = (typeof MASIVA_ACCIONES)[number];

/** An action of the staff with many guides: those of `masiva_guias`. */
@Entity('masivas')
@Check('masivas_accion_check', `accion in (${quoted(MASIVA_ACCIONES)})`)
@Check('masivas_texto_check', 'char_length(texto) between 1 and 1000')
@Index('masivas_pendientes_idx', ['proximo_en'], { where: 'terminado_en is null' })
@Index('masivas_atendidas_idx', ['causa', 'comercio_id', 'hasta'], { where: 'hasta is not null' })
export class Masiva {
  /** UUID version 7, of the form: a form that is sent twice acts once. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'masivas_pkey' })
  id: string;

  @Column({ type: 'text' })
  accion: MasivaAccion;

  /** Key of the cause whose guides they are; of `asignar`, its name. */
  @Column({ type: 'text' })
  causa: string;

  /** Null: guides of all merchants. */
  @Column({ type: 'uuid', nullable: true })
  comercio_id: string | null;

  /** Name in BOARD_USERS. */
  @Column({ type: 'text' })
  usuario: string;

  /** Of `anotar`: the note. */
  @Column({ type: 'text', nullable: true })
  texto: string | null;

  /** Of `asignar`: the driver; null: nobody. */
  @Column({ type: 'uuid', nullable: true })
  piloto_id: string | null;

  /** Of `atender`: until when the cause is hidden. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  hasta: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  creado_en: Date;

  /** Null while guides are left. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  terminado_en: Date | null;

  /** When somebody stopped it; what was left is not done. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  detenida_en: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  proximo_en: Date;

  /** Jobs before the current one. */
  @Column({ type: 'integer', default: () => '0' })
  ronda: number;
}
