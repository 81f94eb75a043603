import { isUuid } from '../../platform/database/row-id.js';
import { OkDto } from '../../platform/openapi/answer.dto.js';
import { CampoErrorDto } from '../../platform/openapi/problem.dto.js';
import type { AppError } from '../../platform/errors/app-error.js';
import { ERRORS, type ErrorCode } from '../../platform/errors/error-codes.js';
import { illegalMoveText, type Movimiento } from '../../guias/changes/guia-move.js';
import type { NoAplicado } from '../../guias/guia/guia-advertencia.js';
import { LatField, LngField } from '../../guias/dto/place.fields.js';
import { GUIA_ESTADOS, type GuiaEstado } from '../../guias/guia/guia-estado.js';
import { MOTIVO_CODES, MOTIVOS, SIN_TIEMPO, type Motivo } from '../../guias/guia/guia-motivo.js';
import { AmountField } from '../../guias/dto/amount.field.js';
import { nothingIfDirect, PagoField } from '../../guias/dto/pago.field.js';
import { MAX } from '../../guias/guia/limits.js';
import type { Pago } from '../../guias/guia/pago.js';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  BooleanField,
  check,
  ChoiceField,
  InstantField,
  TextField,
} from '../../platform/validation/fields.js';
import { BatchField } from '../../platform/validation/list.fields.js';
import { ApiGuiaNumero, ApiId, ApiRepetition, meaningsOf } from '../../platform/openapi/answer-fields.js';
import { ApiGuiaEstado } from '../../guias/dto/estado-field.js';

/** ms that an operator's clock may be ahead of the service's. */
const CLOCK_AHEAD_MS = 5 * 60_000;

/** An invalid `estado` is reported on its own field only. */
const onlyWith = (...allowed: GuiaEstado[]) =>
  check(
    'formato',
    (_, { estado }) => allowed.includes(estado as GuiaEstado) || !GUIA_ESTADOS.includes(estado as GuiaEstado),
    `Solo acompaña a ${allowed.map((estado) => `\`${estado}\``).join(' y ')}.`,
  );

const noTimeIsNoAttempt = check(
  'fuera_de_rango',
  (motivo, { estado }) => motivo !== SIN_TIEMPO || estado !== 'intento_fallido',
  `Sin haberlo intentado no hay intento fallido: envíe \`recogido\` con \`${SIN_TIEMPO}\`.`,
);

const requiredWith = (estado: GuiaEstado) =>
  check(
    'requerido',
    (value, event) => value !== undefined || event.estado !== estado,
    'Es obligatorio.',
    true,
  );

const notInFuture = check(
  'fuera_de_rango',
  (text: string) => Date.parse(text) <= Date.now() + CLOCK_AHEAD_MS,
  'Está en el futuro. Revise el reloj y la zona horaria; sin zona se entiende UTC.',
);

export class RegistrarEventoDto {
  @ChoiceField({
    required: true,
    values: GUIA_ESTADOS,
    enumName: 'GuiaEstado',
    description: 'Estado al que pasó la guía.',
    example: 'en_camino_a_recoger',
  })
  estado: GuiaEstado;

  @ChoiceField(
    {
      values: MOTIVO_CODES,
      enumName: 'Motivo',
      description: `Por qué no se entregó; obligatorio con \`intento_fallido\`, y posible con \`recogido\` cuando la guía vuelve de \`en_ruta\` a la bodega; \`${SIN_TIEMPO}\` solo ahí. ${meaningsOf(MOTIVOS)}.`,
    },
    requiredWith('intento_fallido'),
    onlyWith('intento_fallido', 'recogido'),
    noTimeIsNoAttempt,
  )
  motivo?: Motivo;

  @TextField({
    max: MAX.nota,
    multiline: true,
    description: 'Nota; el comercio la ve.',
    example: 'Lo recibe su hermana',
  })
  nota?: string;

  @LatField({
    mayBeNone: true,
    description:
      'Dónde pasó: latitud. Siempre junto con `lng`; 0,0 cuenta como ninguna posición. De una entrega se registra a qué distancia del destino fue; a más de 300 m, la guía lleva la advertencia `entrega_lejos`.',
    example: 14.6349,
  })
  lat?: number;

  @LngField({ description: 'Dónde pasó: longitud. Siempre junto con `lat`.', example: -90.5069 })
  lng?: number;

  @AmountField(
    {
      description:
        'Lo que se cobró; solo con `entregado`, y obligatorio si la guía tiene `cod_amount`, salvo con `pago` `directo`. Si es otro monto, la guía lleva la advertencia `cod_distinto`.',
      example: 349.5,
    },
    onlyWith('entregado'),
    nothingIfDirect,
  )
  cod_cobrado?: number;

  @PagoField(
    {
      description:
        'Cómo se pagó; solo con `entregado`. Si no se dice, `efectivo`; si la guía no tiene `cod_amount`, no cuenta.',
      example: 'efectivo',
    },
    onlyWith('entregado'),
  )
  pago?: Pago;

  @TextField(
    {
      max: MAX.recibio,
      description: 'Quién recibió; solo con `entregado`. El comercio lo ve.',
      example: 'Rosa Pérez, vecina',
    },
    onlyWith('entregado'),
  )
  recibio?: string;

