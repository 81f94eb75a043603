import { ApiProperty } from '@nestjs/swagger';
import { GUIA_ESTADOS, type GuiaEstado } from '../../guias/guia/guia-estado.js';
import { OkDto } from '../../platform/openapi/answer.dto.js';
import { ChoiceField, NumberField } from '../../platform/validation/fields.js';
import { estadosOf, GUIONES, type Guion } from '../guiones.js';
import { SIMULACION_ESTADOS, type SimulacionEstado } from '../simulacion.entity.js';
import type { SimulacionRow } from '../simulaciones.queries.js';
import {
  ApiGuiaNumero,
  ApiId,
  ApiRepetition,
  ApiTime,
  ApiTimeOrNull,
} from '../../platform/openapi/answer-fields.js';

const GUION = GUIONES.map((guion) => `\`${guion}\`: ${estadosOf(guion).join(', ')}`).join('. ');

/** Seconds between two steps, by default. */
export const DEFAULT_EVERY_S = 2;

export class SimularDto {
  @ChoiceField({
    required: true,
    values: GUIONES,
    enumName: 'Guion',
    description: `Qué pasa con la guía. ${GUION}.`,
    example: 'intento_y_entrega',
  })
  guion: Guion;

  @NumberField({
    min: 0,
    max: 60,
    decimals: 0,
    default: DEFAULT_EVERY_S,
    description: 'Segundos entre un paso y el siguiente. El primero es de inmediato; con 0, todos.',
    example: DEFAULT_EVERY_S,
  })
  cada_segundos?: number;
}

class PasoDto {
  @ApiProperty({
    description: '`confirmacion` (el destinatario confirma la dirección), o el estado al que pasa la guía.',
    enum: ['confirmacion', ...GUIA_ESTADOS],
    example: 'en_camino_a_recoger',
  })
  paso: 'confirmacion' | GuiaEstado;

  @ApiTimeOrNull('Cuándo se hizo, ISO 8601 en UTC; null si falta.')
  hecho_en: string | null;
}

export class SimulacionDto {
  @ApiId('Identificador.', 'simulacion')
  id: string;

  @ApiGuiaNumero()
  guia: string;

  @ApiProperty({
    description: 'Qué pasa con la guía.',
    enum: GUIONES,
    enumName: 'Guion',
    example: 'intento_y_entrega',
  })
  guion: Guion;

  @ApiProperty({
    description: 'Segundos entre dos pasos.',
    type: 'integer',
    minimum: 0,
    maximum: 60,
    example: DEFAULT_EVERY_S,
  })
  cada_segundos: number;

  @ApiProperty({
    description: '`detenida`: no pudo seguir, y `causa` dice por qué.',
    enum: SIMULACION_ESTADOS,
    example: 'en_curso',
  })
  estado: SimulacionEstado;

  @ApiProperty({
    description: 'Por qué se detuvo antes de su último paso; null si no se detuvo.',
    type: String,
    nullable: true,
    example: null,
  })
  causa: string | null;

  @ApiProperty({ description: 'Todos sus pasos, en orden.', type: () => [PasoDto] })
  pasos: PasoDto[];

  @ApiTime('Cuándo empezó, ISO 8601 en UTC.')
  creada_en: string;
}

export class SimulacionRespuestaDto extends OkDto {
  @ApiProperty({ description: 'La simulación.' })
  simulacion: SimulacionDto;
}

export class SimulacionIniciadaDto extends SimulacionRespuestaDto {
  @ApiRepetition('Solo en una repetición: ya estaba en curso, y no empezó otra.')
  duplicada?: true;
}

export function toSimulacion(row: SimulacionRow): SimulacionDto {
  return {
    id: row.id,
    guia: row.guia,
    guion: row.guion,
    cada_segundos: row.cada_segundos,
    estado: row.estado,
    causa: row.causa,
    pasos: row.pasos.map(({ paso }, i) => ({ paso, hecho_en: row.hechos[i]?.toISOString() ?? null })),
    creada_en: row.creada_en.toISOString(),
  };
}
