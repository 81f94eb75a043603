import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { quoted } from '../../platform/database/quoted.js';
import { LUGARES, type Lugar } from '../guia/guia-row.js';

/**
 * A place of a guide whose map link is still to be read; deleted once it is read or given up. Which links are pending is decided
 * in `guias.enlaces_pendientes`, under the guide's lock; this row schedules the reading.
 */
@Entity('enlaces')
@Index('enlaces_proximo_idx', ['proximo_en'])
@Check('enlaces_lugar_check', `lugar in (${quoted(LUGARES)})`)
@Check('enlaces_intentos_check', 'intentos >= 0')
@Check('enlaces_ronda_check', 'ronda >= 0')
export class Enlace {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'enlaces_pkey' })
  comercio_id: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'enlaces_pkey' })
  guia_id: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'enlaces_pkey' })
  lugar: Lugar;

  /** Attempts since the link was set. */
  @Column({ type: 'smallint', default: () => '0' })
  intentos: number;

  /** Number of times that its job was lost and replaced, or that the link was; part of the job's id. */
  @Column({ type: 'smallint', default: () => '0' })
  ronda: number;

  /** When the link was set: the time of its event. */
  @Column({ type: 'timestamptz', precision: 3 })
  creado_en: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  proximo_en: Date;
}
