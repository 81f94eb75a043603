import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { MAX } from '../guias/guia/limits.js';

/** A driver. Drivers belong to the installation: every operator uses them all. */
@Entity('pilotos')
@Index('pilotos_ref_key', ['operador_id', 'ref'], { unique: true, where: 'ref is not null' })
@Index('pilotos_enlace_key', ['enlace_hash'], { unique: true, where: 'enlace_hash is not null' })
@Check('pilotos_nombre_check', `nombre <> ''`)
@Check('pilotos_enlace_check', '(enlace_hash is null) = (enlace_vence_en is null)')
export class Piloto {
  /** UUID version 7: in order of time. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pilotos_pkey' })
  id: string;

  @Column({ type: 'varchar', length: MAX.nombre })
  nombre: string;

  /** E.164. */
  @Column({ type: 'text', nullable: true })
  telefono: string | null;

  /** Whether guides are assigned to the driver, and links are made for the driver's page. */
  @Column({ type: 'boolean', default: true })
  activo: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  creado_en: Date;

  /** Last contact of the driver's page. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  visto_en: Date | null;

  @Column({ type: 'uuid' })
  operador_id: string;

  /** The operator's reference: one driver for each operator and `ref`. */
  @Column({ type: 'text', nullable: true })
  ref: string | null;

  /** SHA-256 of the token in the driver's link; null without one. */
  @Column({ type: 'bytea', nullable: true })
  enlace_hash: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  enlace_vence_en: Date | null;
}
