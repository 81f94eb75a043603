import { isUuid } from '../../platform/database/row-id.js';
import { PILOTO_ESTADOS, type GuiaEstado } from '../../guias/guia/guia-estado.js';
import { isGuiaNumero } from '../../guias/guia/guia-digits.js';
import { EventoDeLoteDto } from '../../operations/dto/registrar-evento.dto.js';
import {
  asSent,
  check,
  ChoiceField,
  field,
  InstantField,
  TextField,
} from '../../platform/validation/fields.js';
import { BatchField, ListField } from '../../platform/validation/list.fields.js';

/** Characters of a UUID. */
const UUID_LENGTH = 36;

const RefField = () =>
  TextField(
    {
      required: true,
      max: UUID_LENGTH,
      isExact: true,
      description: 'UUID del evento: repetirlo con el mismo para la misma guía no registra nada nuevo.',
    },
    check('formato', (text: string) => isUuid(text), 'Debe ser un UUID.'),
  );

export class EventoDePilotoDto extends EventoDeLoteDto {
  @ChoiceField({ required: true, values: PILOTO_ESTADOS, description: 'Estado al que pasó la guía.' })
  override estado: GuiaEstado;

  @RefField()
  override ref: string;

  @InstantField({ required: true, description: 'Cuándo pasó; lo que está en el futuro cuenta como ahora.' })
  override ocurrido_en: string;
}

export class DeshacerDePilotoDto {
  @TextField({ required: true, max: UUID_LENGTH, description: '`id` o número de la guía.' })
  guia: string;

  @field(
    { required: true, description: 'Siempre true.' },
    { type: Boolean },
    asSent,
    check('tipo', (value) => value === true, 'Debe ser true.'),
  )
  deshacer: true;

  @RefField()
  ref: string;

  @InstantField({ description: 'Cuándo se deshizo; ahora, si no se dice o está en el futuro.' })
  ocurrido_en?: string;
}

/** Events of a driver in a batch. */
const MAX_EVENTOS = 100;

export class LoteDePilotoDto {
  @BatchField(() => EventoDePilotoDto, { description: 'Los eventos.', max: MAX_EVENTOS })
  eventos: unknown[];
}

/** Refusals that a request names as read. */
const MAX_REFS = 100;

export class EntendidosDto {
  @ListField(
    {
      required: true,
      items: { type: 'string' },
      max: MAX_REFS,
      description: '`ref` de lo que el piloto leyó.',
    },
    check(
      'fuera_de_rango',
      (refs: unknown[]) => refs.length >= 1 && refs.length <= MAX_REFS,
      `Debe tener entre 1 y ${MAX_REFS} elementos.`,
    ),
    check(
      'formato',
      (refs: unknown[]) => refs.every((ref) => typeof ref === 'string' && isUuid(ref)),
      'Cada uno debe ser un UUID.',
    ),
  )
  refs: string[];
}

/** The last digits by which a parcel is looked for: the label prints them largest. */
const LAST_DIGITS = /^\d{4}$/;

/** Digits are read with blanks between them, as pages and labels print them. */
const digits = (text: string) => text.replace(/\s/g, '') || undefined;

export class BuscarDto {
  @TextField(
    {
      required: true,
      max: 24,
      read: digits,
      description: 'El número de guía, o sus últimos cuatro dígitos.',
    },
    check(
      'formato',
      (text: string) => LAST_DIGITS.test(text) || isGuiaNumero(text),
      'Escriba los últimos cuatro números de la guía, o los doce.',
    ),
  )
  numero: string;
}

export class TomarDto {
  @TextField(
    { required: true, max: 24, read: digits, description: 'El número de guía.' },
    check(
      'formato',
      (text: string) => isGuiaNumero(text),
      'No es un número de guía. Revise los doce números.',
    ),
  )
  guia: string;
}
