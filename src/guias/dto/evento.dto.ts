import { PaginaDto } from '../../platform/openapi/answer.dto.js';
import {
  EVENTO_ACTORES,
  HISTORY_TIPOS,
  type EventoActor,
  type EventoTipo,
} from '../../platform/events/evento-tipo.js';
import { ApiProperty } from '@nestjs/swagger';
import { CursorField, LimitField } from '../../platform/pagination/page.fields.js';
import type { NoAplicado } from '../guia/guia-advertencia.js';
import { INITIAL_ESTADO, type GuiaEstado } from '../guia/guia-estado.js';
import { ApiId, ApiTime, ApiTimeOrNull } from '../../platform/openapi/answer-fields.js';
import { MOVE_TIPOS } from '../guia/standing-moves.js';
import type { Lugar } from '../guia/guia-row.js';
import type { Pago } from '../guia/pago.js';
import { ApiPago } from './pago.field.js';
import { ApiGuiaEstado } from './estado-field.js';
import { PilotoNombradoDto, toPilotoNombrado } from './piloto-nombrado.dto.js';

const nullable = { nullable: true, example: null };

export class EventoDto {
  @ApiId('Identificador del evento.', 'evento')
  id: string;

  @ApiProperty({
    description:
      'Orden entre los eventos de la guía: sube, aunque puede saltar números; `guia.asignada` lleva el del evento anterior. Los avisos por webhook llevan el mismo.',
    type: 'integer',
    example: 3,
  })
  secuencia: number;

  @ApiProperty({ description: 'Qué pasó.', enum: HISTORY_TIPOS, example: 'guia.estado_cambiado' })
  tipo: EventoTipo;

  @ApiProperty({
    description: 'Quién lo hizo. `soporte` es el servicio de atención, a pedido de alguien.',
    enum: EVENTO_ACTORES,
    example: 'operador',
  })
  actor: EventoActor;

  @ApiTime('Cuándo pasó, ISO 8601 en UTC.')
  ocurrido_en: string;

  @ApiTimeOrNull(
    'Cuándo dijo el teléfono del piloto que pasó, donde `ocurrido_en` es otro porque eso no pudo ser.',
  )
  dicho_en: string | null;

  @ApiTime('Cuándo quedó registrado, ISO 8601 en UTC.', '2026-11-21T15:04:06.001Z')
  creado_en: string;

  @ApiGuiaEstado(
    'Estado al que pasó la guía; en `guia.evento_tardio`, el que se informó tarde y no la movió. Null donde no se trata de estados.',
    { nullable: true, example: 'intento_fallido' },
  )
  estado: GuiaEstado | null;

  @ApiGuiaEstado('Estado anterior, donde la guía pasó a otro.', { nullable: true, example: 'en_ruta' })
  estado_anterior: GuiaEstado | null;

  @ApiProperty({
    description:
      'Por qué: el motivo de un intento fallido, o el código de lo que impidió un mensaje o la lectura de un enlace.',
    type: 'string',
    nullable: true,
    example: 'ausente',
  })
  motivo: string | null;

  @ApiProperty({ description: 'Nota de quien lo registró.', type: 'string', ...nullable })
  nota: string | null;

  @ApiProperty({ description: 'Dónde pasó: latitud.', type: 'number', ...nullable })
  lat: number | null;

  @ApiProperty({ description: 'Dónde pasó: longitud.', type: 'number', ...nullable })
  lng: number | null;

  @ApiProperty({
    description: 'Monto cobrado al entregar, o corregido después.',
    type: 'number',
    ...nullable,
  })
  cod_cobrado: number | null;

  @ApiPago('Cómo se pagó, en una entrega con monto por cobrar o en su corrección.', { example: null })
  pago: Pago | null;

  @ApiProperty({ description: 'Quién recibió, en una entrega.', type: 'string', ...nullable })
  recibio: string | null;

  @ApiProperty({
    description: 'Metros entre el lugar de la entrega y el destino, donde ambos se conocen.',
    type: 'integer',
    ...nullable,
  })
  distancia_m: number | null;

  @ApiProperty({
    description: 'Campos que cambiaron, en `guia.actualizada`.',
    type: [String],
    nullable: true,
    example: null,
  })
  campos: string[] | null;
}

export class ListarEventosDto {
  @LimitField('Eventos')
  limit?: string;

  @CursorField()
  cursor?: string;
}

export class ListaDeEventosDto extends PaginaDto {
  @ApiProperty({ description: 'Los eventos, del primero al último.', type: () => [EventoDto] })
  eventos: EventoDto[];
}

/** A row of `eventos`, its times as text. */
export interface EventoRow {
  id: string;
  secuencia: number;
  tipo: EventoTipo;
  actor: EventoActor;
  creado_en: string;
  ocurrido_en: string;
  datos: Record<string, unknown> | null;
  /** Id of the driver who reported it, or whom the guide was assigned to; merchants do not see it. */
  piloto: string | null;
  piloto_nombre: string | null;
}

