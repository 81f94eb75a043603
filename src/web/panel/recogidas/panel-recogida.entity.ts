import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MAX } from '../../../guias/guia/limits.js';

/** A pickup point of a merchant. Guides keep the place and name that they were made with. */
@Entity('panel_recogidas')
export class PanelRecogida {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'panel_recogidas_pkey' })
  comercio_id: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'panel_recogidas_pkey' })
  id: string;

  @Column({ type: 'varchar', length: MAX.nombre })
  nombre: string;

  /** How the courier knows it. */
  @Column({ type: 'varchar', length: MAX.direccion })
  direccion: string;

  @Column({ type: 'double precision' })
  lat: number;

  @Column({ type: 'double precision' })
  lng: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  creado_en: Date;
}
