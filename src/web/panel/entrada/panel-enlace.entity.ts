import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A link that was sent to an address and was not used yet: it signs in, or gives a shop this address. */
@Entity('panel_enlaces')
@Index('panel_enlaces_vence_idx', ['vence_en'])
@Index('panel_enlaces_comercio_key', ['comercio_id'], { unique: true, where: 'comercio_id is not null' })
@Check('panel_enlaces_huella_check', 'octet_length(huella) = 32')
export class PanelEnlace {
  /** SHA-256 of the link's token, which is 256 random bits. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'panel_enlaces_pkey' })
  huella: Buffer;

  @Column({ type: 'text' })
  correo: string;

  /** The shop that has this address once the link is pressed; null of a link that signs in. */
  @Column({ type: 'uuid', nullable: true })
  comercio_id: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  vence_en: Date;
}
