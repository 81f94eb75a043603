interface EventoDefinition {
  /** `relay`: dispatched to its subscribers; it has at least one. `history`: has none, and never waits. */
  dispatch: 'relay' | 'history';
  /** For people. Begins in lower case and has no full stop, as other texts contain it. */
  name: string;
  /** Left out of histories, which show its cause. */
  isHidden?: true;
}

/** In the order of the public enum: a new type goes to the end. */
const DEFINITIONS = {
  'guia.creada': { dispatch: 'relay', name: 'se creó la guía' },
  /** Asks the recipient for the address, perhaps again. */
  'guia.confirmacion_pedida': { dispatch: 'relay', name: 'se pidió otra vez la ubicación' },
  /** The address was confirmed, by the recipient or the merchant. */
  'guia.confirmada': { dispatch: 'relay', name: 'se confirmó o corrigió la dirección' },
  'guia.estado_cambiado': { dispatch: 'relay', name: 'la guía pasó a otro estado' },
  'guia.cancelada': { dispatch: 'relay', name: 'la guía se canceló' },
  'guia.mensaje_fallido': { dispatch: 'relay', name: 'no se pudo entregar el mensaje al destinatario' },
  'guia.destinatario_niega': { dispatch: 'relay', name: 'el destinatario dice que el paquete no es suyo' },
  'guia.mensaje_omitido': { dispatch: 'history', name: 'el mensaje no se envió, a propósito' },
  /** A map link was resolved after the guide was created. */
  'guia.enlace_leido': { dispatch: 'history', name: 'se leyó el enlace de mapa' },
  /** A map link leads to no place, or its service never answered. */
  'guia.enlace_fallido': { dispatch: 'history', name: 'no se pudo leer el enlace de mapa' },
  /** Fields changed: by the merchant, support or an operator, or the recipient's landmark or note. */
  'guia.actualizada': { dispatch: 'relay', name: 'se cambiaron datos' },
  /** An operator reported a move older than the guide's last one: recorded without effect. */
  'guia.evento_tardio': { dispatch: 'history', name: 'la mensajería informó tarde' },
  /** The amount collected on delivery differs from the amount due. */
  'guia.cod_distinto': { dispatch: 'history', name: 'se cobró otro monto' },
  'guia.cobro_corregido': { dispatch: 'history', name: 'se corrigió lo cobrado' },
  'liquidacion.pagada': { dispatch: 'relay', name: 'se pagó una liquidación al comercio' },
  /** The last move of an operator was taken back. */
  'guia.estado_corregido': { dispatch: 'relay', name: 'se deshizo el último cambio de estado' },
  'guia.advertencia': { dispatch: 'relay', name: 'apareció una advertencia', isHidden: true },
  /** The guide was assigned to a driver, or to nobody any more. */
  'guia.asignada': { dispatch: 'history', name: 'cambió el piloto de la guía' },
  /** The recipient says that the delivered parcel did not arrive. */
  'guia.destinatario_no_recibio': {
    dispatch: 'relay',
    name: 'el destinatario dice que no recibió el paquete',
  },
} as const satisfies Record<string, EventoDefinition>;

export type EventoTipo = keyof typeof DEFINITIONS;

/** The types of events, of a guide or of a settlement: the one list of them. */
export const EVENTOS: Readonly<Record<EventoTipo, EventoDefinition>> = DEFINITIONS;

export const EVENTO_TIPOS = Object.keys(EVENTOS) as EventoTipo[];

export const HISTORY_TIPOS = EVENTO_TIPOS.filter(
  (tipo) => tipo.startsWith('guia.') && !EVENTOS[tipo].isHidden,
);

export function isRelayed(tipo: EventoTipo): boolean {
  return EVENTOS[tipo].dispatch === 'relay';
}

export const RELAYED_TIPOS = EVENTO_TIPOS.filter(isRelayed);

/** Who causes events, and their names for people. */
export const ACTORES = {
  comercio: 'el comercio',
  operador: 'la mensajería',
  destinatario: 'el destinatario',
  sistema: 'el sistema',
  soporte: 'soporte',
  piloto: 'el piloto',
} as const;

export type EventoActor = keyof typeof ACTORES;

export const EVENTO_ACTORES = Object.keys(ACTORES) as EventoActor[];
