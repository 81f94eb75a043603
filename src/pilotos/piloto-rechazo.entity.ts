import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A driver's action that the service refused, or recorded without applying it. */
@Entity('piloto_rechazos')
@Index('piloto_rechazos_creado_idx', ['creado_en'])
export class PilotoRechazo {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'piloto_rechazos_pkey' })
  piloto_id: string;

  /** Of the event, as the phone named it. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'piloto_rechazos_pkey' })
  ref: string;

  /** Id or number, as it was sent: there may be no such guide. */
  @Column({ type: 'varchar', length: 36 })
  guia: string;

  /** Why: the error's code, or why it was not applied. */
  @Column({ type: 'varchar', length: 50 })
  codigo: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  creado_en: Date;

  /** When the service learned that the driver has read it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  entendido_en: Date | null;
}