  @TextField(
    {
      max: MAX.pin,
      description:
        'El PIN que el destinatario ve en su página: cuatro dígitos. Solo con `entregado`, y obligatorio ahí para los comercios que lo piden, salvo con `sin_pin`; para los demás no cuenta.',
      example: '4071',
    },
    onlyWith('entregado'),
  )
  pin?: string;

  @BooleanField(
    {
      description:
        'true: se entregó sin el PIN; `nota` dice por qué, y la guía lleva la advertencia `entregado_sin_pin`. Solo con `entregado`.',
      example: false,
    },
    onlyWith('entregado'),
  )
  sin_pin?: boolean;

  @TextField(
    {
      max: 36,
      description:
        '`id` del piloto que lleva el efectivo; solo con `entregado`. Si no se dice, es el que tiene asignada la guía. Puede estar inactivo.',
      example: '01a1fa17-4c3e-7d25-9b80-1e6f7a2c5d94',
    },
    check('formato', (text: string) => isUuid(text), 'Debe ser el `id` de un piloto.'),
    onlyWith('entregado'),
  )
  piloto?: string;

  @InstantField(
    {
      description:
        'Cuándo pasó; ahora, si no se dice. Si después pasó otro cambio de estado que ya se aplicó, se registra y no mueve la guía; un cambio posible se aplica aunque el reloj parezca atrasado hasta 5 minutos.',
      example: '2026-11-21T15:04:05-06:00',
    },
    notInFuture,
  )
  ocurrido_en?: string;

  @TextField({
    max: MAX.ref,
    isExact: true,
    description:
      'Referencia propia del evento: repetirlo con la misma para la misma guía no registra nada nuevo.',
    example: 'ruta-7-parada-3',
  })
  ref?: string;
}

/** An event of a batch, which names its guide. */
export class EventoDeLoteDto extends RegistrarEventoDto {
  @TextField({
    required: true,
    max: 36,
    description: '`id` de la guía o número de `guia`.',
    example: '483920175567',
  })
  guia: string;
}

/** Events in a batch. */
export const MAX_EVENTOS = 100;

export class LoteDto {
  @BatchField(() => EventoDeLoteDto, {
    description: `De 1 a ${MAX_EVENTOS} eventos; los de una misma guía se registran por \`ocurrido_en\`: a la misma hora en el orden en que vienen, y sin ella al final.`,
    max: MAX_EVENTOS,
  })
  eventos: unknown[];
}

export function toMovimiento(dto: RegistrarEventoDto): Movimiento {
  const { estado, motivo, nota, cod_cobrado, pago, recibio, pin, sin_pin, piloto, ocurrido_en, ref } = dto;
  // A phone without a position sends the point 0,0, which is in the sea.
  const { lat, lng } = dto.lat === 0 && dto.lng === 0 ? {} : dto;
  return {
    estado,
    motivo,
    nota,
    lat,
    lng,
    cod_cobrado,
    pago,
    recibio,
    pin,
    sin_pin,
    piloto,
    ocurrido_en,
    ref,
  };
}

export class RegistroDto extends OkDto {
  @ApiGuiaNumero()
  guia: string;

  @ApiId('Identificador de la guía.', 'guia')
  id: string;

  @ApiId('Identificador del evento registrado.', 'evento')
  evento: string;

  @ApiProperty({ description: 'Orden entre los eventos de la guía.', type: 'integer', example: 2 })
  secuencia: number;

  @ApiGuiaEstado('Estado de la guía después del evento.', { example: 'en_camino_a_recoger' })
  estado: GuiaEstado;

  @ApiGuiaEstado('Estado que dejó; null si el evento no la movió.', { nullable: true, example: 'aceptado' })
  estado_anterior: GuiaEstado | null;

  @ApiProperty({ description: 'false si el evento quedó registrado y no movió la guía.', example: true })
  aplicado: boolean;

  @ApiPropertyOptional({
    description:
      'Por qué no se aplicó: `tarde`, la guía ya tenía un cambio posterior; `de_otro_piloto`, ya la lleva otro piloto. Falta si se aplicó.',
    enum: ['tarde', 'de_otro_piloto'] satisfies NoAplicado[],
  })
  no_aplicado?: NoAplicado;

  @ApiRepetition(
    'Solo en una repetición (con la misma `ref`, o de una cancelación): no se registró nada nuevo.',
  )
  duplicado?: true;
}

/** Why an event of a batch was not recorded. Does not affect the others. */
export class EventoRechazadoDto {
  @ApiProperty({ description: 'Siempre `false`.', enum: [false], type: Boolean, example: false })
  ok: false;

  @ApiProperty({
    description: 'El estado HTTP que habría tenido solo.',
    type: 'integer',
    example: ERRORS.transicion_invalida.status,
  })
  status: number;

  @ApiProperty({
    description: 'Qué pasó, para programas.',
    enum: Object.keys(ERRORS),
    example: 'transicion_invalida',
  })
  codigo: ErrorCode;

  @ApiProperty({
    description: 'Qué hacer ahora, para personas.',
    example: illegalMoveText('recogido'),
  })
  detail: string;

  @ApiPropertyOptional({ description: 'Los campos que fallan.', type: () => [CampoErrorDto] })
  errores?: CampoErrorDto[];
}

export function toRefusal({ status, codigo, detail, errores }: AppError): EventoRechazadoDto {
  return { ok: false, status, codigo, detail, ...(errores && { errores }) };
}
