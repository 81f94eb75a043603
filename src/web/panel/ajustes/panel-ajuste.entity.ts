import type { Tamano } from '../../../etiquetas/sheets.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Texts of a form, by the names of its fields. */
export type Texts = Record<string, string>;

@Entity('panel_ajustes')
export class PanelAjuste {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'panel_ajustes_pkey' })
  comercio_id: string;

  /** Department and municipality of the last guide that was made here, as they were typed. */
  @Column({ type: 'jsonb', default: '{}' })
  guia: Texts;

  /** By the folded heading of a file's column: the field that it was said to be; empty for a column that is not read. */
  @Column({ type: 'jsonb', default: '{}' })
  columnas: Texts;

  /** Of the labels that were printed here last. */
  @Column({ type: 'varchar', length: 20, default: '100x150' })
  tamano: Tamano;

  /** The usual pickup point; null, or of a point that was removed: the oldest one. */
  @Column({ type: 'uuid', nullable: true })
  recogida_id: string | null;
}
