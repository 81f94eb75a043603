import { plainToInstance, Transform } from 'class-transformer';
import { LatField, LngField } from '../../guias/dto/place.fields.js';
import type { GuiaAdvertencia } from '../../guias/guia/guia-advertencia.js';
import { MAX } from '../../guias/guia/limits.js';
import {
  asSent,
  BooleanField,
  check,
  ChoiceField,
  field,
  isText,
  NumberField,
  TextField,
  textRules,
} from '../../platform/validation/fields.js';

/** Metres; half of the Earth's circumference. */
const MAX_PRECISION = 20_100_000;

/** Metres. */
const MAX_PRECISION_M = 100_000;

/** Characters; ours are shorter. */
const MAX_VERSION = 64;

/** Characters of a note for the driver. */
export const MAX_NOTA = 200;

/** Where a recipient wants the parcel, and what the driver should know. */
export class ConfirmarDto {
  @LatField({ description: 'Latitud, en grados. Siempre junto con `lng`.', example: 14.6407 })
  lat?: number;

  @LngField({ description: 'Longitud, en grados. Siempre junto con `lat`.', example: -90.5133 })
  lng?: number;

  @TextField(
    {
      max: MAX.maps_url,
      multiline: true,
      isExact: true,
      description: 'Enlace de un servicio de mapas o coordenadas. Si vienen `lat` y `lng`, valen ellas.',
    },
    check(
      'requerido',
      (link, { lat, lng, nota }) => [link, lat, lng, nota].some((value) => value !== undefined),
      'Indique `lat` y `lng`, `maps_url` o `nota`.',
      true,
    ),
  )
  maps_url?: string;

  @TextField({
    max: MAX.referencia,
    multiline: true,
    description: 'Punto de referencia. Si ya hay un lugar guardado, puede venir sola.',
    example: 'Casa azul frente a la iglesia',
  })
  referencia?: string;

  @TextField({
    max: MAX_NOTA,
    multiline: true,
    description: 'Nota para el mensajero. Puede venir sola.',
    example: 'Toque el portón, el timbre no sirve',
  })
  nota?: string;

  @NumberField({ min: 0, max: MAX_PRECISION, description: 'De versiones anteriores: no avisa de nada.' })
  precision?: number;

  @NumberField({
    min: 0,
    max: MAX_PRECISION_M,
    description: 'Radio de error de la posición, en metros. Con más de 100 hace falta `precision_aceptada`.',
  })
  precision_m?: number;

  @BooleanField({ description: 'true: el punto vale aunque sea poco exacto.' })
  precision_aceptada?: boolean;

  /** Empty where none was shown, so that an empty text is not absent. */
  @field(
    { description: 'La del lugar que se mostró; vacía, si no había ninguno. Si falta, vale el último.' },
    { type: String, maxLength: MAX_VERSION },
    asSent,
    isText,
    ...textRules(MAX_VERSION, false),
  )
  version?: string;
}

/** That the parcel is not the recipient's. */
export class NegarDto {
  @ChoiceField({
    values: ['si'],
    required: true,
    description: '`si`: el paquete no es de quien recibió el enlace. Sin ningún otro campo.',
  })
  niega: 'si';
}

/** That a delivered parcel did not arrive. */
export class NoRecibiDto {
  @ChoiceField({ values: ['si'], required: true, description: '`si`: la guía está entregada y no llegó.' })
  no_recibi: 'si';

  @TextField({ max: MAX_NOTA, multiline: true, description: 'Lo que quiera agregar.' })
  texto?: string;
}

/** Whether a body says that the parcel did not arrive, or tries to. */
export function isNonReceipt(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, 'no_recibi');
}

/** That the recipient wants no messages of anybody any more. */
export class NoEscribirDto {
  @ChoiceField({
    values: ['si'],
    required: true,
    description:
      '`si`: al número de la guía no se le escribe más, de ningún comercio. Sin ningún otro campo.',
  })
  baja: 'si';
}

/** Whether a body asks for no messages, or tries to. */
export function isOptOut(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, 'baja');
}

export interface BajaHechaDto {
  ok: true;
  guia: string;
  baja: true;
}

/** Whether a body denies the parcel, or tries to. */
export function isDenial(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, 'niega');
}

/** Whether a body has a landmark and nothing else to save: it is that of the saved place. */
export function isLandmarkAlone(body: unknown): body is object {
  const { referencia, lat, lng, maps_url, nota } = (body ?? {}) as Record<string, unknown>;
  return typeof referencia === 'string' && [lat, lng, maps_url, nota].every((value) => value === undefined);
}

/** In a form: the person was asked about implausible coordinates, and they are right. */
export const AS_TYPED = 'tal_cual';

/** In a form: a field that says yes. */
export const ACCEPTED = 'si';

/** Reads a form's text as a number; one that is none stays a text, which the rules of its field refuse. */
const NumberText = () => Transform(({ value }: { value: string }) => toNumber(value.trim()));

/** The fields of a form, which are all texts, as a program would send them. */
class FormularioDto extends ConfirmarDto {
  @NumberText()
  override lat?: number;

  @NumberText()
  override lng?: number;

  @NumberText()
  override precision?: number;

  @NumberText()
  override precision_m?: number;

  /** Anything but `si` is asked again. */
  @Transform(({ value }: { value: string }) => value === ACCEPTED || undefined)
  override precision_aceptada?: boolean;
}

/** Numbers are parsed, also with a decimal comma; empty ones are absent. */
export function fromForm({ [AS_TYPED]: _, ...form }: Record<string, string>): FormularioDto {
  return plainToInstance(FormularioDto, form);
}

function toNumber(text: string): number | string | undefined {
  if (text === '') return undefined;
  // Phones that beautify text write a real minus sign (U+2212).
  const plain = text.replace(',', '.').replace('\u2212', '-');
  return /^[+-]?\d{1,15}(\.\d{1,20})?$/.test(plain) ? Number(plain) : text;
}

export interface ConfirmadaDto {
  ok: true;
  guia: string;
  direccion_confirmada: boolean;
  /** Kept for programs of former versions: a place may be corrected until the courier leaves. */
  corregible_hasta: null;
}

/** The answer to a program that denies, or says that the parcel did not arrive. */
export interface NegadaDto {
  ok: true;
  guia: string;
  advertencia: GuiaAdvertencia;
}
