import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Origin of a print: `panel` and `api` by the merchant, `operaciones` by an operator's key, `despacho` by staff. */
export type ImpresionPor = 'panel' | 'api' | 'operaciones' | 'despacho';

/** The last label of a guide that was made in one of these ways. */
@Entity('impresiones')
export class Impresion {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'impresiones_pkey' })
  comercio_id: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'impresiones_pkey' })
  guia_id: string;

  @PrimaryColumn({ type: 'varchar', length: 20, primaryKeyConstraintName: 'impresiones_pkey' })
  por: ImpresionPor;

  @Column({ type: 'timestamptz', precision: 3 })
  impresa_en: Date;
}
