import type { CountryCode } from 'libphonenumber-js';
import { Check, Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn, Unique } from 'typeorm';

/**
 * A merchant. Its API keys act for it. Its test keys act for its test twin, a separate row, so that everything that
 * belongs to a merchant is separated by merchant id alone.
 */
@Entity('comercios')
@Unique('comercios_prueba_de_key', ['prueba_de'])
@Check('comercios_nombre_check', `char_length(nombre) between 1 and 120`)
@Check('comercios_pais_check', `pais ~ '^[A-Z]{2}$'`)
@Check('comercios_moneda_check', `moneda ~ '^[A-Z]{3}$'`)
@Check('comercios_telefono_contacto_check', `telefono_contacto ~ '^\\+[1-9][0-9]{3,14}$'`)
@Check('comercios_correo_check', 'char_length(correo) between 3 and 254')
@Check('comercios_correo_rechazo_check', 'char_length(correo_rechazo) between 1 and 200')
@Index('comercios_correo_idx', ['correo'], { where: 'correo is not null' })
export class Comercio {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'comercios_pkey' })
  id: string;

  @Column({ type: 'text' })
  nombre: string;

  /** ISO 3166: the country of phone numbers in local format. */
  @Column({ type: 'text' })
  pais: CountryCode;

  /** ISO 4217: the currency of all its amounts. */
  @Column({ type: 'text', default: 'GTQ' })
  moneda: string;

  /** E.164: where recipients reach it by WhatsApp; null if nowhere. */
  @Column({ type: 'text', nullable: true })
  telefono_contacto: string | null;

  /** Since when it asks for its webhooks' messages, which are kept for it; null if it never did. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  escucha_desde: Date | null;

  /** Whether a delivery needs the PIN that the recipient is shown. */
  @Column({ type: 'boolean', default: false })
  con_pin: boolean;

  /** For a test twin: the merchant it belongs to. Name, country, currency, contact phone and PIN are copied from there. */
  @Column({ type: 'uuid', nullable: true })
  prueba_de: string | null;

  @OneToOne(() => Comercio)
  @JoinColumn({ name: 'prueba_de', foreignKeyConstraintName: 'comercios_prueba_de_fkey' })
  vivo: Comercio | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  creado_en: Date;

  /** Since when it is closed: its keys only read, and it has no new guides. Null while it is open. Of its test twin, too. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  cerrado_en: Date | null;

  /** Who of staff closed it, by the name in BOARD_USERS; null for the command. */
  @Column({ type: 'text', nullable: true })
  cerrado_por: string | null;

  /** When all that the closing changes was done; null before. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  cierre_hecho_en: Date | null;

  /** When a process was last at what the closing changes; after a while without it, another one goes on. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  cierre_visto_en: Date | null;

  /** Where mails for it go, in lower case; null if nowhere, and for a test twin. */
  @Column({ type: 'text', nullable: true })
  correo: string | null;

  /** When a link that was sent to `correo` was pressed; null before. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  correo_confirmado_en: Date | null;

  /** Why a mail server refused `correo` for good, in its words; null while it takes mails. */
  @Column({ type: 'text', nullable: true })
  correo_rechazo: string | null;

  /** Whether it is told at once what cannot wait. */
  @Column({ type: 'boolean', default: true })
  con_avisos: boolean;

  /** Whether it is told each morning what waits. */
  @Column({ type: 'boolean', default: true })
  con_resumen: boolean;

  /** The last day, its own, for which its summary was written or had nothing to say; null before the first. */
  @Column({ type: 'date', nullable: true })
  resumen_dia: string | null;
}
