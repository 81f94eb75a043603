import { Entity, PrimaryColumn } from 'typeorm';

/** A wrong PIN that was tried for a guide. The same one again is no further try. */
@Entity('pin_fallos')
export class PinFallo {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pin_fallos_pkey' })
  comercio_id: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pin_fallos_pkey' })
  guia_id: string;

  @PrimaryColumn({ type: 'varchar', length: 4, primaryKeyConstraintName: 'pin_fallos_pkey' })
  pin: string;
}
