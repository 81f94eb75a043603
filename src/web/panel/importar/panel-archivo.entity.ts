import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { FieldError } from '../../../platform/errors/app-error.js';
import type { Separator } from '../../../guias/lote/csv-cells.js';
import type { CsvTable } from '../../../guias/lote/csv-rows.js';
import type { SkippedRow } from './skipped-rows.js';
import type { Texts } from '../ajustes/panel-ajuste.entity.js';

export interface Resultado {
  /** Number of the guide that was made of it; absent where it was refused. */
  guia?: string;
  /** When it was made, in ms; absent of files of before. */
  en?: number;
  /** Whether it was taken back with its import. */
  deshecha?: true;
  errores?: FieldError[];
}

type Fila = CsvTable['rows'][number] & {
  /** Whether the merchant wrote its amount on the page: what the file says of its payment is answered. */
  confirmado?: boolean;
};

interface Tabla extends Pick<CsvTable, 'header'> {
  rows: Fila[];
  /** Of the file's bytes. */
  huella: string;
  /** Line of the header; absent where it is not certain that the first row is that. */
  encabezado?: number | undefined;
  /** Of a workbook: the sheet that was read, and how many it has. */
  hoja?: { nombre: string; de: number; ocultas?: number };
  /** The first rows that are no orders, and how many there are. */
  omitidas?: { filas: SkippedRow[]; son: number };
}

/** A file that a merchant imports; kept for a day, so that each step is a page of its own. */
@Entity('panel_archivos')
@Index('panel_archivos_creado_idx', ['creado_en'])
export class PanelArchivo {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'panel_archivos_pkey' })
  comercio_id: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'panel_archivos_pkey' })
  id: string;

  @Column({ type: 'varchar', length: 200 })
  nombre: string;

  @Column({ type: 'varchar', length: 1 })
  separador: Separator;

  @Column({ type: 'jsonb' })
  tabla: Tabla;

  /** By the number of a column, from 0: the field that it is. */
  @Column({ type: 'jsonb' })
  columnas: Texts;

  /** By the line of a row: the guide that it made. */
  @Column({ type: 'jsonb', default: '{}' })
  resultados: Record<string, Resultado>;

  /** The pickup point of its guides; null: the usual one. */
  @Column({ type: 'uuid', nullable: true })
  recogida_id: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  creado_en: Date;

  /** When guides were last made of it; it stays for an hour from then, as the import may be taken back. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  importado_en: Date | null;
}
