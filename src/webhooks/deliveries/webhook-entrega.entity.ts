import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { quoted } from '../../platform/database/quoted.js';
import type { Tone } from '../../guias/guia/tone.js';
import { Webhook } from '../endpoints/webhook.entity.js';

interface EstadoDefinition {
  /** For support. Begins in lower case. */
  name: string;
  tone: Tone;
}

const DEFINITIONS = {
  pendiente: { name: 'por entregar', tone: 'care' },
  entregada: { name: 'recibido por su sistema', tone: 'good' },
  fallida: { name: 'falló', tone: 'bad' },
} as const satisfies Record<string, EstadoDefinition>;

export type EntregaEstado = keyof typeof DEFINITIONS;

export const ESTADOS_DE_ENTREGA: Readonly<Record<EntregaEstado, EstadoDefinition>> = DEFINITIONS;

export const ENTREGA_ESTADOS = Object.keys(ESTADOS_DE_ENTREGA) as EntregaEstado[];

/** A message to one endpoint, and its state. It has no job of its own: one job of the endpoint makes what is due. */
@Entity('webhook_entregas')
@Index('webhook_entregas_estado_idx', ['webhook_id', 'estado', 'mensaje_id'], {
  where: `estado <> 'entregada'`,
})
@Index('webhook_entregas_cola_idx', ['webhook_id', 'lenta', 'proximo_en'], { where: `estado = 'pendiente'` })
@Check('webhook_entregas_estado_check', `estado in (${quoted(ENTREGA_ESTADOS)})`)
@Check('webhook_entregas_intentos_check', 'intentos >= 0')
@Check('webhook_entregas_ronda_check', 'ronda >= 0')
@Check('webhook_entregas_causa_check', 'char_length(causa) between 1 and 500')
export class WebhookEntrega {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'webhook_entregas_pkey' })
  webhook_id: string;

  @ManyToOne(() => Webhook)
  @JoinColumn({ name: 'webhook_id', foreignKeyConstraintName: 'webhook_entregas_webhook_fkey' })
  webhook: Webhook;

  /** No foreign key: both tables are partitioned by month of this id, and dropped with it. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'webhook_entregas_pkey' })
  mensaje_id: string;

  @Column({ type: 'text' })
  estado: EntregaEstado;

  /** Attempts since it was created or resent; one that timed out in the queue of quick deliveries does not count. */
  @Column({ type: 'smallint', default: () => '0' })
  intentos: number;

  /** Incremented each time it is resent; a failure of an earlier round is only logged. */
  @Column({ type: 'integer', default: () => '0' })
  ronda: number;

  /** Whether its attempts are made in the queue of slow deliveries. */
  @Column({ type: 'boolean', default: false })
  lenta: boolean;

  /** Why it is not delivered, in Spanish; never contains the URL, which may hold a secret. */
  @Column({ type: 'text', nullable: true })
  causa: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  creado_en: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  actualizado_en: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  proximo_en: Date;
}
