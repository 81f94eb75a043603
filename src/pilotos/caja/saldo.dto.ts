import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MontoField } from '../../cobros/dto/ajuste.dto.js';
import { MONEDA } from '../../cobros/dto/cobro.dto.js';
import { toMonto, type Monto } from '../../cobros/exact-amounts.js';
import { MAX } from '../../guias/guia/limits.js';
import { ApiId, ApiRepetition, ApiTime } from '../../platform/openapi/answer-fields.js';
import { OkDto, PaginaDto } from '../../platform/openapi/answer.dto.js';
import { TextField } from '../../platform/validation/fields.js';
import { MonedaField } from './moneda.field.js';
import type { SaldoMovimiento } from './saldo-movimiento.entity.js';
import type { MovimientoRow, SaldoRow } from './saldo.queries.js';

export class MoverSaldoDto {
  @MonedaField('Moneda (ISO 4217).')
  moneda: string;

  @MontoField('Positivo si el piloto pagó o se le perdona; negativo si debe más.')
  monto: number;

  @TextField({
    required: true,
    max: MAX.motivo,
    description: 'Por qué.',
    example: 'Pagó lo que faltaba el 21 nov',
  })
  motivo: string;

  @TextField({
    max: MAX.ref,
    isExact: true,
    description: 'Referencia propia: repetirla para el mismo piloto devuelve el movimiento ya hecho.',
    example: 'saldo-2026-11-22',
  })
  ref?: string;
}

export class SaldoDto {
  @ApiProperty({ ...MONEDA, description: 'Moneda (ISO 4217).' })
  moneda: string;

  @ApiProperty({ description: 'Negativo si el piloto debe; nunca 0.', type: Number, example: -20 })
  monto: Monto;
}

export function toSaldo(rows: SaldoRow[]): SaldoDto[] {
  return rows.map(({ moneda, monto }) => ({ moneda, monto: toMonto(monto) }));
}

class CambioDeSaldoDto {
  @ApiId('Identificador.', 'movimientoDeSaldo')
  id: string;

  @ApiProperty({ ...MONEDA, description: 'Moneda (ISO 4217).' })
  moneda: string;

  @ApiTime('Cuándo se anotó, ISO 8601 en UTC.')
  creado_en: string;
}

export class MovimientoHechoDeSaldoDto extends CambioDeSaldoDto {
  @ApiProperty({ description: 'Lo que cambió su saldo.', type: Number, example: 20 })
  monto: Monto;

  @ApiProperty({ description: 'Por qué.', example: 'Pagó lo que faltaba el 21 nov' })
  motivo: string;
}

export function toMovimientoHecho(
  row: Pick<SaldoMovimiento, 'id' | 'moneda' | 'monto' | 'motivo' | 'creado_en'>,
): MovimientoHechoDeSaldoDto {
  const { id, moneda, monto, motivo, creado_en } = row;
  return { id, moneda, monto: toMonto(monto), motivo, creado_en: creado_en.toISOString() };
}

export class SaldoMovidoDto extends OkDto {
  @ApiProperty({ description: 'El movimiento.' })
  movimiento: MovimientoHechoDeSaldoDto;

  @ApiRepetition('Solo en una repetición con la misma `ref`: no se anotó nada nuevo.')
  duplicado?: true;
}

/** A hand-over, which has `diferencia`, or a movement, which has `monto`. */
export class MovimientoDeSaldoDto extends CambioDeSaldoDto {
  @ApiPropertyOptional({
    description: 'De una entrega de efectivo: lo contado menos lo que debía ser.',
    type: Number,
    example: -20,
  })
  diferencia?: Monto;

  @ApiPropertyOptional({
    description: 'De una entrega: nota de quien recibió.',
    type: String,
    nullable: true,
    example: null,
  })
  nota?: string | null;

  @ApiPropertyOptional({
    description: 'De un movimiento: lo que cambió el saldo.',
    type: Number,
    example: 20,
  })
  monto?: Monto;

  @ApiPropertyOptional({ description: 'De un movimiento: por qué.', example: 'Pagó lo que faltaba' })
  motivo?: string;
}

export function toMovimiento(row: MovimientoRow): MovimientoDeSaldoDto {
  const { id, moneda, creado_en, diferencia, nota, monto, motivo } = row;
  return {
    ...{ id, moneda, creado_en: creado_en.toISOString() },
    ...(diferencia !== null && { diferencia: toMonto(diferencia), nota }),
    ...(monto !== null && { monto: toMonto(monto), motivo: motivo! }),
  };
}

export class ListaDeMovimientosDeSaldoDto extends PaginaDto {
  @ApiProperty({
    description: 'Entregas de efectivo y movimientos, del más reciente al más antiguo.',
    type: () => [MovimientoDeSaldoDto],
  })
  movimientos: MovimientoDeSaldoDto[];
}
