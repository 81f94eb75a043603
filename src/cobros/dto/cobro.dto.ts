import { ApiProperty } from '@nestjs/swagger';
import { OkDto, PaginaDto } from '../../platform/openapi/answer.dto.js';
import { CursorField, LimitField } from '../../platform/pagination/page.fields.js';
import { ModoField } from '../../platform/validation/modo.dto.js';
import { oneOf } from '../../platform/validation/fields.js';
import { parseInstant } from '../../platform/validation/instant.js';
import {
  QueryInstantField,
  QueryField,
  startsBeforeEnd,
  ZonaField,
  zoneOf,
} from '../../platform/validation/query.fields.js';
import { COBRO_ESTADO_NAMES, COBRO_ESTADOS, type CobroEstado } from '../cobro-estado.js';
import type { CobroFilter, CobroRow } from '../cobro-list.queries.js';
import { toMonto, type Monto } from '../exact-amounts.js';
import { QueryComercioField } from '../../guias/dto/comercio.fields.js';
import { ApiPago } from '../../guias/dto/pago.field.js';
import type { Pago } from '../../guias/guia/pago.js';
import { ApiGuiaNumero, ApiId, ApiTimeOrNull, meaningsOf } from '../../platform/openapi/answer-fields.js';

const ESTADOS_TEXT = meaningsOf(COBRO_ESTADOS, '; ');

export const MONEDA = {
  description: 'Moneda del comercio (ISO 4217).',
  pattern: '^[A-Z]{3}$',
  example: 'GTQ',
};

/** The amount of one guide, due or collected. */
export class CobroDto {
  @ApiGuiaNumero()
  guia: string;

  @ApiId('Identificador de la guía.', 'guia')
  id: string;

  @ApiProperty({
    description: 'Referencia del comercio.',
    type: 'string',
    nullable: true,
    example: 'pedido-1042',
  })
  external_ref: string | null;

  @ApiProperty({ description: 'Monto por cobrar al entregar.', type: Number, minimum: 0, example: 349.5 })
  cod_amount: Monto;

  @ApiProperty({
    description: 'Lo que se cobró; null mientras no se sabe; 0 si se pagó directo al comercio.',
    type: Number,
    nullable: true,
    minimum: 0,
    example: 349.5,
  })
  cod_cobrado: Monto | null;

  @ApiProperty(MONEDA)
  moneda: string;

  @ApiProperty({ description: `${ESTADOS_TEXT}.`, enum: COBRO_ESTADO_NAMES, example: 'cobrado' })
  estado: CobroEstado;

  @ApiTimeOrNull(
    'Cuándo se cobró, ISO 8601 en UTC, o se entregó lo pagado directo; null si no se ha cobrado.',
    '2026-11-21T15:04:05.123Z',
  )
  cobrado_en: string | null;

  @ApiProperty({
    description: '`id` de su liquidación; null si no es parte de una.',
    type: String,
    format: 'uuid',
    nullable: true,
    example: null,
  })
  liquidacion: string | null;

  @ApiPago('Cómo se pagó; null mientras no se entrega, y si no había nada que cobrar.', {
    example: 'efectivo',
  })
  pago: Pago | null;

  @ApiProperty({
    description:
      'El monto con el que está en su liquidación; null antes. `cod_cobrado` puede ser otro, si se corrigió después: la diferencia es un ajuste.',
    type: Number,
    nullable: true,
    minimum: 0,
    example: null,
  })
  liquidado: Monto | null;
}

/** @param moneda of the merchant whose list it is; of an operator's list, the row has it, with its merchant. */
export function toCobro(row: CobroRow, moneda = row.moneda!): CobroDto | CobroDeOperacionesDto {
  return {
    guia: row.guia,
    id: row.id,
    external_ref: row.external_ref,
    cod_amount: toMonto(row.cod_amount),
    cod_cobrado: toMonto(row.cod_cobrado),
    moneda,
    estado: row.estado,
    cobrado_en: row.cobrado_en,
    liquidacion: row.liquidacion,
    pago: row.pago,
    liquidado: toMonto(row.liquidado),
    ...(row.comercio !== undefined && { comercio: { id: row.comercio, nombre: row.comercio_nombre! } }),
  };
}

/** The times between which amounts were collected. */
export class ResumirCobrosDto {
  @QueryInstantField(
    'Solo lo cobrado en este momento o después. Una fecha sola significa su primer milisegundo; sin zona, la de `zona`. Ejemplos: `2026-11-21`, `2026-11-21T15:04:05-06:00`.',
    'from',
    startsBeforeEnd,
  )
  desde?: string;

  @QueryInstantField(
    'Solo lo cobrado en este momento o antes. Una fecha sola significa su último milisegundo; sin zona, la de `zona`.',
    'until',
  )
  hasta?: string;

  @ZonaField()
  zona?: string;
}

export class ListarCobrosDto extends ResumirCobrosDto {
  @QueryField(
    { description: `Solo los que están así. ${ESTADOS_TEXT}.` },
    { enum: COBRO_ESTADO_NAMES, enumName: 'CobroEstado' },
    oneOf(COBRO_ESTADO_NAMES),
  )
  estado?: CobroEstado;

