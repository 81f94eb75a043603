/** What was read as a field. */
export interface ChatField {
  /** As a person would type it into the form. */
  valor: string;
  /** Why it is to be looked at, in Spanish; absent where it is certain. */
  nota?: string;
}

export type ChatFieldName =
  | 'nombre'
  | 'telefono'
  | 'maps_url'
  | 'departamento'
  | 'municipio'
  | 'direccion'
  | 'referencia'
  | 'contenido'
  | 'notas'
  | 'cod_amount';

/** The fields of a guide that a text has, by their names in a create. */
export type ChatReading = Partial<Record<ChatFieldName, ChatField>>;
