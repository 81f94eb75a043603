import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import type { AppError } from '../../platform/errors/app-error.js';
import { ERRORS, type ErrorCode } from '../../platform/errors/error-codes.js';
import { OkDto } from '../../platform/openapi/answer.dto.js';
import { ApiGuiaNumero, ApiId, meaningsOf } from '../../platform/openapi/answer-fields.js';
import { CampoErrorDto } from '../../platform/openapi/problem.dto.js';
import { itemsIn } from '../../auth/request-cost.interceptor.js';
import { BatchField } from '../../platform/validation/list.fields.js';
import { CrearGuiaDto } from '../dto/crear-guia.dto.js';
import type { GuiaEstado } from '../guia/guia-estado.js';
import type { Creation } from '../guias.service.js';
import { referenceOf, type LoteItem } from './lote-item.js';
import { refusePlaceholderRefs } from './placeholder-refs.js';
import {
  ADVERTENCIA_MEANINGS,
  NEW_GUIA_ADVERTENCIAS,
  type NewGuiaAdvertencia,
} from '../guia/guia-advertencia.js';
import { ApiGuiaEstado } from '../dto/estado-field.js';

/** Guides in a list. */
const MAX_GUIAS = 100;

/** Rows in a file. */
export const MAX_FILAS = 1_000;

/** Warnings about an item whose guide exists now, and their meaning for the documentation. */
const ADVERTENCIAS = {
  sin_external_ref: 'repetir el lote crea esta guía otra vez',
  cancelada: 'la guía existente está cancelada y no se enviará; para enviarla, use otro `external_ref`',
  columna_sin_nombre:
    'la fila tiene texto en una columna sin nombre, que no se leyó; si es un dato de la guía, póngale nombre a la columna y corrija la guía',
} as const;

const MEANINGS = {
  ...ADVERTENCIAS,
  ...Object.fromEntries(NEW_GUIA_ADVERTENCIAS.map((codigo) => [codigo, ADVERTENCIA_MEANINGS[codigo]!])),
};

type Advertencia = keyof typeof ADVERTENCIAS | NewGuiaAdvertencia;

export class CrearLoteDto {
  @BatchField(() => CrearGuiaDto, {
    description: 'De 1 a 100 guías, cada una como en `POST /api/v1/guias`.',
    max: MAX_GUIAS,
  })
  guias: unknown[];

  /** The rows of a CSV file, in place of `guias`. */
  filas?: LoteItem[];
}

export function itemsOf({ guias, filas }: CrearLoteDto): LoteItem[] {
  return filas ?? refusePlaceholderRefs(guias.map((input, indice) => ({ posicion: { indice }, input })));
}

const guiasIn = itemsIn('guias', MAX_GUIAS);

/** How many items a body has, whose rules are not checked yet. */
export function countItems(body: unknown): number {
  return body instanceof CrearLoteDto ? itemsOf(body).length : guiasIn(body);
}

class PosicionDto {
  @ApiPropertyOptional({
    description: 'Posición en `guias`, desde 0. En un CSV falta.',
    type: 'integer',
    minimum: 0,
    example: 0,
  })
  indice?: number;

  @ApiPropertyOptional({
    description: 'Línea del archivo en que empieza la fila, desde 1 (el encabezado). En JSON falta.',
    type: 'integer',
    minimum: 2,
  })
  linea?: number;

  @ApiProperty({
    description: 'La referencia enviada; null si no se envió o no es válida.',
    type: 'string',
    nullable: true,
    example: 'pedido-1042',
  })
  external_ref: string | null;
}

export class GuiaDeLoteDto extends PosicionDto {
  @ApiProperty({
    description: '201 si la guía se creó; 200 si ya existía.',
    enum: [201, 200],
    type: 'integer',
    example: 201,
  })
  status: 201 | 200;

  @ApiGuiaNumero()
  guia: string;

  @ApiId('Identificador interno.', 'guia')
  id: string;

  @ApiGuiaEstado('Estado actual; `aceptado` en una guía nueva.', { example: 'aceptado' })
  estado: GuiaEstado;

  @ApiProperty({
    description: 'Si ya existía una guía con ese `external_ref`; no se creó otra.',
    example: false,
  })
  duplicada: boolean;

