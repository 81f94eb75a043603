/**
 * The types of events, of a guide or of a settlement. `relay`: dispatched to its subscribers; it has at least one. `history`:
 * has none, and is inserted as dispatched. In the order of the public enum: a new type goes to the end.
 */
const TIPOS = {
  /** The guide was created. */
  'guia.creada': 'relay',
  /** Asks the recipient for the address, perhaps again. */
  'guia.confirmacion_pedida': 'relay',
  /** The address was confirmed, by the recipient or the merchant. */
  'guia.confirmada': 'relay',
  /** The guide moved to another state. */
  'guia.estado_cambiado': 'relay',
  /** The guide was cancelled. */
  'guia.cancelada': 'relay',
  /** The recipient could not be reached. */
  'guia.mensaje_fallido': 'relay',
  /** The recipient says that the parcel is not theirs. */
  'guia.destinatario_niega': 'relay',
  /** The message was deliberately not sent. */
  'guia.mensaje_omitido': 'history',
  /** A map link was resolved after the guide was created. */
  'guia.enlace_leido': 'history',
  /** A map link leads to no place, or its service never answered. */
  'guia.enlace_fallido': 'history',
  /** The merchant, or support for it, changed fields. Inserted as dispatched unless a map link is to be expanded. */
  'guia.actualizada': 'relay',
  /** An operator reported a move older than the guide's last one: recorded without effect. */
  'guia.evento_tardio': 'history',
  /** The amount collected on delivery differs from the amount due. */
  'guia.cod_distinto': 'history',
  /** An operator corrected the amount collected. */
  'guia.cobro_corregido': 'history',
  /** A settlement was paid to its merchant. */
  'liquidacion.pagada': 'relay',
} as const satisfies Record<string, 'relay' | 'history'>;

export type EventoTipo = keyof typeof TIPOS;

export const EVENTO_TIPOS = Object.keys(TIPOS) as EventoTipo[];

export function isRelayed(tipo: EventoTipo): boolean {
  return TIPOS[tipo] === 'relay';
}

/** Types that need a subscriber. */
export const RELAYED_TIPOS = EVENTO_TIPOS.filter(isRelayed);

/** Who caused an event. */
export const EVENTO_ACTORES = ['comercio', 'operador', 'destinatario', 'sistema', 'soporte'] as const;

export type EventoActor = (typeof EVENTO_ACTORES)[number];
