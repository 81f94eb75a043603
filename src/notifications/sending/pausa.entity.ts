import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { MessagingProvider } from '../providers/messaging-provider.js';

/** A provider that cannot send until a person corrects its configuration or account. */
@Entity('pausas')
@Check('pausas_proveedor_check', `proveedor in ('sandbox', 'webhook', 'whatsapp')`)
export class Pausa {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pausas_pkey' })
  proveedor: MessagingProvider['name'];

  /** The provider's code. */
  @Column({ type: 'text' })
  codigo: string;

  /** Spanish: what happened and what to do. */
  @Column({ type: 'text' })
  causa: string;

  @Column({ type: 'timestamptz', precision: 3 })
  desde: Date;
}
