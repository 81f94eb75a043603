import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Attendant, GuiaAdvertencia } from './guia-advertencia.js';

/** A side has seen a warning of a guide; deleted once the warning is cleared, so that it stands again if it comes back. */
@Entity('advertencias_vistas')
export class AdvertenciaVista {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'advertencias_vistas_pkey' })
  comercio_id: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'advertencias_vistas_pkey' })
  guia_id: string;

  @PrimaryColumn({ type: 'varchar', length: 20, primaryKeyConstraintName: 'advertencias_vistas_pkey' })
  lado: Attendant;

  @PrimaryColumn({ type: 'varchar', length: 50, primaryKeyConstraintName: 'advertencias_vistas_pkey' })
  codigo: GuiaAdvertencia;

  @Column({ type: 'timestamptz', precision: 3 })
  vista_en: Date;
}