/** The events that are about a state. The others have the state after them in `datos` as well. */
const MOVES = new Set<EventoTipo>([...MOVE_TIPOS, 'guia.evento_tardio']);

export function toEvento({ datos, ...row }: EventoRow): EventoDto {
  const dato = <T>(name: string) => (datos?.[name] as T | undefined) ?? null;
  return {
    id: row.id,
    secuencia: row.secuencia,
    tipo: row.tipo,
    actor: row.actor,
    ocurrido_en: row.ocurrido_en,
    dicho_en: dato('dicho_en'),
    creado_en: row.creado_en,
    estado: row.tipo === 'guia.creada' ? INITIAL_ESTADO : MOVES.has(row.tipo) ? dato('estado') : null,
    estado_anterior: dato('estado_anterior'),
    motivo: dato('motivo') ?? dato('por') ?? dato('codigo'),
    nota: dato('nota'),
    lat: dato('lat'),
    lng: dato('lng'),
    cod_cobrado: dato('cod_cobrado'),
    pago: dato('pago'),
    recibio: dato('recibio'),
    distancia_m: dato('distancia_m'),
    campos: dato('campos'),
  };
}

export class EventoDeOperacionesDto extends EventoDto {
  @ApiProperty({
    description:
      'El piloto que lo registró (`actor` `piloto`), o a quien se asignó la guía (`guia.asignada`); null donde no hay.',
    type: () => PilotoNombradoDto,
    nullable: true,
  })
  piloto: PilotoNombradoDto | null;
}

export class ListaDeEventosDeOperacionesDto extends PaginaDto {
  @ApiProperty({ description: 'Los eventos, del primero al último.', type: () => [EventoDeOperacionesDto] })
  eventos: EventoDeOperacionesDto[];
}

export function toEventoDeOperaciones(row: EventoRow): EventoDeOperacionesDto {
  return { ...toEvento(row), piloto: toPilotoNombrado(row.piloto, row.piloto_nombre) };
}

export interface EventoDeSoporte extends EventoDto {
  /** Who of support did it, by the name in BOARD_USERS; null for everybody else. */
  usuario: string | null;
  /** The courier's name; null for everybody else. */
  operador: string | null;
  /** Name of the driver who reported it, or whom the guide was assigned to; null where there is none. */
  piloto: string | null;
  /** By which way a recipient answered; null for all other events. */
  origen: string | null;
  /** Metres; how far the place that a recipient answered with may be from their door; null where it is not known. */
  precision_m: number | null;
  /** The place of a map link; null for all other events. */
  lugar: Lugar | null;
  /** Why it was recorded and did not move the guide; null for all other events. */
  no_aplicado: NoAplicado | 'deshacer' | null;
  /** Whether staff may still apply it. */
  se_aplica: boolean;
  /** The amount to collect, or that was collected, before and after a change of it; null for all other events. */
  montos: { antes: number | null; ahora: number } | null;
}

/** An event with the name of the courier that reported it. */
export interface EventoDeSoporteRow extends EventoRow {
  operador: string | null;
}

/** @param rows all events of a guide. */
export function toEventosDeSoporte(rows: readonly EventoDeSoporteRow[]): EventoDeSoporte[] {
  const applied = new Set(rows.map(({ datos }) => datos?.aplica));
  return rows.map((row) => toEventoDeSoporte(row, applied.has(row.id)));
}

/** @param wasApplied whether what was not applied at first has been since, or is no concern of who looks. */
export function toEventoDeSoporte(
  { operador, ...row }: EventoDeSoporteRow,
  wasApplied: boolean,
): EventoDeSoporte {
  const dato = (name: string) => (row.datos?.[name] as string | undefined) ?? null;
  const no_aplicado = row.tipo === 'guia.evento_tardio' ? reasonOf(row.datos) : null;
  return {
    ...toEvento(row),
    usuario: dato('usuario'),
    operador,
    piloto: row.piloto_nombre,
    origen: dato('origen'),
    precision_m: (row.datos?.precision_m as number | undefined) ?? null,
    lugar: dato('lugar') as Lugar | null,
    no_aplicado,
    se_aplica: !wasApplied && no_aplicado !== null && no_aplicado !== 'deshacer',
    montos: amountsOf(row),
  };
}

function reasonOf(datos: EventoRow['datos']): NonNullable<EventoDeSoporte['no_aplicado']> {
  if (datos?.deshacer === true) return 'deshacer';
  return (datos?.no_aplicado as NoAplicado | undefined) ?? 'tarde';
}

/** Events of older versions do not have the amount before. */
function amountsOf({ tipo, datos }: EventoRow): EventoDeSoporte['montos'] {
  const amount = (name: string) => (datos?.[name] as number | undefined) ?? null;
  const now = tipo === 'guia.actualizada' ? amount('cod_amount') : amount('cod_cobrado');
  if (now === null) return null;
  return { antes: amount(tipo === 'guia.cod_distinto' ? 'cod_amount' : 'cod_antes'), ahora: now };
}
