import { ApiProperty } from '@nestjs/swagger';
import { MAX } from '../../guias/guia/limits.js';
import { OkDto, PaginaDto } from '../../platform/openapi/answer.dto.js';
import { CursorField, LimitField } from '../../platform/pagination/page.fields.js';
import { asSent, field, isText, TextField } from '../../platform/validation/fields.js';
import { parseInstant } from '../../platform/validation/instant.js';
import { isInstant, ZonaField, zoneOf } from '../../platform/validation/query.fields.js';
import { sumOf, toMonto, type Monto } from '../exact-amounts.js';
import type { LiquidacionRow } from '../liquidaciones.queries.js';
import { ComercioField, QueryComercioField } from '../../guias/dto/comercio.fields.js';
import { MONEDA } from './cobro.dto.js';
import { ModoField } from '../../platform/validation/modo.dto.js';
import { ApiId, ApiRepetition, ApiTime, ApiTimeOrNull } from '../../platform/openapi/answer-fields.js';

export class LiquidarDto {
  @ComercioField()
  comercio: string;

  @field(
    {
      description:
        'Se liquida lo cobrado hasta este momento; hasta ahora, si falta o está en el futuro. Una fecha sola significa su último milisegundo; sin zona, la de `zona`.',
      example: '2026-11-21',
    },
    { type: String },
    asSent,
    isText,
    isInstant('until'),
  )
  hasta?: string;

  @ZonaField()
  zona?: string;

  @TextField({
    max: MAX.ref,
    isExact: true,
    description: 'Referencia propia: repetirla para el mismo comercio devuelve la liquidación ya hecha.',
    example: 'semana-47',
  })
  ref?: string;
}

/** In ms since 1970. @param country of the merchant. */
export function untilOf({ hasta, zona }: LiquidarDto, country: string): number | undefined {
  return hasta === undefined ? undefined : parseInstant(hasta, 'until', zoneOf(zona, country));
}

export class PagarDto {
  @TextField({
    required: true,
    max: MAX.referencia_pago,
    isExact: true,
    description: 'Referencia del pago en el banco; el comercio la ve.',
    example: 'TRF-20261122-0042',
  })
  referencia_pago: string;

  @TextField({
    max: MAX.ref,
    isExact: true,
    description: 'Referencia propia: repetirla devuelve la liquidación ya pagada.',
    example: 'pago-semana-47',
  })
  ref?: string;
}

/** A settlement: amounts collected, and adjustments, that are paid to their merchant. */
export class LiquidacionDto {
  @ApiId('Identificador.', 'liquidacion')
  id: string;

  @ApiId('`id` del comercio.', 'comercio')
  comercio: string;

  @ApiProperty(MONEDA)
  moneda: string;

  @ApiProperty({
    description: 'Cuántas guías contiene; 0 si solo tiene ajustes.',
    type: 'integer',
    minimum: 0,
    example: 12,
  })
  guias: number;

  @ApiProperty({ description: 'Suma de lo cobrado.', type: Number, minimum: 0, example: 4193.5 })
  cobrado: Monto;

  @ApiProperty({ description: 'Suma de sus ajustes; negativa si quitan.', type: Number, example: -100 })
  ajustes: Monto;

  @ApiProperty({
    description: '`cobrado` más `ajustes`: lo que se le paga al comercio.',
    type: Number,
    minimum: 0,
    example: 4093.5,
  })
  neto: Monto;

  @ApiTime(
    'Cuándo se cobró la primera de sus guías, o sin guías cuándo se hizo el primer ajuste; ISO 8601 en UTC.',
    '2026-11-15T16:20:11.042Z',
  )
  desde: string;

  @ApiTime(
    'Hasta cuándo se liquidó, ISO 8601 en UTC; nunca después de `creada_en`.',
    '2026-11-21T23:59:59.999Z',
  )
  hasta: string;

  @ApiTime('Cuándo se hizo, ISO 8601 en UTC.', '2026-11-22T14:00:00.000Z')
  creada_en: string;

  @ApiTimeOrNull('Cuándo se pagó, ISO 8601 en UTC; null si falta.')
  pagada_en: string | null;

  @ApiProperty({
    description: 'Referencia del pago en el banco; null si falta pagarla.',
    type: String,
    nullable: true,
    example: null,
  })
  referencia_pago: string | null;
}

export function toLiquidacion(row: LiquidacionRow): LiquidacionDto {
  return {
    id: row.id,
    comercio: row.comercio,
    moneda: row.moneda,
    guias: row.guias,
    cobrado: toMonto(row.cobrado),
    ajustes: toMonto(row.ajustes),
    neto: toMonto(sumOf(row.cobrado, row.ajustes)),
    desde: row.desde,
    hasta: row.hasta,
    creada_en: row.creada_en,
    pagada_en: row.pagada_en,
    referencia_pago: row.referencia_pago,
  };
}

export class LiquidacionRespuestaDto extends OkDto {
  @ApiProperty({ description: 'La liquidación.' })
  liquidacion: LiquidacionDto;
}

export class LiquidacionHechaDto extends LiquidacionRespuestaDto {
  @ApiRepetition('Solo en una repetición: no se hizo nada nuevo.')
  duplicada?: true;
}

export class ListarLiquidacionesDto {
  @LimitField('Liquidaciones')
  limit?: string;

  @CursorField()
  cursor?: string;
}

export class ListarLiquidacionesDeOperacionesDto extends ListarLiquidacionesDto {
  @QueryComercioField('Solo liquidaciones del comercio con este `id`.')
  comercio?: string;

  @ModoField()
  modo?: 'prueba';
}

export class ListaDeLiquidacionesDto extends PaginaDto {
  @ApiProperty({ description: 'De la más reciente a la más antigua.', type: () => [LiquidacionDto] })
  liquidaciones: LiquidacionDto[];
}
