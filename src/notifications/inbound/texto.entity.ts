import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('textos')
@Index('textos_id_idx', ['id'])
@Check('textos_texto_check', 'char_length(texto) between 1 and 4096')
export class Texto {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'textos_pkey' })
  comercio_id: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'textos_pkey' })
  guia_id: string;

  /** UUID version 7, of the row of `entrantes`. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'textos_pkey' })
  id: string;

  /** As it was written. */
  @Column({ type: 'text' })
  texto: string;

  @Column({ type: 'timestamptz', precision: 3 })
  recibido_en: Date;
}
