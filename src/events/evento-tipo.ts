/**
 * Everything that is recorded about a guide, and what becomes of it: `relay` hands it to its subscribers, who
 * must exist; `history` is for people alone and is born dispatched.
 */
const TIPOS = {
  /** The guide was made. */
  'guia.creada': 'relay',
  /** Someone asked for the recipient to be asked (again). */
  'guia.confirmacion_pedida': 'relay',
  /** The address is confirmed: the recipient said or corrected where they are, or the merchant knew. */
  'guia.confirmada': 'relay',
  /** The guide moved to another state. */
  'guia.estado_cambiado': 'relay',
  /** The guide was cancelled. */
  'guia.cancelada': 'relay',
  /** The recipient could not be reached. */
  'guia.mensaje_fallido': 'relay',
  /** The message was not sent, on purpose. */
  'guia.mensaje_omitido': 'history',
  /** A map link was found to stand for a place, after the guide was made. */
  'guia.enlace_leido': 'history',
  /** A map link stands for no place, or its service never said which. */
  'guia.enlace_fallido': 'history',
  /** The merchant changed what is known of the destination. */
  'guia.actualizada': 'history',
  /** An operator told of something older than the guide's last move: kept, and it moved nothing. */
  'guia.evento_tardio': 'history',
  /** What was collected on delivery is not what was to be collected. */
  'guia.cod_distinto': 'history',
} as const satisfies Record<string, 'relay' | 'history'>;

export type EventoTipo = keyof typeof TIPOS;

export const EVENTO_TIPOS = Object.keys(TIPOS) as EventoTipo[];

export function isRelayed(tipo: EventoTipo): boolean {
  return TIPOS[tipo] === 'relay';
}

/** Those that need a subscriber. */
export const RELAYED_TIPOS = EVENTO_TIPOS.filter(isRelayed);

/** Who made something happen. */
export const EVENTO_ACTORES = ['comercio', 'operador', 'destinatario', 'sistema'] as const;

export type EventoActor = (typeof EVENTO_ACTORES)[number];
