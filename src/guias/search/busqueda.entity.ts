import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { quoted } from '../../platform/database/quoted.js';

/** The recipient's name and the merchant's reference, by which a guide is found. Follows the guide within a second. */
@Entity('busqueda')
// With trigrams, which TypeORM cannot describe.
@Index('busqueda_texto_idx', { synchronize: false })
export class Busqueda {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'busqueda_pkey' })
  comercio_id: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'busqueda_pkey' })
  guia_id: string;

  /** Name and reference on lines of their own, without case and accents. */
  @Column({ type: 'text' })
  texto: string;
}

/** Who fills `busqueda`: what is new at once; and everything, which also takes what was committed late. */
export const PASOS = ['nuevas', 'todas'] as const;

export type Paso = (typeof PASOS)[number];

/** How far `busqueda` has been filled: a pass goes on where the last one ended. */
@Entity('busqueda_avance')
@Check('busqueda_avance_paso_check', `paso in (${quoted(PASOS)})`)
export class BusquedaAvance {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'busqueda_avance_pkey' })
  paso: Paso;

  /** The last guide, by its id. */
  @Column({ type: 'uuid' })
  hasta_id: string;
}
