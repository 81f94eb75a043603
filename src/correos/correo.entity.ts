import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Comercio } from '../auth/merchants/comercio.entity.js';

/** To sign in, to confirm an address, to tell at once, to sum up the morning. */
export type CorreoClase = 'entrada' | 'confirmacion' | 'aviso' | 'resumen';

/** A mail, from the moment at which it is written until it is sent, or kept where no server is named. */
@Entity('correos')
@Check('correos_para_check', 'char_length(para) between 3 and 254')
@Check('correos_clase_check', `clase in ('entrada', 'confirmacion', 'aviso', 'resumen')`)
@Check('correos_estado_check', `estado in ('pendiente', 'guardado', 'enviado', 'fallido')`)
@Check('correos_causa_check', 'char_length(causa) between 1 and 200')
@Index('correos_pendientes_idx', ['proximo_en'], { where: `estado = 'pendiente'` })
@Index('correos_comercio_idx', ['comercio_id', 'id'])
@Index('correos_para_idx', ['para', 'creado_en'])
export class Correo {
  /** UUID version 7: in order of time. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'correos_pkey' })
  id: string;

  /** Null for a link that may open several shops. */
  @Column({ type: 'uuid', nullable: true })
  comercio_id: string | null;

  @ManyToOne(() => Comercio)
  @JoinColumn({ name: 'comercio_id', foreignKeyConstraintName: 'correos_comercio_fkey' })
  comercio: Comercio | null;

  /** The address, in lower case. */
  @Column({ type: 'text' })
  para: string;

  @Column({ type: 'text' })
  clase: CorreoClase;

  @Column({ type: 'text' })
  asunto: string;

  /** The plain text; null once it was sent, since it may hold a link that signs in. */
  @Column({ type: 'text', nullable: true })
  texto: string | null;

  @Column({ type: 'text', nullable: true })
  html: string | null;

  /** `guardado`: no mail server is named, and the inbox of the sandbox shows it. */
  @Column({ type: 'text', default: 'pendiente' })
  estado: 'pendiente' | 'guardado' | 'enviado' | 'fallido';

  @Column({ type: 'integer', default: 0 })
  intentos: number;

  /** Jobs that it had before its current one. */
  @Column({ type: 'integer', default: 0 })
  ronda: number;

  /** The mail server's answer to the last try, without addresses. */
  @Column({ type: 'text', nullable: true })
  causa: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  creado_en: Date;

  /** When it is tried, or tried again; while a try is running, when it counts as lost. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  proximo_en: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  enviado_en: Date | null;
}
