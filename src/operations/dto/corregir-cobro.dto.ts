import { ApiProperty } from '@nestjs/swagger';
import type { CobroCorregido } from '../../guias/changes/guia-cobros.service.js';
import { AjustarField } from '../../guias/dto/ajustar.field.js';
import { AmountField } from '../../guias/dto/amount.field.js';
import { MAX } from '../../guias/limits.js';
import { PAGO_CODES, PAGOS, type Pago } from '../../guias/pago.js';
import { OkDto } from '../../openapi/answer.dto.js';
import { check, ChoiceField, TextField } from '../../validation/fields.js';
import { ApiGuiaNumero, ApiId, ApiRepetition, meaningsOf } from '../../openapi/answer-fields.js';
import { nothingIfDirect } from './registrar-evento.dto.js';

/** What was really collected of a delivered guide. */
export class CorregirCobroDto {
  @AmountField(
    { description: 'Lo que se cobró en verdad; obligatorio, salvo con `pago` `directo`.', example: 340 },
    check(
      'requerido',
      (amount, { pago }) => amount !== undefined || pago === 'directo',
      'Es obligatorio.',
      true,
    ),
    nothingIfDirect,
  )
  cod_cobrado?: number;

  @ChoiceField({
    values: PAGO_CODES,
    enumName: 'Pago',
    description: `Cómo se pagó en verdad; si no se dice, queda como estaba. ${meaningsOf(PAGOS)}. La caja del piloto lo sigue.`,
    example: 'transferencia',
  })
  pago?: Pago;

  @TextField({
    max: MAX.nota,
    multiline: true,
    description: 'Por qué se corrige; el comercio la ve.',
    example: 'Faltaba el vuelto',
  })
  nota?: string;

  @AjustarField()
  ajustar?: boolean;

  @TextField({
    max: MAX.ref,
    isExact: true,
    description: 'Referencia propia: repetirla para la misma guía no registra nada nuevo.',
    example: 'caja-22-correccion-1',
  })
  ref?: string;
}

export class CobroCorregidoDto extends OkDto {
  @ApiGuiaNumero()
  guia: string;

  @ApiId('Identificador de la guía.', 'guia')
  id: string;

  @ApiId('Identificador del evento `guia.cobro_corregido`.', 'evento')
  evento: string;

  @ApiProperty({ description: 'Orden entre los eventos de la guía.', type: 'integer', example: 7 })
  secuencia: number;

  @ApiProperty({ description: 'Lo que se cobró, corregido.', minimum: 0, example: 340 })
  cod_cobrado: number;

  @ApiRepetition('Solo en una repetición con la misma `ref`: no se registró nada nuevo.')
  duplicado?: true;
}

export function toCobroCorregido({ differing: _, isDuplicate, ...cobro }: CobroCorregido): CobroCorregidoDto {
  return { ok: true, ...cobro, ...(isDuplicate && { duplicado: true as const }) };
}