  @LimitField('Cobros')
  limit?: string;

  @CursorField()
  cursor?: string;
}

export class ListarCobrosDeOperacionesDto extends ListarCobrosDto {
  @QueryComercioField('Solo cobros del comercio con este `id`.')
  comercio?: string;

  @ModoField()
  modo?: 'prueba';
}

export class PaginarCobrosDto {
  @LimitField('Cobros')
  limit?: string;

  @CursorField()
  cursor?: string;
}

export class PaginarCobrosDeOperacionesDto extends PaginarCobrosDto {
  @ModoField()
  modo?: 'prueba';
}

/** @param country of the merchant, in place of `zona=comercio`. */
export function toMoneyFilter<Estado>(
  { estado, desde, hasta, zona }: { estado?: Estado } & Omit<ListarCobrosDto, 'estado'>,
  country?: string,
): Omit<CobroFilter, 'estado'> & { estado?: Estado } {
  const zone = zoneOf(zona, country);
  return {
    ...(estado !== undefined && { estado }),
    ...(desde !== undefined && { from: parseInstant(desde, 'from', zone)! }),
    ...(hasta !== undefined && { until: parseInstant(hasta, 'until', zone)! }),
  };
}

export class ListaDeCobrosDto extends PaginaDto {
  @ApiProperty({
    description:
      'De la guía más reciente a la más antigua; con `desde` o `hasta`, del último cobro al primero.',
    type: () => [CobroDto],
  })
  cobros: CobroDto[];
}

class ComercioDeCobroDto {
  @ApiId('Identificador del comercio.', 'comercio')
  id: string;

  @ApiProperty({ description: 'Nombre del comercio.', example: 'Zapatos Ana' })
  nombre: string;
}

export class CobroDeOperacionesDto extends CobroDto {
  @ApiProperty({ description: 'El comercio que envía.' })
  comercio: ComercioDeCobroDto;
}

export class ListaDeCobrosDeOperacionesDto extends PaginaDto {
  @ApiProperty({
    description:
      'De la guía más reciente a la más antigua; con `desde` o `hasta`, del último cobro al primero.',
    type: () => [CobroDeOperacionesDto],
  })
  cobros: CobroDeOperacionesDto[];
}

/** Guides and amounts of one state. */
export class TotalDto {
  @ApiProperty({ description: 'Cuántas guías.', type: 'integer', minimum: 0, example: 12 })
  guias: number;

  @ApiProperty({ description: 'Suma de `cod_amount`.', type: Number, minimum: 0, example: 4194 })
  cod_amount: Monto;

  @ApiProperty({ description: 'Suma de `cod_cobrado`.', type: Number, minimum: 0, example: 4193.5 })
  cod_cobrado: Monto;
}

export class ResumenDto extends OkDto {
  @ApiProperty(MONEDA)
  moneda: string;

  @ApiProperty({
    description: COBRO_ESTADOS.por_cobrar,
    example: { guias: 3, cod_amount: 750, cod_cobrado: 0 },
  })
  por_cobrar: TotalDto;

  @ApiProperty({
    description: COBRO_ESTADOS.cobrado,
    example: { guias: 12, cod_amount: 4194, cod_cobrado: 4193.5 },
  })
  cobrado: TotalDto;

  @ApiProperty({
    description: COBRO_ESTADOS.liquidado,
    example: { guias: 30, cod_amount: 10480, cod_cobrado: 10480 },
  })
  liquidado: TotalDto;

  @ApiProperty({
    description: 'la guía se canceló, se devolvió o se extravió',
    example: { guias: 2, cod_amount: 600, cod_cobrado: 0 },
  })
  sin_cobro: TotalDto;

  @ApiProperty({
    description: 'se pagó directo al comercio: no se cobró nada, y nada se liquida',
    example: { guias: 1, cod_amount: 250, cod_cobrado: 0 },
  })
  directo: TotalDto;

  @ApiProperty({
    description: 'Lo cobrado menos lo que se debía cobrar, de lo cobrado y liquidado; negativo si falta.',
    type: Number,
    example: -0.5,
  })
  diferencia: Monto;
}

/** `[estado, guias, cod_amount, cod_cobrado, diferencia]` */
export type TotalRow = readonly [string, string, string, string, string];

export function toResumen(rows: TotalRow[], moneda: string): ResumenDto {
  const total = (estado: CobroEstado | 'directo'): TotalDto => {
    const [, guias, cod_amount, cod_cobrado] = rows.find(([one]) => one === estado) ?? [
      '',
      '0',
      '0.00',
      '0.00',
    ];
    return { guias: Number(guias), cod_amount: toMonto(cod_amount), cod_cobrado: toMonto(cod_cobrado) };
  };
  return {
    ok: true,
    moneda,
    por_cobrar: total('por_cobrar'),
    cobrado: total('cobrado'),
    liquidado: total('liquidado'),
    sin_cobro: total('sin_cobro'),
    directo: total('directo'),
    diferencia: toMonto(rows[0]?.[4] ?? '0.00'),
  };
}
