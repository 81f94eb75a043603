import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Comercio } from '../../auth/merchants/comercio.entity.js';
import { Operador } from '../../auth/operators/operador.entity.js';
import { quoted } from '../../platform/database/quoted.js';
import { AVISO_EVENTO_NAMES, type WebhookEvento } from './webhook-evento.js';

/** Why an endpoint is disabled, for people. */
export const DESACTIVADO_POR = {
  comercio: 'lo pidió el comercio',
  operador: 'lo pidió el operador',
  respuesta_410: 'el endpoint respondió 410, que no quiere más avisos',
  cinco_dias_de_fallas: 'falló durante cinco días sin un acierto',
} as const;

export type DesactivadoPor = keyof typeof DESACTIVADO_POR;

export const DESACTIVADO_POR_CODES = Object.keys(DESACTIVADO_POR) as DesactivadoPor[];

/** An endpoint: where a merchant wants messages about its guides, or an operator about all guides. */
@Entity('webhooks')
@Index('webhooks_comercio_idx', ['comercio_id', 'eliminado_en', 'id'])
@Index('webhooks_operador_idx', ['operador_id', 'eliminado_en', 'id'], { where: 'operador_id is not null' })
@Check('webhooks_titular_check', 'num_nonnulls(comercio_id, operador_id) = 1')
@Check('webhooks_url_check', 'char_length(url) between 1 and 2048')
@Check('webhooks_descripcion_check', 'char_length(descripcion) between 1 and 120')
@Check(
  'webhooks_eventos_check',
  `cardinality(eventos) > 0 and eventos <@ array[${quoted(AVISO_EVENTO_NAMES)}]`,
)
@Check('webhooks_secreto_check', 'secreto > 0')
@Check('webhooks_desactivado_por_check', `desactivado_por in (${quoted(DESACTIVADO_POR_CODES)})`)
@Check('webhooks_activo_check', 'activo = (desactivado_en is null) and activo = (desactivado_por is null)')
export class Webhook {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'webhooks_pkey' })
  id: string;

  /** Null for an operator's. */
  @Column({ type: 'uuid', nullable: true })
  comercio_id: string | null;

  @ManyToOne(() => Comercio)
  @JoinColumn({ name: 'comercio_id', foreignKeyConstraintName: 'webhooks_comercio_fkey' })
  comercio: Comercio | null;

  /** Null for a merchant's. */
  @Column({ type: 'uuid', nullable: true })
  operador_id: string | null;

  @ManyToOne(() => Operador)
  @JoinColumn({ name: 'operador_id', foreignKeyConstraintName: 'webhooks_operador_fkey' })
  operador: Operador | null;

  @Column({ type: 'text' })
  url: string;

  @Column({ type: 'text', nullable: true })
  descripcion: string | null;

  @Column({ type: 'text', array: true })
  eventos: WebhookEvento[];

  /** Number of the current secret, from 1. Secrets are derived from it and stored nowhere. */
  @Column({ type: 'integer', default: () => '1' })
  secreto: number;

  /** Until when the previous secret signs too. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  secreto_anterior_hasta: Date | null;

  @Column({ type: 'boolean', default: true })
  activo: boolean;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  desactivado_en: Date | null;

  @Column({ type: 'text', nullable: true })
  desactivado_por: DesactivadoPor | null;

  /** Its merchant closed: later events are not sent here, and it is disabled once none of before is left. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  termina_en: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  falla_desde: Date | null;

  /** False if the last attempt was a quick success. */
  @Column({ type: 'boolean', default: true })
  lento: boolean;

  /** The last test message; an endpoint has one in flight at most. */
  @Column({ type: 'uuid', nullable: true })
  prueba_id: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  creado_en: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  actualizado_en: Date;

  /** Deleted for its owner; its deliveries stay visible to support. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  eliminado_en: Date | null;
}
