import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { quoted } from '../../platform/database/quoted.js';

/** The recipient's name, the merchant's reference and the end of the number, by which a guide is found. Follows the guide within a second. */
@Entity('busqueda')
// With trigrams, which TypeORM cannot describe.
@Index('busqueda_texto_idx', { synchronize: false })
@Index('busqueda_ultimos_idx', ['ultimos', 'guia_id'], { where: 'ultimos is not null' })
export class Busqueda {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'busqueda_pkey' })
  comercio_id: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'busqueda_pkey' })
  guia_id: string;

  /** Name, reference, and the reference without its separators, on lines of their own, without case and accents. */
  @Column({ type: 'text' })
  texto: string;

  /** Last four digits of the guide's number; null in a row of an earlier version. */
  @Column({ type: 'varchar', length: 4, nullable: true })
  ultimos: string | null;
}

/** Who fills `busqueda`: what is new at once; and everything, which also takes what was committed late. */
const PASOS = ['nuevas', 'repaso'] as const;

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
