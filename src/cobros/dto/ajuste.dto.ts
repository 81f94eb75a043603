import { ApiProperty } from '@nestjs/swagger';
import { MAX } from '../../guias/guia/limits.js';
import { ApiId, ApiRepetition, ApiTime } from '../../platform/openapi/answer-fields.js';
import { OkDto, PaginaDto } from '../../platform/openapi/answer.dto.js';
import { CursorField, LimitField } from '../../platform/pagination/page.fields.js';
import { check, NumberField, oneOf, TextField } from '../../platform/validation/fields.js';
import { ModoField } from '../../platform/validation/modo.dto.js';
import {
  QueryField,
  QueryInstantField,
  startsBeforeEnd,
  ZonaField,
} from '../../platform/validation/query.fields.js';
import type { AjusteRow } from '../ajustes.queries.js';
import { MAX_MONTO, toMonto, type Monto } from '../exact-amounts.js';
import { ComercioField, QueryComercioField } from '../../guias/dto/comercio.fields.js';
import { MONEDA } from './cobro.dto.js';

/** An amount that is added by hand, or taken away. */
export const MontoField = (description: string): PropertyDecorator =>
  NumberField(
    { required: true, min: -MAX_MONTO, max: MAX_MONTO, decimals: 2, description, example: -100 },
    check('fuera_de_rango', (monto: number) => monto !== 0, 'No puede ser 0.'),
  );

export class CrearAjusteDto {
  @ComercioField()
  comercio: string;

  @MontoField('Lo que se le suma al comercio; negativo si se le quita.')
  monto: number;

  @TextField({
    required: true,
    max: MAX.motivo,
    description: 'Por qué; el comercio lo lee.',
    example: 'Paquete dañado del 19 nov',
  })
  motivo: string;

  @TextField({
    max: 36,
    description: 'Guía del comercio de la que se trata: su número o su `id`.',
    example: '483920175567',
  })
  guia?: string;

  @TextField({
    max: MAX.ref,
    isExact: true,
    description: 'Referencia propia: repetirla para el mismo comercio devuelve el ajuste ya hecho.',
    example: 'dano-2026-11-19',
  })
  ref?: string;
}

/** An amount added to what a merchant is paid. */
export class AjusteDto {
  @ApiId('Identificador.', 'ajuste')
  id: string;

  @ApiId('`id` del comercio.', 'comercio')
  comercio: string;

  @ApiProperty({
    description: 'Número de la guía de la que se trata; null si no es de una.',
    type: String,
    nullable: true,
    example: '483920175567',
  })
  guia: string | null;

  @ApiProperty(MONEDA)
  moneda: string;

  @ApiProperty({
    description: 'Lo que se le suma al comercio; negativo si se le quita.',
    type: Number,
    example: -100,
  })
  monto: Monto;

  @ApiProperty({ description: 'Por qué.', example: 'Paquete dañado del 19 nov' })
  motivo: string;

  @ApiTime('Cuándo se hizo, ISO 8601 en UTC.', '2026-11-20T16:20:11.042Z')
  creado_en: string;

  @ApiProperty({
    description: '`id` de su liquidación; null mientras está pendiente.',
    type: String,
    format: 'uuid',
    nullable: true,
    example: null,
  })
  liquidacion: string | null;
}

export function toAjuste(row: AjusteRow): AjusteDto {
  return {
    id: row.id,
    comercio: row.comercio,
    guia: row.guia,
    moneda: row.moneda,
    monto: toMonto(row.monto),
    motivo: row.motivo,
    creado_en: row.creado_en.toISOString(),
    liquidacion: row.liquidacion,
  };
}

export class AjusteHechoDto extends OkDto {
  @ApiProperty({ description: 'El ajuste.' })
  ajuste: AjusteDto;

  @ApiRepetition('Solo en una repetición con la misma `ref`: no se hizo nada nuevo.')
  duplicado?: true;
}

const ESTADOS = ['pendiente', 'liquidado'] as const;

export class ListarAjustesDto {
  @QueryField(
    { description: 'Solo los que faltan liquidar (`pendiente`), o los que ya son de una liquidación.' },
    { enum: ESTADOS, enumName: 'AjusteEstado' },
    oneOf(ESTADOS),
  )
  estado?: (typeof ESTADOS)[number];

  @QueryInstantField(
    'Solo los hechos en este momento o después. Una fecha sola significa su primer milisegundo; sin zona, la de `zona`.',
    'from',
    startsBeforeEnd,
  )
  desde?: string;

  @QueryInstantField(
    'Solo los hechos en este momento o antes. Una fecha sola significa su último milisegundo; sin zona, la de `zona`.',
    'until',
  )
  hasta?: string;

  @ZonaField()
  zona?: string;

  @LimitField('Ajustes')
  limit?: string;

  @CursorField()
  cursor?: string;
}

export class ListarAjustesDeOperacionesDto extends ListarAjustesDto {
  @QueryComercioField('Solo ajustes del comercio con este `id`.')
  comercio?: string;

  @ModoField()
  modo?: 'prueba';
}

export class ListaDeAjustesDto extends PaginaDto {
  @ApiProperty({ description: 'Del más reciente al más antiguo.', type: () => [AjusteDto] })
  ajustes: AjusteDto[];
}

/** A file with one adjustment, as an example. */
export const AJUSTES_CSV =
  'id,guia,moneda,monto,motivo,creado_en,liquidacion\r\n01a1fe07-5c2b-7a90-b6d4-0f83e15c7a42,483920175567,GTQ,-100.00,Paquete dañado del 19 nov,2026-11-20T16:20:11.042Z,\r\n';
