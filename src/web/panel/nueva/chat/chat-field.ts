import { MAX } from '../../../../guias/limits.js';

/** What was read as a field. */
export interface ChatField {
  /** As a person would type it into the form. */
  valor: string;
  /** Why it is to be looked at, in Spanish; undefined where it is certain. */
  nota?: string | undefined;
}

/** The fields that a text may have, by their names in a create, and their characters. */
export const LIMITS = {
  nombre: MAX.nombre,
  telefono: MAX.ref,
  maps_url: MAX.maps_url,
  departamento: MAX.nombre,
  municipio: MAX.nombre,
  direccion: MAX.direccion,
  referencia: MAX.referencia,
  contenido: MAX.contenido,
  notas: MAX.notas,
  cod_amount: MAX.ref,
};

export type ChatFieldName = keyof typeof LIMITS;

/** What was read of a text. */
export type ChatReading = { [Name in ChatFieldName]?: ChatField | undefined };
