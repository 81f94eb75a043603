import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('guia_notas')
@Index('guia_notas_guia_idx', ['guia_id', 'id'])
@Check('guia_notas_texto_check', 'char_length(texto) between 1 and 1000')
export class GuiaNota {
  /** UUID version 7, made by the form, so that a form sent twice leaves one note. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'guia_notas_pkey' })
  id: string;

  @Column({ type: 'uuid' })
  comercio_id: string;

  @Column({ type: 'uuid' })
  guia_id: string;

  /** Name in BOARD_USERS. */
  @Column({ type: 'text' })
  usuario: string;

  @Column({ type: 'text' })
  texto: string;

  @Column({ type: 'timestamptz', precision: 3 })
  creado_en: Date;
}
