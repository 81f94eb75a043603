import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { GUIA_ESTADOS, type GuiaEstado } from './guia-estado.js';
import type { Lugar } from './guias.queries.js';
import { MAX } from './limits.js';

const lengthBetween = (column: string, min: number, max: number) =>
  `char_length(${column}) between ${min} and ${max}`;
const point = (place: string) =>
  `(${place}_lat is null) = (${place}_lng is null) and ${place}_lat between -90 and 90 and ${place}_lng between -180 and 180` +
  ` and not (${place}_lat = 0 and ${place}_lng = 0)`;

/**
 * A shipping guide. Column names are the interface's own.
 *
 * The merchant leads every key but the guide number's (unique over all merchants), so that the table can
 * be distributed by merchant. Ids are UUID version 7 and carry the creation time: the primary key is also
 * the index of the list, newest first, with any range of dates.
 */
@Entity('guias')
@Unique('guias_guia_key', ['guia'])
@Unique('guias_external_ref_key', ['comercio_id', 'external_ref'])
@Index('guias_estado_idx', ['comercio_id', 'estado', 'id'])
@Index('guias_id_idx', ['id'], { where: `guia <> ''` })
@Index('guias_telefono_idx', ['comercio_id', 'telefono', 'id'])
@Index('guias_direccion_confirmada_idx', ['comercio_id', 'direccion_confirmada', 'id'])
@Index('guias_actualizada_idx', ['comercio_id', 'actualizada_en', 'id'])
@Check('guias_guia_check', `guia ~ '^[1-9][0-9]{11}$'`)
@Check('guias_estado_check', `estado in (${GUIA_ESTADOS.map((estado) => `'${estado}'`).join(', ')})`)
@Check('guias_telefono_check', `telefono ~ '^\\+[1-9][0-9]{3,14}$'`)
@Check('guias_external_ref_check', lengthBetween('external_ref', 1, MAX.external_ref))
@Check('guias_destinatario_check', lengthBetween('destinatario', 0, MAX.nombre))
@Check('guias_direccion_check', lengthBetween('direccion', 0, MAX.direccion))
@Check('guias_departamento_check', lengthBetween('departamento', 1, MAX.nombre))
@Check('guias_municipio_check', lengthBetween('municipio', 1, MAX.nombre))
@Check('guias_referencia_check', lengthBetween('referencia', 1, MAX.referencia))
@Check('guias_contenido_check', lengthBetween('contenido', 0, MAX.contenido))
@Check('guias_notas_check', lengthBetween('notas', 1, MAX.notas))
@Check('guias_cod_amount_check', `cod_amount between 0 and ${MAX.cod_amount}`)
@Check('guias_destino_check', point('destino'))
@Check('guias_destino_maps_url_check', lengthBetween('destino_maps_url', 1, MAX.maps_url))
@Check(
  'guias_direccion_confirmada_check',
  `not direccion_confirmada or destino_lat is not null or destino_maps_url is not null`,
)
@Index('guias_enlaces_pendientes_idx', ['id'], { where: `enlaces_pendientes <> '{}'` })
@Check('guias_enlaces_pendientes_check', `enlaces_pendientes <@ array['recogida', 'destino']`)
@Check('guias_confirmada_en_check', 'confirmada_en is null or direccion_confirmada')
@Check(
  'guias_recogida_check',
  `${point('recogida')} and (recogida_lat is not null or recogida_maps_url is not null)`,
)
@Check('guias_recogida_maps_url_check', lengthBetween('recogida_maps_url', 1, MAX.maps_url))
@Check('guias_recogida_nombre_check', lengthBetween('recogida_nombre', 1, MAX.nombre))
@Check('guias_recogida_direccion_check', lengthBetween('recogida_direccion', 1, MAX.direccion))
export class Guia {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'guias_pkey' })
  comercio_id: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'guias_pkey' })
  id: string;

  @Column({ type: 'text' })
  guia: string;

  @Column({ type: 'text', nullable: true })
  external_ref: string | null;

  @Column({ type: 'text' })
  estado: GuiaEstado;

  @Column({ type: 'text', default: '' })
  destinatario: string;

  /** E.164. */
  @Column({ type: 'text' })
  telefono: string;

  @Column({ type: 'text', default: '' })
  direccion: string;

  @Column({ type: 'text' })
  departamento: string;

  @Column({ type: 'text' })
  municipio: string;

  @Column({ type: 'text', nullable: true })
  referencia: string | null;

  @Column({ type: 'text', default: '' })
  contenido: string;

  @Column({ type: 'text', nullable: true })
  notas: string | null;

  @Column({ type: 'numeric', precision: 12, scale: 2, default: () => '0' })
  cod_amount: string;

  @Column({ type: 'boolean' })
  direccion_confirmada: boolean;

  /** When the recipient confirmed; null for what the merchant knew from the start. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  confirmada_en: Date | null;

  @Column({ type: 'double precision', nullable: true })
  destino_lat: number | null;

  @Column({ type: 'double precision', nullable: true })
  destino_lng: number | null;

  @Column({ type: 'text', nullable: true })
  destino_maps_url: string | null;

  @Column({ type: 'double precision', nullable: true })
  recogida_lat: number | null;

  @Column({ type: 'double precision', nullable: true })
  recogida_lng: number | null;

  @Column({ type: 'text', nullable: true })
  recogida_maps_url: string | null;

  @Column({ type: 'text', nullable: true })
  recogida_nombre: string | null;

  @Column({ type: 'text', nullable: true })
  recogida_direccion: string | null;

  /** Codes of things to look at, shown in the detail. */
  @Column({ type: 'text', array: true, default: () => `'{}'` })
  advertencias: string[];

  /** Which of its map links are still to be asked about: `recogida`, `destino`. */
  @Column({ type: 'text', array: true, default: () => `'{}'` })
  enlaces_pendientes: Lugar[];

  @Column({ type: 'timestamptz', precision: 3 })
  creada_en: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  actualizada_en: Date;

  /** Counts its changes; its events bear the version that they made. */
  @Column({ type: 'integer', default: () => '1' })
  version: number;

  /** When it came into its state, as the operator says; null until it first moves. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  estado_en: Date | null;

  /** Since when the phone is the recipient's; null from the start. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  telefono_desde: Date | null;
}
