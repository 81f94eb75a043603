import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A form of the panel that was sent: sent again, it makes nothing again. */
@Entity('panel_formularios')
@Index('panel_formularios_creado_idx', ['creado_en'])
export class PanelFormulario {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'panel_formularios_pkey' })
  comercio_id: string;

  /** Made with the form. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'panel_formularios_pkey' })
  clave: string;

  /** The page that it led to; null while it is being done. */
  @Column({ type: 'text', nullable: true })
  destino: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  creado_en: Date;
}
