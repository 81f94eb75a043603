import { firstIdAt } from '../../database/row-id.js';
import { ApiProperty } from '@nestjs/swagger';
import { check } from '../../validation/fields.js';
import { CursorField, LimitField } from '../../pagination/page.fields.js';
import { parseInstant } from '../../validation/instant.js';
import { QueryField, QueryPhoneField, QueryTextField } from '../../validation/query.fields.js';
import { GUIA_ESTADOS, isGuiaEstado, type GuiaEstado } from '../guia-estado.js';
import type { ListFilter } from '../list/guia-list.queries.js';
import { isGuiaNumero } from '../create/guia-numero.js';
import { MAX } from '../limits.js';
import { GuiaDto } from './guia.dto.js';

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
      (text) => isGuiaNumero(text as string),
      'Debe ser un número de guía: 12 dígitos, el último de control, como `483920175567`.',
    ),
  )
  guia?: string;

  @QueryPhoneField({
    description:
      'Solo guías con este teléfono del destinatario, en E.164 o en el formato local del país del comercio. Ejemplos: `5555 1234`, `+50255551234` (en una URL el `+` se escribe `%2B`).',
  })
  telefono?: string;

  @QueryField(
    {
      description:
        'Solo guías con la dirección de destino confirmada (`true`) o sin confirmar (`false`). Ejemplo: `false`.',
    },
    { type: Boolean },
    check('formato', (text) => text === 'true' || text === 'false', 'Debe ser `true` o `false`.'),
  )
  direccion_confirmada?: string;

  @QueryField(
    {
      description:
        'Para sincronizar: solo guías cambiadas en este momento o después, en el orden de su último cambio (`actualizada_en` ascendente, luego `id` ascendente) en vez de la más reciente primero. ' +
        'Una guía que cambia durante el recorrido pasa al final y vuelve a aparecer; ninguna se pierde. Un cambio se ve al quedar guardado: comience la próxima sincronización un minuto antes del último `actualizada_en` recibido, o un minuto antes del comienzo de la anterior si fue antes; una guía puede entonces llegar dos veces. ' +
        'Las mismas formas que `desde`. Ejemplos: `2026-11-21`, `2026-11-21T15:04:05.123Z`.',
    },
    { type: String },
    instant('from'),
  )
  actualizada_desde?: string;

  @LimitField('Guías')
  limit?: string;

  @CursorField()
  cursor?: string;
}

export function toListFilter(dto: ListarGuiasDto): ListFilter {
  return {
    estado: dto.estado,
    from: dto.desde === undefined ? undefined : firstIdAt(parseInstant(dto.desde, 'from')!),
    before: dto.hasta === undefined ? undefined : firstIdAt(parseInstant(dto.hasta, 'until')! + 1),
    external_ref: dto.external_ref,
    guia: dto.guia,
    telefono: dto.telefono,
    direccion_confirmada:
      dto.direccion_confirmada === undefined ? undefined : dto.direccion_confirmada === 'true',
    actualizada_desde:
      dto.actualizada_desde === undefined ? undefined : parseInstant(dto.actualizada_desde, 'from'),
  };
}

export class ListaDeGuiasDto {
  @ApiProperty({ description: 'Siempre `true`.', enum: [true], type: Boolean, example: true })
  ok: true;

  @ApiProperty({
    description:
      'Las guías, de la más reciente a la más antigua; con `actualizada_desde`, de la primera en cambiar a la última.',
    type: () => [GuiaDto],
  })
  guias: GuiaDto[];

  @ApiProperty({
    description: 'Envíelo como `cursor` para recibir la página siguiente; null en la última.',
    type: 'string',
    nullable: true,
    example: 'AaH-os8DfzqcRCuObw0aV6bT1n2r0yqXk3JmPw5c',
  })
  siguiente_cursor: string | null;
}
