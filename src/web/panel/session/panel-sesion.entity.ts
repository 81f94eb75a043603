import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A session of the panel: somebody signed in with a key, or by mail. A session that was ended has no row. */
@Entity('panel_sesiones')
@Index('panel_sesiones_vence_idx', ['vence_en'])
@Index('panel_sesiones_texto_idx', ['texto_en'])
@Index('panel_sesiones_clave_idx', ['clave_id'])
@Index('panel_sesiones_comercio_idx', ['comercio_id'], { where: 'comercio_id is not null' })
@Check('panel_sesiones_huella_check', 'octet_length(huella) = 32')
@Check(
  'panel_sesiones_titular_check',
  '(clave_id is null) = (comercio_id is not null) and (comercio_id is null) = (correo is null)',
)
export class PanelSesion {
  /** SHA-256 of the token in the browser's cookie, which is 256 random bits. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'panel_sesiones_pkey' })
  huella: Buffer;

  /** The key, with which the session ends; null of one that began by mail. */
  @Column({ type: 'uuid', nullable: true })
  clave_id: string | null;

  /** The shop of a session that began by mail. */
  @Column({ type: 'uuid', nullable: true })
  comercio_id: string | null;

  /** The address that it began with: it ends once the shop has another. */
  @Column({ type: 'text', nullable: true })
  correo: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  vence_en: Date;

  /** A customer's chat, as it was pasted into the form of a new guide; emptied after an hour. */
  @Column({ type: 'text', nullable: true })
  texto: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  texto_en: Date | null;
}
