import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { MESSAGING_PROVIDERS, type ProviderName } from '../../platform/config/messaging-providers.js';
import { quoted } from '../../platform/database/quoted.js';

/** A provider that cannot send: until a person corrects its configuration or account, or until its outage ends. */
@Entity('pausas')
@Check('pausas_respuesta_check', 'char_length(respuesta) between 1 and 200')
@Check('pausas_proveedor_check', `proveedor in (${quoted(MESSAGING_PROVIDERS)})`)
export class Pausa {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pausas_pkey' })
  proveedor: ProviderName;

  /** The provider's code. */
  @Column({ type: 'text' })
  codigo: string;

  /** Spanish: what happened and what to do. */
  @Column({ type: 'text' })
  causa: string;

  /** Of a pause by report, the last report. */
  @Column({ type: 'timestamptz', precision: 3 })
  desde: Date;

  /**
   * Whether the provider had accepted the message that it could not deliver: then an accepted message proves nothing, and the
   * pause ends with a report that one accepted after `desde` was sent.
   */
  @Column({ type: 'boolean', default: false })
  por_informe: boolean;

  /** The provider's own words, without secrets and phones. */
  @Column({ type: 'text', nullable: true })
  respuesta: string | null;

  /** Of an outage: when the next probe is due, or the last messages were released. Null where a person has to act. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  prueba_en: Date | null;

  /** Of an outage: the message that is sent as a probe. */
  @Column({ type: 'uuid', nullable: true })
  prueba_id: string | null;

  /** Of an outage: when the provider took a message again. What waited is being sent. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  responde_en: Date | null;
}
