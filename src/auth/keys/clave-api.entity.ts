import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { Comercio } from '../merchants/comercio.entity.js';
import { Operador } from '../operators/operador.entity.js';
import type { Scope } from './scopes.js';

/** An API key. Only a keyed hash of it is stored. */
@Entity('claves_api')
@Unique('claves_api_identificador_key', ['identificador'])
@Index('claves_api_comercio_idx', ['comercio_id'])
@Check('claves_api_identificador_check', `identificador ~ '^[0-9A-Za-z]{8}$'`)
@Check('claves_api_huella_check', `octet_length(huella) = 32`)
@Check('claves_api_etiqueta_check', `char_length(etiqueta) between 1 and 120`)
@Check('claves_api_alcances_check', `cardinality(alcances) > 0`)
@Index('claves_api_operador_idx', ['operador_id'], { where: 'operador_id is not null' })
@Check(
  'claves_api_titular_check',
  `case when operador_id is null then comercio_id is not null and not alcances && array['operaciones', 'operaciones:leer']
    else comercio_id is null and alcances <@ array['operaciones', 'operaciones:leer'] end`,
)
export class ClaveApi {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'claves_api_pkey' })
  id: string;

  /** Null for an operator's key. */
  @Column({ type: 'uuid', nullable: true })
  comercio_id: string | null;

  @ManyToOne(() => Comercio)
  @JoinColumn({ name: 'comercio_id', foreignKeyConstraintName: 'claves_api_comercio_fkey' })
  comercio: Comercio | null;

  /** Null for a merchant's key. */
  @Column({ type: 'uuid', nullable: true })
  operador_id: string | null;

  @ManyToOne(() => Operador)
  @JoinColumn({ name: 'operador_id', foreignKeyConstraintName: 'claves_api_operador_fkey' })
  operador: Operador | null;

  /** The eight characters after `gk_live_` or `gk_test_`: identifies the key; not secret. */
  @Column({ type: 'text' })
  identificador: string;

  /** HMAC-SHA-256 of the whole key, with a pepper that is not in the database. */
  @Column({ type: 'bytea' })
  huella: Buffer;

  @Column({ type: 'text', array: true })
  alcances: Scope[];

  @Column({ type: 'text', nullable: true })
  etiqueta: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  creada_en: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expira_en: Date | null;

  /** End of the overlap with the key that replaced it; null if it was not rotated. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  solape_hasta: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revocada_en: Date | null;

  /** Written every 30 s. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  ultimo_uso_en: Date | null;
}

/** When a key stops working; null for never. */
export function endOf({
  expira_en,
  solape_hasta,
}: Pick<ClaveApi, 'expira_en' | 'solape_hasta'>): Date | null {
  return solape_hasta === null || (expira_en !== null && expira_en < solape_hasta) ? expira_en : solape_hasta;
}

export function isWorking(key: Pick<ClaveApi, 'expira_en' | 'solape_hasta' | 'revocada_en'>): boolean {
  const end = key.revocada_en ?? endOf(key);
  return end === null || end > new Date();
}
