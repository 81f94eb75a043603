import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A session of the panel: somebody signed in with a key. A session that was ended has no row. */
@Entity('panel_sesiones')
@Index('panel_sesiones_vence_idx', ['vence_en'])
@Index('panel_sesiones_texto_idx', ['texto_en'])
@Index('panel_sesiones_clave_idx', ['clave_id'])
@Check('panel_sesiones_huella_check', 'octet_length(huella) = 32')
export class PanelSesion {
  /** SHA-256 of the token in the browser's cookie, which is 256 random bits. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'panel_sesiones_pkey' })
  huella: Buffer;

  /** The key, with which the session ends. */
  @Column({ type: 'uuid' })
  clave_id: string;

  @Column({ type: 'timestamptz', precision: 3 })
  vence_en: Date;

  /** What a customer wrote, as it was pasted into the form of a new guide; emptied after an hour. */
  @Column({ type: 'text', nullable: true })
  texto: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  texto_en: Date | null;
}
