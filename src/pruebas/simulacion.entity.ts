import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Guion, Paso } from './guiones.js';

export const SIMULACION_ESTADOS = ['en_curso', 'terminada', 'detenida'] as const;
export type SimulacionEstado = (typeof SIMULACION_ESTADOS)[number];

/** A simulated courier with a test guide. This row is the source of truth; the queue only schedules the next step. */
@Entity('simulaciones')
@Index('simulaciones_guia_idx', ['comercio_id', 'guia_id', 'id'])
@Index('simulaciones_en_curso_idx', ['comercio_id', 'guia_id'], {
  unique: true,
  where: `estado = 'en_curso'`,
})
@Index('simulaciones_proximo_idx', ['proximo_en', 'id'], { where: `estado = 'en_curso'` })
@Check('simulaciones_cada_segundos_check', 'cada_segundos between 0 and 60')
@Check('simulaciones_estado_check', `estado in ('en_curso', 'terminada', 'detenida')`)
@Check('simulaciones_ronda_check', 'ronda >= 0')
@Check('simulaciones_causa_check', 'char_length(causa) between 1 and 500')
@Check('simulaciones_hechos_check', 'cardinality(hechos) <= jsonb_array_length(pasos)')
export class Simulacion {
  /** UUID version 7; also the id of the answer by which its recipient confirms. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'simulaciones_pkey' })
  id: string;

  @Column({ type: 'uuid' })
  comercio_id: string;

  @Column({ type: 'uuid' })
  guia_id: string;

  @Column({ type: 'text' })
  guion: Guion;

  /** Seconds between two steps. */
  @Column({ type: 'smallint' })
  cada_segundos: number;

  /** All steps of the script as it was when the simulation began. */
  @Column({ type: 'jsonb' })
  pasos: Paso[];

  /** When each step was made, of those made so far. */
  @Column({ type: 'timestamptz', precision: 3, array: true, default: () => `'{}'` })
  hechos: Date[];

  @Column({ type: 'text' })
  estado: SimulacionEstado;

  /** Number of times that its job was lost and replaced; part of the job's id. */
  @Column({ type: 'smallint', default: () => '0' })
  ronda: number;

  /** For `detenida`: why it stopped early, in Spanish, for its merchant. */
  @Column({ type: 'text', nullable: true })
  causa: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  creada_en: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  proximo_en: Date;
}
