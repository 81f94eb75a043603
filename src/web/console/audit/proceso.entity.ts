import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A process that does actions of the console, and when it last said that it lives. */
@Entity('procesos')
export class Proceso {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'procesos_pkey' })
  id: string;

  @Column({ type: 'timestamptz', precision: 3 })
  visto_en: Date;
}
