/**
 * Everything that is recorded about a guide, and what becomes of it: `relay` hands it to its subscribers, who
 * must exist; `history` is for people alone and is born dispatched.
 */
const TIPOS = {
  /** The guide was made. */
  'guia.creada': 'relay',
  /** Someone asked for the recipient to be asked (again). */
  'guia.confirmacion_pedida': 'relay',
  /** The recipient confirmed, or corrected, where they are. */
  'guia.confirmada': 'history',
  /** The recipient could not be reached. */
  'guia.mensaje_fallido': 'history',
  /** The message was not sent, on purpose. */
  'guia.mensaje_omitido': 'history',
  /** A map link was found to stand for a place, after the guide was made. */
  'guia.enlace_leido': 'history',
  /** A map link stands for no place, or its service never said which. */
  'guia.enlace_fallido': 'history',
} as const satisfies Record<string, 'relay' | 'history'>;

export type EventoTipo = keyof typeof TIPOS;

export const EVENTO_TIPOS = Object.keys(TIPOS) as EventoTipo[];

/** Those that need a subscriber. */
export const RELAYED_TIPOS = EVENTO_TIPOS.filter((tipo) => TIPOS[tipo] === 'relay');
