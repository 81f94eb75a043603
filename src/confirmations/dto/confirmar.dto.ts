import { plainToInstance, Transform } from 'class-transformer';
import { LatField, LngField } from '../../guias/dto/place.fields.js';
import { MAX } from '../../guias/limits.js';
import { check, ChoiceField, NumberField, TextField } from '../../validation/fields.js';

/** Metres; half of the Earth's circumference. */
const MAX_PRECISION = 20_100_000;

/** Where a recipient wants the parcel. */
export class ConfirmarDto {
  @LatField({ description: 'Latitud, en grados. Siempre junto con `lng`.', example: 14.6407 })
  lat?: number;

  @LngField({ description: 'Longitud, en grados. Siempre junto con `lat`.', example: -90.5133 })
  lng?: number;

  @TextField(
    {
      max: MAX.maps_url,
      description: 'Enlace de un servicio de mapas o coordenadas. Si vienen `lat` y `lng`, valen ellas.',
    },
    check(
      'requerido',
      (link, { lat, lng }) => link !== undefined || lat !== undefined || lng !== undefined,
      'Indique `lat` y `lng`, o `maps_url`.',
      true,
    ),
  )
  maps_url?: string;

  @TextField({
    max: MAX.referencia,
    multiline: true,
    description: 'Punto de referencia.',
    example: 'Casa azul frente a la iglesia',
  })
  referencia?: string;

  @NumberField({ min: 0, max: MAX_PRECISION, description: 'Radio de error de la posición, en metros.' })
  precision?: number;
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

/** Whether a body denies the parcel, or tries to. */
export function isDenial(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, 'niega');
}

/** In a form: the person was asked about implausible coordinates, and they are right. */
export const AS_TYPED = 'tal_cual';

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

/** The answer to a program that confirms. */
export interface ConfirmadaDto {
  ok: true;
  /** Guide number. */
  guia: string;
  direccion_confirmada: true;
  /** ISO 8601; until then another answer corrects this one. */
  corregible_hasta: string | null;
}

/** The answer to a program that denies. */
export interface NegadaDto {
  ok: true;
  /** Guide number. */
  guia: string;
  /** The merchant's warning. */
  advertencia: 'destinatario_niega';
}

export function toNegada({ guia }: { guia: string }): NegadaDto {
  return { ok: true, guia, advertencia: 'destinatario_niega' };
}

interface ConfirmedGuia {
  guia: string;
  confirmed: { correctableUntil: string } | null;
}

export function toConfirmada({ guia, confirmed }: ConfirmedGuia): ConfirmadaDto {
  return {
    ok: true,
    guia,
    direccion_confirmada: true,
    corregible_hasta: confirmed && confirmed.correctableUntil,
  };
}