  @ApiPropertyOptional({
    description: `Solo si hay. ${meaningsOf(MEANINGS)}.`,
    enum: Object.keys(MEANINGS),
    isArray: true,
  })
  advertencias?: Advertencia[];

  @ApiPropertyOptional({
    description: 'Solo en una repetición: los campos que difieren de la guía guardada.',
    type: [String],
  })
  campos_distintos?: string[];
}

/** Why an item was refused. Does not affect the others. */
export class GuiaRechazadaDto extends PosicionDto {
  @ApiProperty({ description: 'El estado HTTP que habría tenido sola.', type: 'integer', example: 400 })
  status: number;

  @ApiProperty({
    description: 'Qué pasó, para programas.',
    enum: Object.keys(ERRORS),
    example: 'validacion',
  })
  codigo: ErrorCode;

  @ApiProperty({ description: 'Qué hacer ahora, para personas.', example: '1 campo no es válido.' })
  detail: string;

  @ApiPropertyOptional({
    description: 'Los campos que fallan, hasta 50; menos si el lote tiene miles de errores.',
    type: () => [CampoErrorDto],
  })
  errores?: CampoErrorDto[];
}

/** Of each kind one, as many as the counts of the example say. */
const EXAMPLE = [
  {
    ...{ indice: 0, external_ref: 'pedido-1042', status: 201, guia: '483920175567' },
    ...{ id: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57', estado: 'aceptado', duplicada: false },
  },
  {
    ...{ indice: 1, external_ref: 'pedido-1043', status: 400, codigo: 'validacion' },
    detail: '1 campo no es válido.',
    errores: [{ campo: 'recogida.lat', codigo: 'fuera_de_rango', mensaje: 'Debe estar entre -90 y 90.' }],
  },
];

export type ResultadoDeLote = GuiaDeLoteDto | GuiaRechazadaDto;

export class LoteCreadoDto extends OkDto {
  @ApiProperty({ description: 'Guías nuevas.', type: 'integer', example: 1 })
  creadas: number;

  @ApiProperty({ description: 'Guías que ya existían.', type: 'integer', example: 0 })
  duplicadas: number;

  @ApiProperty({ description: 'Las que no se crearon.', type: 'integer', example: 1 })
  rechazadas: number;

  @ApiProperty({
    description: 'Un resultado por guía o fila, en el orden enviado.',
    type: 'array',
    items: { oneOf: [GuiaDeLoteDto, GuiaRechazadaDto].map((type) => ({ $ref: getSchemaPath(type) })) },
    example: EXAMPLE,
  })
  resultados: ResultadoDeLote[];
}

export function toLoteCreado(resultados: ResultadoDeLote[]): LoteCreadoDto {
  const count = (wanted: number) => resultados.filter(({ status }) => status === wanted).length;
  const [creadas, duplicadas] = [count(201), count(200)];
  return {
    ok: true,
    creadas,
    duplicadas,
    rechazadas: resultados.length - creadas - duplicadas,
    resultados,
  };
}

export function toCreada(
  { posicion, hasUnreadText }: LoteItem,
  { guia, isDuplicate, advertencias: ofGuia, differing }: Creation,
): GuiaDeLoteDto {
  const advertencias: Advertencia[] = [
    ...(guia.external_ref === null ? ['sin_external_ref' as const] : []),
    ...ofGuia,
    ...(hasUnreadText ? ['columna_sin_nombre' as const] : []),
  ];
  return {
    ...posicion,
    status: isDuplicate ? 200 : 201,
    guia: guia.guia,
    id: guia.id,
    estado: guia.estado,
    external_ref: guia.external_ref,
    duplicada: isDuplicate,
    ...(advertencias.length > 0 && { advertencias }),
    ...(differing.length > 0 && { campos_distintos: differing }),
  };
}

export function toRechazada(
  { posicion, input }: LoteItem,
  { status, codigo, detail, errores }: AppError,
): GuiaRechazadaDto {
  return {
    ...posicion,
    status,
    external_ref: referenceOf(input),
    codigo,
    detail,
    ...(errores && { errores }),
  };
}
