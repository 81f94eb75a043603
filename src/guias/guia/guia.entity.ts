import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { quoted } from '../../platform/database/quoted.js';
import { UNCOLLECTED } from './uncollected.js';
import { withTexts, type GuiaText, type StoredTexts } from './guia-fields.js';
import { FINAL_ESTADOS, type GuiaEstado } from './guia-estado.js';
import { MAX } from './limits.js';

const textColumn = ({ max, empty }: GuiaText) =>
  Column({ type: 'varchar', length: max, ...(empty === null ? { nullable: true } : { default: empty }) });

/**
 * A shipping guide. Columns have the names of the JSON fields.
 *
 * Rules of single values are in the column types (lengths, and domains such as `telefono_e164` or
 * `guia_estado`), because PostgreSQL parses CHECKs again for every statement.
 *
 * The merchant leads every key except the guide number's, which is unique over all merchants, so that the
 * table can be distributed by merchant. Ids are UUID version 7 and contain the creation time, so the primary
 * key also serves the list, newest first, for any range of dates.
 */
@Entity('guias')
@Unique('guias_guia_key', ['guia'])
@Unique('guias_external_ref_key', ['comercio_id', 'external_ref'])
@Index('guias_estado_idx', ['comercio_id', 'estado', 'id'])
@Index('guias_id_idx', ['id'], { where: 'not de_prueba' })
@Index('guias_prueba_id_idx', ['id'], { where: 'de_prueba' })
@Index('guias_direccion_confirmada_idx', ['comercio_id', 'direccion_confirmada', 'id'])
@Index('guias_actualizada_idx', ['comercio_id', 'actualizada_en', 'id'])
@Index('guias_por_cobrar_idx', ['comercio_id', 'id'], { where: UNCOLLECTED.por_cobrar })
@Index('guias_sin_cobro_idx', ['comercio_id', 'id'], { where: UNCOLLECTED.sin_cobro })
@Index('guias_advertencias_idx', ['comercio_id', 'id'], { where: `advertencias <> '{}'` })
@Index('guias_piloto_idx', ['piloto_id', 'estado', 'id'], {
  where: 'piloto_id is not null and not de_prueba',
})
@Index('guias_piloto_fin_idx', ['piloto_id', 'estado_en'], {
  where: `piloto_id is not null and not de_prueba and estado in (${quoted(FINAL_ESTADOS)})`,
})
@Index('guias_enlaces_pendientes_idx', ['id'], { where: `enlaces_pendientes <> '{}'` })
// On expressions, which TypeORM cannot describe; their SQL is in the migrations.
@Index('guias_telefono_idx', { synchronize: false })
@Index('guias_municipio_idx', { synchronize: false })
@Index('guias_departamento_idx', { synchronize: false })
@Index('guias_libres_idx', { synchronize: false })
@Check(
  'guias_lugares_check',
  `num_nulls(destino_lat, destino_lng) <> 1 and num_nulls(recogida_lat, recogida_lng) <> 1
  and num_nonnulls(recogida_lat, recogida_maps_url) > 0
  and (not direccion_confirmada or num_nonnulls(destino_lat, destino_maps_url) > 0)`,
)
export class Guia extends withTexts<object, StoredTexts>(Object, textColumn) {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'guias_pkey' })
  comercio_id: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'guias_pkey' })
  id: string;

  @Column({ type: 'varchar', length: 12 })
  guia: string;

  @Column({ type: 'varchar', length: MAX.external_ref, nullable: true })
  external_ref: string | null;

  @Column({ type: 'text' })
  estado: GuiaEstado;

  @Column({ type: 'varchar', length: MAX.nombre, default: '' })
  destinatario: string;

  /** E.164. */
  @Column({ type: 'text' })
  telefono: string;

  @Column({ type: 'varchar', length: MAX.direccion, default: '' })
  direccion: string;

  @Column({ type: 'varchar', length: MAX.nombre })
  departamento: string;

  @Column({ type: 'varchar', length: MAX.nombre })
  municipio: string;

  @Column({ type: 'numeric', precision: 12, scale: 2, default: () => '0' })
  cod_amount: string;

  @Column({ type: 'boolean' })
  direccion_confirmada: boolean;

  /** When the recipient confirmed; null if the merchant knew the destination from the start. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  confirmada_en: Date | null;

  @Column({ type: 'double precision', nullable: true })
  destino_lat: number | null;

  @Column({ type: 'double precision', nullable: true })
  destino_lng: number | null;

  @Column({ type: 'varchar', length: MAX.maps_url, nullable: true })
  destino_maps_url: string | null;

  @Column({ type: 'double precision', nullable: true })
  recogida_lat: number | null;

  @Column({ type: 'double precision', nullable: true })
  recogida_lng: number | null;

  @Column({ type: 'varchar', length: MAX.maps_url, nullable: true })
  recogida_maps_url: string | null;

  @Column({ type: 'varchar', length: MAX.nombre, nullable: true })
  recogida_nombre: string | null;

  @Column({ type: 'varchar', length: MAX.direccion, nullable: true })
  recogida_direccion: string | null;

  /** `GuiaAdvertencia` codes, shown in the detail. */
  @Column({ type: 'text', array: true, default: () => `'{}'` })
  advertencias: string[];

  /** The places whose map link has not been expanded yet. */
  @Column({ type: 'text', array: true, default: () => `'{}'` })
  enlaces_pendientes: ('recogida' | 'destino')[];

  @Column({ type: 'timestamptz', precision: 3 })
  creada_en: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  actualizada_en: Date;

  /** Counts the changes; each event's `secuencia` is the version that it made. */
  @Column({ type: 'integer', default: () => '1' })
  version: number;

  /** When the guide entered its state, according to the operator; null until its first transition. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  estado_en: Date | null;

  /** `secuencia` of the event that last changed the phone; null if it never changed. */
  @Column({ type: 'integer', nullable: true })
  telefono_secuencia: number | null;

  /** Id (UUID version 7) of the recipient's answer that set the destination. An older answer changes nothing. */
  @Column({ type: 'uuid', nullable: true })
  respuesta_id: string | null;

  /** When the recipient sent it, or the destination was set otherwise since; null if that was before this was recorded. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  respuesta_en: Date | null;

  /** The driver that it is assigned to. No foreign key, which each create would check; drivers are never deleted. */
  @Column({ type: 'uuid', nullable: true })
  piloto_id: string | null;

  /** Whether it was created with a test key: nobody delivers it. */
  @Column({ type: 'boolean', default: false })
  de_prueba: boolean;
}
