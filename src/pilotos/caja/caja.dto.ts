import { ApiProperty } from '@nestjs/swagger';
import { MONEDA } from '../../cobros/dto/cobro.dto.js';
import { MAX_MONTO, toMonto, type Monto } from '../../cobros/exact-amounts.js';
import { PilotoNombradoDto } from '../../guias/dto/piloto-nombrado.dto.js';
import { MAX } from '../../guias/guia/limits.js';
import { ApiGuiaNumero, ApiId, ApiRepetition, ApiTime } from '../../platform/openapi/answer-fields.js';
import { OkDto, PaginaDto } from '../../platform/openapi/answer.dto.js';
import { CursorField, LimitField } from '../../platform/pagination/page.fields.js';
import { NumberField, TextField } from '../../platform/validation/fields.js';
import { ModoField } from '../../platform/validation/modo.dto.js';
import type { EntregaRow, LlevadoRow } from './caja.queries.js';
import { MonedaField } from './moneda.field.js';
import { SaldoDto } from './saldo.dto.js';

export class EntregarCajaDto {
  @MonedaField('Moneda (ISO 4217); se entrega todo lo que lleva en ella.')
  moneda: string;

  @NumberField({
    required: true,
    min: -MAX_MONTO,
    max: MAX_MONTO,
    decimals: 2,
    description: 'Lo que se contó; negativo si se le devolvió, porque lo que lleva es negativo.',
    example: 4193.5,
  })
  monto: number;

  @TextField({
    max: MAX.nota,
    multiline: true,
    description: 'Nota de quien recibe.',
    example: 'Faltan 0.50: un billete roto',
  })
  nota?: string;

  @TextField({
    max: MAX.ref,
    isExact: true,
    description: 'Referencia propia: repetirla para el mismo piloto devuelve la entrega ya hecha.',
    example: 'caja-2026-11-21',
  })
  ref?: string;
}

class GuiaEnCajaDto {
  @ApiGuiaNumero()
  guia: string;

  @ApiId('Identificador de la guía.', 'guia')
  id: string;

  @ApiProperty({
    description: 'Lo que lleva de ella; negativo si se corrigió después de entregarlo.',
    type: Number,
    example: 349.5,
  })
  monto: Monto;
}

class LlevadoDto {
  @ApiProperty({ ...MONEDA, description: 'Moneda (ISO 4217).' })
  moneda: string;

  @ApiProperty({ description: 'Lo que lleva en ella; puede ser negativo.', type: Number, example: 349.5 })
  monto: Monto;

  @ApiProperty({ description: 'De qué guías.', type: () => [GuiaEnCajaDto] })
  guias: GuiaEnCajaDto[];
}

export class CajaDto extends OkDto {
  @ApiProperty({ description: 'El piloto.' })
  piloto: PilotoNombradoDto;

  @ApiProperty({ description: 'Lo que lleva, por moneda.', type: () => [LlevadoDto] })
  caja: LlevadoDto[];

  @ApiProperty({
    description:
      'Lo que debe (negativo) o se le debe, por moneda: diferencias de sus entregas y movimientos.',
    type: () => [SaldoDto],
  })
  saldo: SaldoDto[];
}

export class EntregaDeCajaDto {
  @ApiId('Identificador.', 'entregaDeCaja')
  id: string;

  @ApiProperty({ ...MONEDA, description: 'Moneda (ISO 4217).' })
  moneda: string;

  @ApiProperty({ description: 'Lo que llevaba.', type: Number, example: 4194 })
  esperado: Monto;

  @ApiProperty({ description: 'Lo que entregó.', type: Number, example: 4193.5 })
  monto: Monto;

  @ApiProperty({ description: '`monto` menos `esperado`; negativo si falta.', type: Number, example: -0.5 })
  diferencia: Monto;

  @ApiProperty({ description: 'Nota de quien recibió.', type: String, nullable: true, example: null })
  nota: string | null;

  @ApiTime('Cuándo se entregó, ISO 8601 en UTC.')
  creada_en: string;
}

export class CajaEntregadaDto extends OkDto {
  @ApiProperty({ description: 'La entrega.' })
  entrega: EntregaDeCajaDto;

  @ApiRepetition('Solo en una repetición con la misma `ref`: no se entregó nada nuevo.')
  duplicado?: true;
}

export class ListarEntregasDeCajaDto {
  @LimitField('Entregas')
  limit?: string;

  @CursorField()
  cursor?: string;

  @ModoField()
  modo?: 'prueba';
}

export class ListaDeEntregasDeCajaDto extends PaginaDto {
  @ApiProperty({ description: 'De la más reciente a la más antigua.', type: () => [EntregaDeCajaDto] })
  entregas: EntregaDeCajaDto[];
}

/** @param rows in the order of currencies. */
export function toLlevado(rows: LlevadoRow[]): LlevadoDto[] {
  const caja: LlevadoDto[] = [];
  for (const { moneda, total, guia, id, monto } of rows) {
    let last = caja.at(-1);
    if (last?.moneda !== moneda) caja.push((last = { moneda, monto: toMonto(total), guias: [] }));
    last.guias.push({ guia, id, monto: toMonto(monto) });
  }
  return caja;
}

export function toEntrega(row: EntregaRow): EntregaDeCajaDto {
  return {
    id: row.id,
    moneda: row.moneda,
    esperado: toMonto(row.esperado),
    monto: toMonto(row.monto),
    diferencia: toMonto(row.diferencia),
    nota: row.nota,
    creada_en: row.creada_en,
  };
}
