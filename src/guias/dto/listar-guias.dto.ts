import { PaginaDto } from '../../platform/openapi/answer.dto.js';
import { firstIdAt } from '../../platform/database/row-id.js';
import { ApiProperty, type ApiPropertyOptions, type ApiQueryOptions } from '@nestjs/swagger';
import { check } from '../../platform/validation/fields.js';
import { CursorField, LimitField } from '../../platform/pagination/page.fields.js';
import { parseInstant } from '../../platform/validation/instant.js';
import {
  booleanOf,
  QueryBooleanField,
  QueryInstantField,
  QueryField,
  QueryPhoneField,
  QueryTextField,
  startsBeforeEnd,
  ZonaField,
  zoneOf,
} from '../../platform/validation/query.fields.js';
import { ADVERTENCIA_CODES, type GuiaAdvertencia } from '../guia/guia-advertencia.js';
import { GUIA_ESTADOS, isGuiaEstado } from '../guia/guia-estado.js';
import type { ListFilter } from '../list/guia-list.queries.js';
import { isGuiaNumero } from '../guia/guia-digits.js';
import { MAX } from '../guia/limits.js';
import { GuiaDto } from './guia.dto.js';

/** A list with commas, in one parameter: `style` and `explode` are of a parameter, not of a property. */
const ESTADOS_SCHEMA: ApiPropertyOptions & Pick<ApiQueryOptions, 'style' | 'explode'> = {
  type: 'array',
  items: { type: 'string', enum: GUIA_ESTADOS },
  style: 'form',
  explode: false,
};

/** The states of a list; blanks around each do not matter. */
const estadosIn = (text: string): string[] => text.split(',').map((estado) => estado.trim());

/** Says which states of a list are none. */
function unknownIn(text: string): string {
  const unknown = estadosIn(text).filter((estado) => estado !== '' && !isGuiaEstado(estado));
  if (unknown.length === 0) return text.includes(',') ? 'Hay una coma de más. ' : '';
  // An error is one line, whatever it names.
  const named = unknown.slice(0, 5).map((estado) => `\`${estado.slice(0, 40).replaceAll(/\s+/g, ' ')}\``);
  return `${named.join(', ')} ${unknown.length === 1 ? 'no es un estado' : 'no son estados'}. `;
}

const ADVERTENCIA_VALUES = ['cualquiera', ...ADVERTENCIA_CODES];

export class ListarGuiasDto {
  @QueryField(
    {
      description: 'Solo guías en este estado, o en uno de varios, separados por comas: `aceptado,en_ruta`.',
    },
    ESTADOS_SCHEMA,
    check(
      'formato',
      (text: string) => estadosIn(text).every(isGuiaEstado),
      ({ value }) =>
        `${unknownIn(String(value))}Debe ser uno o varios, separados por comas, de: ${GUIA_ESTADOS.join(', ')}.`,
    ),
  )
  estado?: string;

  @QueryField(
    { description: 'Solo guías con esta advertencia, o con `cualquiera`. Ejemplo: `mensaje_fallido`.' },
    { enum: ADVERTENCIA_VALUES, enumName: 'FiltroAdvertencia' },
    check(
      'formato',
      (text: string) => ADVERTENCIA_VALUES.includes(text),
      `Debe ser una de: ${ADVERTENCIA_VALUES.join(', ')}.`,
    ),
  )
  advertencia?: GuiaAdvertencia | 'cualquiera';

  @QueryInstantField(
    'Creadas en este momento o después. Una fecha sola significa su primer milisegundo; sin zona, la de `zona`. Ejemplos: `2026-11-21`, `2026-11-21T15:04:05-06:00`.',
    'from',
    startsBeforeEnd,
  )
  desde?: string;

  @QueryInstantField(
    'Creadas en este momento o antes. Una fecha sola significa su último milisegundo; sin zona, la de `zona`.',
    'until',
  )
  hasta?: string;

  @QueryTextField({
    max: MAX.external_ref,
    description:
      'La guía con esta referencia del comercio, completa; mayúsculas y minúsculas cuentan. A lo sumo hay una. Ejemplo: `pedido-1042`.',
  })
  external_ref?: string;

  @QueryField(
    { description: 'La guía con este número. Ejemplo: `483920175567`.' },
    { type: String, pattern: '^[1-9][0-9]{11}$' },
    check(
      'formato',
      (text: string) => isGuiaNumero(text),
      'Debe ser un número de guía: 12 dígitos, el último de control, como `483920175567`.',
    ),
  )
  guia?: string;

  @QueryPhoneField({
    description:
      'Solo guías con este teléfono del destinatario, en E.164 o en el formato local del país del comercio; los operadores, en el del servicio (`DEFAULT_COUNTRY`). Ejemplos: `5555 1234`, `+50255551234` (en una URL el `+` se escribe `%2B`).',
  })
  telefono?: string;

  @QueryBooleanField(
    'Solo guías con la dirección de destino confirmada (`true`) o sin confirmar (`false`). Ejemplo: `false`.',
  )
  direccion_confirmada?: string;

  @QueryInstantField(
    'Para sincronizar: solo guías cambiadas en este momento o después, en el orden de su último cambio (`actualizada_en` ascendente, luego `id` ascendente) en vez de la más reciente primero. ' +
      'Una guía que cambia durante el recorrido pasa al final y vuelve a aparecer; ninguna se pierde. Un cambio se ve al quedar guardado: comience la próxima sincronización un minuto antes del último `actualizada_en` recibido, o un minuto antes del comienzo de la anterior si fue antes; una guía puede entonces llegar dos veces. ' +
      'Las mismas formas que `desde`. Ejemplos: `2026-11-21`, `2026-11-21T15:04:05.123Z`.',
    'from',
  )
  actualizada_desde?: string;

  @ZonaField()
  zona?: string;

  @LimitField('Guías')
  limit?: string;

  @CursorField()
  cursor?: string;
}

/** @param country of the merchant that an operator's `zona=comercio` means. */
export function toListFilter(dto: ListarGuiasDto, country?: string): ListFilter {
  const zone = zoneOf(dto.zona, country);
  // The order of these properties is signed into cursors: append only.
  return {
    estados: dto.estado === undefined ? undefined : [...new Set(estadosIn(dto.estado))].filter(isGuiaEstado),
    advertencia: dto.advertencia,
    from: dto.desde === undefined ? undefined : firstIdAt(parseInstant(dto.desde, 'from', zone)!),
    before: dto.hasta === undefined ? undefined : firstIdAt(parseInstant(dto.hasta, 'until', zone)! + 1),
    external_ref: dto.external_ref,
    guia: dto.guia,
    telefono: dto.telefono,
    direccion_confirmada: booleanOf(dto.direccion_confirmada),
    actualizada_desde:
      dto.actualizada_desde === undefined ? undefined : parseInstant(dto.actualizada_desde, 'from', zone),
  };
}

export class ListaDeGuiasDto extends PaginaDto {
  @ApiProperty({
    description:
      'Las guías, de la más reciente a la más antigua; con `actualizada_desde`, de la primera en cambiar a la última.',
    type: () => [GuiaDto],
  })
  guias: GuiaDto[];
}
