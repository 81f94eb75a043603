import { ApiProperty } from '@nestjs/swagger';
import { check, QueryField } from '../../validation/fields.js';
import { parseInstant } from '../../validation/instant.js';
import { GUIA_ESTADOS, isGuiaEstado, type GuiaEstado } from '../guia-estado.js';
import { firstIdAt } from '../guia-id.js';
import { GuiaDto } from './guia.dto.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

const DATE_FORMS =
  'Use `2026-11-21` o `2026-11-21T15:04:05Z` (también `.123`, y `-06:00` en vez de `Z`; un `+` se envía como `%2B`). La fecha debe existir.';

const instant = (bound: 'from' | 'until') =>
  check('formato', (text) => parseInstant(text as string, bound) !== undefined, DATE_FORMS);

const startsBeforeEnd = check(
  'fuera_de_rango',
  (desde, { hasta }) => {
    const from = parseInstant(desde as string, 'from');
    const until = typeof hasta === 'string' ? parseInstant(hasta, 'until') : undefined;
    return from === undefined || until === undefined || from <= until;
  },
  'No puede ser posterior a `hasta`.',
);

export class ListarGuiasDto {
  @QueryField(
    { description: 'Solo guías en este estado.' },
    { enum: GUIA_ESTADOS, enumName: 'GuiaEstado' },
    check('formato', isGuiaEstado, `Debe ser uno de: ${GUIA_ESTADOS.join(', ')}.`),
  )
  estado?: GuiaEstado;

  @QueryField(
    {
      description:
        'Creadas en este momento o después. Una fecha sola significa su primer milisegundo; sin zona, UTC. Ejemplos: `2026-11-21`, `2026-11-21T15:04:05-06:00`.',
    },
    { type: String },
    instant('from'),
    startsBeforeEnd,
  )
  desde?: string;

  @QueryField(
    {
      description:
        'Creadas en este momento o antes. Una fecha sola significa su último milisegundo; sin zona, UTC.',
    },
    { type: String },
    instant('until'),
  )
  hasta?: string;

  @QueryField(
    { description: 'Guías por página.' },
    { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    check(
      'formato',
      (text) => /^-?(0|[1-9]\d*)$/.test(text as string),
      `Debe ser un entero entre 1 y ${MAX_LIMIT}.`,
    ),
    check(
      'fuera_de_rango',
      (text) => Number(text) >= 1 && Number(text) <= MAX_LIMIT,
      `Debe estar entre 1 y ${MAX_LIMIT}.`,
    ),
  )
  limit?: string;

  @QueryField(
    {
      description:
        '`siguiente_cursor` de la página anterior, tal cual y con los mismos filtros (`limit` puede cambiar). No vence.',
    },
    { type: String },
  )
  cursor?: string;
}

/** The filters as ids and numbers. */
export interface PageFilter {
  estado?: GuiaEstado;
  /** Ids from here on … */
  from?: string;
  /** … and below here. */
  before?: string;
  limit: number;
}

export function toPageFilter(dto: ListarGuiasDto): PageFilter {
  return {
    estado: dto.estado,
    from: dto.desde === undefined ? undefined : firstIdAt(parseInstant(dto.desde, 'from')!),
    before: dto.hasta === undefined ? undefined : firstIdAt(parseInstant(dto.hasta, 'until')! + 1),
    limit: dto.limit === undefined ? DEFAULT_LIMIT : Number(dto.limit),
  };
}

export class ListaDeGuiasDto {
  @ApiProperty({ description: 'Siempre `true`.', enum: [true], type: Boolean, example: true })
  ok: true;

  @ApiProperty({ description: 'Las guías, de la más reciente a la más antigua.', type: () => [GuiaDto] })
  guias: GuiaDto[];

  @ApiProperty({
    description: 'Envíelo como `cursor` para recibir la página siguiente; null en la última.',
    type: 'string',
    nullable: true,
    example: 'AaH-os8DfzqcRCuObw0aV6bT1n2r0yqXk3JmPw5c',
  })
  siguiente_cursor: string | null;
}
