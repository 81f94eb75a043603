import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { quoted } from '../../platform/database/quoted.js';
import { AVISO_EVENTO_NAMES, PRUEBA, type WebhookEvento } from '../endpoints/webhook-evento.js';

/** The body about one event: the same for every endpoint of the merchant, or of operators, and on every attempt. */
@Entity('webhook_mensajes')
@Index('webhook_mensajes_guia_idx', ['guia'], { where: 'guia is not null' })
@Check('webhook_mensajes_guia_check', `guia ~ '^[1-9][0-9]{11}$'`)
@Check('webhook_mensajes_evento_check', `evento in (${quoted([...AVISO_EVENTO_NAMES, PRUEBA])})`)
@Check('webhook_mensajes_cuerpo_check', 'octet_length(cuerpo) < 20000')
export class WebhookMensaje {
  /** `webhook-id`. Derived from the event's id and time, so that an event has one message for its merchant, and one for operators. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'webhook_mensajes_pkey' })
  id: string;

  /** Whose endpoints it goes to; null for operators'. */
  @Column({ type: 'uuid', nullable: true })
  comercio_id: string | null;

  /** Guide number; null in a test and for a settlement. */
  @Column({ type: 'text', nullable: true })
  guia: string | null;

  @Column({ type: 'text' })
  evento: WebhookEvento | typeof PRUEBA;

  /** Order of the event among those of its guide; null in a test and for a settlement. */
  @Column({ type: 'integer', nullable: true })
  secuencia: number | null;

  /** JSON. */
  @Column({ type: 'text' })
  cuerpo: string;

  @Column({ type: 'timestamptz', precision: 3 })
  creado_en: Date;
}
