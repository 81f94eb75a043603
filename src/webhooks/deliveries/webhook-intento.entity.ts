import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** One attempt of a delivery, and its outcome. */
@Entity('webhook_intentos')
@Check('webhook_intentos_ms_check', 'ms >= 0')
@Check('webhook_intentos_estado_http_check', 'estado_http between 100 and 999')
@Check('webhook_intentos_error_check', 'char_length(error) between 1 and 60')
@Check('webhook_intentos_respuesta_check', 'octet_length(respuesta) <= 1024')
@Check('webhook_intentos_salida_check', '(estado_http is null) = (error is not null)')
export class WebhookIntento {
  /** Part of the delivery's key; no foreign key: both tables are partitioned by month of `mensaje_id`. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'webhook_intentos_pkey' })
  webhook_id: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'webhook_intentos_pkey' })
  mensaje_id: string;

  /** UUID version 7: in order of time. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'webhook_intentos_pkey' })
  id: string;

  /** When it began. */
  @Column({ type: 'timestamptz', precision: 3 })
  en: Date;

  /** Duration. */
  @Column({ type: 'integer' })
  ms: number;

  /** Null without a response. */
  @Column({ type: 'smallint', nullable: true })
  estado_http: number | null;

  /** Why there was no response, like `ECONNECT`. */
  @Column({ type: 'text', nullable: true })
  error: string | null;

  /** The start of the response, at most 1 KiB. */
  @Column({ type: 'text', nullable: true })
  respuesta: string | null;
}
