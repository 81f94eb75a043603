import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { MESSAGING_PROVIDERS, type ProviderName } from '../../platform/config/messaging-providers.js';
import { quoted } from '../../platform/database/quoted.js';
import { MENSAJE_ESTADOS, type MensajeEstado } from './mensaje-estado.js';
import { MENSAJE_TIPOS, STARTING_TIPOS, type MensajeTipo } from '../providers/messaging-provider.js';

const oneOf = (column: string, values: readonly string[]) => `${column} in (${quoted(values)})`;

/** A message to a recipient. This row is the source of truth; the queue only schedules it. */
@Entity('mensajes')
@Index('mensajes_guia_idx', ['guia_id', 'id'])
@Index('mensajes_telefono_idx', ['telefono', 'id'])
@Index('mensajes_usuario_idx', ['usuario', 'id'], { where: 'usuario is not null' })
@Index('mensajes_proveedor_id_idx', ['proveedor_id'], { where: 'proveedor_id is not null' })
@Index('mensajes_sandbox_idx', ['comercio_id', 'id'], { where: `proveedor = 'sandbox'` })
@Index('mensajes_pendientes_idx', ['proximo_en'], {
  where: `estado in ('pendiente', 'enviando', 'incierto')`,
})
@Index('mensajes_fallidos_idx', ['id'], { where: `estado = 'fallido'` })
@Check('mensajes_tipo_check', oneOf('tipo', MENSAJE_TIPOS))
@Check('mensajes_estado_check', oneOf('estado', MENSAJE_ESTADOS))
@Check('mensajes_telefono_check', `telefono ~ '^\\+[1-9][0-9]{3,14}$'`)
@Check('mensajes_usuario_check', 'char_length(usuario) between 1 and 200')
@Check('mensajes_proveedor_check', oneOf('proveedor', MESSAGING_PROVIDERS))
@Check('mensajes_proveedor_id_check', 'char_length(proveedor_id) between 1 and 512')
@Check('mensajes_intentos_check', 'intentos >= 0')
@Check('mensajes_ronda_check', 'ronda >= 0')
@Check('mensajes_causa_check', 'char_length(causa) between 1 and 500')
@Check('mensajes_guia_check', '(comercio_id is null) = (guia_id is null)')
@Check('mensajes_destinatario_check', 'telefono is not null or usuario is not null')
@Check(
  'mensajes_confirmacion_check',
  `tipo not in (${quoted(STARTING_TIPOS)}) or (guia_id is not null and telefono is not null)`,
)
export class Mensaje {
  /**
   * UUID version 7 of the event or incoming message that caused it, so that each causes one message. That of a PIN is the first
   * departure of a trip, so that each trip causes one. The id of an answer that a
   * person gets once a day is derived from the person and from the answer before it.
   */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'mensajes_pkey' })
  id: string;

  @Column({ type: 'text' })
  tipo: MensajeTipo;

  @Column({ type: 'text' })
  estado: MensajeEstado;

  @Column({ type: 'uuid', nullable: true })
  comercio_id: string | null;

  /** Null where the message is about no guide. */
  @Column({ type: 'uuid', nullable: true })
  guia_id: string | null;

  /** E.164. */
  @Column({ type: 'text', nullable: true })
  telefono: string | null;

  /** The recipient's id in the app. */
  @Column({ type: 'text', nullable: true })
  usuario: string | null;

  @Column({ type: 'uuid', nullable: true })
  responde_a: string | null;

  /** Origin of its link when it was sent; the rest of the link is derived. */
  @Column({ type: 'text', nullable: true })
  enlace_base: string | null;

  @Column({ type: 'text', nullable: true })
  proveedor: ProviderName | null;

  /** The provider's own id of it. */
  @Column({ type: 'text', nullable: true })
  proveedor_id: string | null;

  /** Tries since it was created, or last retried by a person. */
  @Column({ type: 'smallint', default: () => '0' })
  intentos: number;

  /** Number of times that its job was lost and replaced; part of the job's id. */
  @Column({ type: 'smallint', default: () => '0' })
  ronda: number;

  /** Why it is not sent, in Spanish, for support; without phone numbers. */
  @Column({ type: 'text', nullable: true })
  causa: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  creado_en: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  actualizado_en: Date;

  /** Time of the next attempt, while it is neither accepted nor final. */
  @Column({ type: 'timestamptz', precision: 3 })
  proximo_en: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  primer_intento_en: Date | null;
}
