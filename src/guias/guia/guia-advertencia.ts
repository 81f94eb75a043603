/** Who has to act on a warning. */
export type Attendant = 'soporte' | 'comercio';

type Resolution = 'telefono' | 'destino' | 'mensaje' | 'deshacer';

interface AdvertenciaDefinition {
  /** The finding, for everybody. Begins in lower case and has no full stop, as other texts contain it. */
  name: string;
  /** The same in a few words, where the merchant has to act. */
  short?: string;
  /** Advice to the merchant, where there is something to do. */
  merchant?: string;
  /** Advice to support, where there is something to do. */
  support?: string;
  /** Who has to act; *Hoy* of each of them lists the guide while it is open. Empty, with the reason, if nobody has to. */
  attendants: readonly Attendant[];
  /** Whether it is listed in any state of the guide: the guide's end does not settle it. */
  outlastsGuia?: true;
  /** Another phone, a known destination, an accepted message, or an undone move. */
  resolvedBy?: readonly Resolution[];
}

const BOTH = ['soporte', 'comercio'] as const;

/** In the order of the public enum: a new warning goes to the end. */
const DEFINITIONS = {
  mensaje_fallido: {
    name: 'no se pudo entregar el mensaje de confirmación al destinatario',
    short: 'No recibió el mensaje',
    merchant: 'revise el teléfono',
    support: 'revise el teléfono',
    attendants: BOTH,
    outlastsGuia: true,
    resolvedBy: ['telefono', 'destino', 'mensaje'],
  },
  mensaje_omitido_limite: {
    name: 'el número ya recibió el máximo de mensajes de 24 horas y no se envió otro',
    short: 'Hoy ya no se le escribe',
    merchant: 'escríbale usted',
    support: 'llame al destinatario',
    attendants: BOTH,
    outlastsGuia: true,
    resolvedBy: ['telefono', 'destino', 'mensaje'],
  },
  mensaje_omitido_baja: {
    name: 'el destinatario pidió no recibir mensajes',
    short: 'No quiere mensajes',
    merchant: 'llámelo',
    support: 'llámelo',
    attendants: BOTH,
    outlastsGuia: true,
    resolvedBy: ['telefono', 'destino', 'mensaje'],
  },
  destinatario_niega: {
    name: 'el destinatario dice que el paquete no es suyo, y no se le escribe más',
    short: 'Dice que no es suyo',
    merchant: 'revise el teléfono o cancele',
    support: 'confirme el teléfono con el comercio',
    attendants: ['comercio'],
    resolvedBy: ['telefono'],
  },
  recogida_sin_coordenadas: {
    name: 'no se pudo leer el enlace del punto de recogida',
    merchant: 'elija otro punto en el panel (Cambiar), o dé sus coordenadas al mensajero',
    support: 'pida las coordenadas al comercio, y déselas al mensajero',
    attendants: ['soporte'],
  },
  destino_sin_coordenadas: {
    name: 'no se pudo leer el enlace de destino, y se le pregunta al destinatario',
    // The recipient is asked.
    attendants: [],
    resolvedBy: ['destino'],
  },
  recogida_fuera_del_pais: {
    name: 'el punto de recogida está lejos del país del comercio',
    short: 'Se recoge fuera del país',
    merchant: 'revise signo y orden, y si está mal elija otro en el panel, o cancele y cree otra',
    support: 'confírmelo con el comercio',
    attendants: ['comercio'],
  },
  destino_fuera_del_pais: {
    name: 'el destino está lejos del país del comercio',
    short: 'Va fuera del país',
    merchant: 'revise signo y orden',
    support: 'confírmelo con el comercio',
    attendants: ['comercio'],
    resolvedBy: ['destino'],
  },
  cod_distinto: {
    name: 'lo cobrado al entregar no es lo que había que cobrar',
    short: 'Cobraron otro monto',
    merchant: 'compare `cod_amount` con el evento',
    attendants: ['comercio'],
    outlastsGuia: true,
    resolvedBy: ['deshacer'],
  },
  entrega_lejos: {
    name: 'se entregó a más de 300 m del destino',
    short: 'Se entregó lejos',
    merchant: 'vea `distancia_m` del evento',
    attendants: ['comercio'],
    outlastsGuia: true,
    resolvedBy: ['deshacer'],
  },
  telefono_dudoso: {
    name: 'los dígitos del teléfono son todos iguales o van en orden',
    short: 'Teléfono dudoso',
    merchant: 'confírmelo con el destinatario, y corríjalo si es de relleno',
    support: 'confírmelo con el comercio',
    attendants: ['comercio'],
    resolvedBy: ['telefono'],
  },
  cancelada_ya_recogida: {
    name: 'se canceló cuando la mensajería ya la había recogido, y el paquete está con ella',
    short: 'Cancelada, ya recogida',
    merchant: 'pida el paquete a la mensajería',
    support: 'acuerde con la mensajería que vuelva al comercio',
    attendants: BOTH,
    outlastsGuia: true,
    resolvedBy: ['deshacer'],
  },
  destino_por_revisar: {
    name: 'cambió el municipio o el departamento, y el destino es el de antes',
    short: 'Lugar por revisar',
    merchant: 'dé el destino nuevo, o quítelo para que se pregunte al destinatario',
    support: 'confírmelo con el comercio',
    attendants: ['comercio'],
    resolvedBy: ['destino'],
  },
  mensaje_no_enviado: {
    name: 'el servicio todavía no está configurado para preguntar al destinatario',
    merchant: 'pregúntele usted, y avise a quien lo administra',
    support: 'llámelo, y pida al equipo técnico que configure los mensajes',
    attendants: ['soporte'],
    resolvedBy: ['destino'],
  },
  destinatario_no_recibio: {
    name: 'la guía está entregada y el destinatario dice que no recibió el paquete',
    short: 'Dijo que no llegó',
    merchant: 'vea la nota del evento y hable con la mensajería',
    support:
      'pregunte al mensajero, deshaga la entrega si fue un error, y escriba una nota con lo que resultó',
    attendants: BOTH,
    outlastsGuia: true,
    resolvedBy: ['deshacer'],
  },
  entregado_sin_pin: {
    name: 'se entregó sin el PIN del destinatario',
    short: 'Entregada sin PIN',
    merchant: 'vea la nota del evento',
    attendants: ['comercio'],
    outlastsGuia: true,
    resolvedBy: ['deshacer'],
  },
  destino_impreciso: {
    name: 'el teléfono del destinatario ubicó el destino con más de 100 m de error',
    short: 'Lugar impreciso',
    merchant: 'pídale que marque su puerta',
    support: 'llame al destinatario, o pídale la ubicación otra vez',
    attendants: BOTH,
    outlastsGuia: true,
    resolvedBy: ['destino'],
  },
  entrega_tardia: {
    name: 'llegó tarde una entrega con efectivo, que no se aplicó: nadie lo tiene en su caja',
    support: 'pregunte a quien la informó, y aplíquela en el historial o escriba una nota con lo que resultó',
    attendants: ['soporte'],
    outlastsGuia: true,
  },
  evento_de_otro_piloto: {
    name: 'un piloto que ya no tiene la guía informó de ella, y no se aplicó',
    support: 'pregúntele quién tiene el paquete, y aplíquelo en el historial o escriba una nota',
    attendants: ['soporte'],
    outlastsGuia: true,
  },
  deshacer_tarde: {
    name: 'el piloto quiso deshacer su último cambio, demasiado tarde',
    support: 'pregúntele qué pasó, y deshágalo si fue un error o escriba una nota',
    attendants: ['soporte'],
    outlastsGuia: true,
    resolvedBy: ['deshacer'],
  },
} as const satisfies Record<string, AdvertenciaDefinition>;

export type GuiaAdvertencia = keyof typeof DEFINITIONS;

/** Everything that somebody should check on a guide, by its code: the one list of warnings. */
export const ADVERTENCIAS: Readonly<Record<GuiaAdvertencia, AdvertenciaDefinition>> = DEFINITIONS;

export const ADVERTENCIA_CODES = Object.keys(ADVERTENCIAS) as GuiaAdvertencia[];

/** Found whenever a guide is shown, and not stored: lists do not filter by it, and nobody has to act on it. */
export const MUNICIPIO_DESCONOCIDO = 'municipio_desconocido';

export const NEW_GUIA_ADVERTENCIAS = [
  'recogida_fuera_del_pais',
  'destino_fuera_del_pais',
  'telefono_dudoso',
  MUNICIPIO_DESCONOCIDO,
] as const satisfies (GuiaAdvertencia | typeof MUNICIPIO_DESCONOCIDO)[];

export type NewGuiaAdvertencia = (typeof NEW_GUIA_ADVERTENCIAS)[number];

export const ADVERTENCIA_MEANINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(ADVERTENCIAS).map(([code, { name, merchant }]) => [
      code,
      merchant === undefined ? name : `${name}; ${merchant}`,
    ]),
  ),
  [MUNICIPIO_DESCONOCIDO]:
    'el departamento no tiene un municipio con ese nombre; vea `sugerencias` del detalle, y corríjalo si está mal',
};

export const PHONE_ADVERTENCIAS = resolvedBy('telefono');

export const DESTINO_ADVERTENCIAS = resolvedBy('destino');

/** Warnings that go once the recipient was asked. */
export const MENSAJE_ADVERTENCIAS = resolvedBy('mensaje');

/** Warnings that go once the delivery or the cancellation is taken back. */
export const UNDO_ADVERTENCIAS = resolvedBy('deshacer');

/** Why an event is recorded and does not move the guide: a later move was applied already, or the guide is another driver's. */
export type NoAplicado = 'tarde' | 'de_otro_piloto';

/** Warnings of events that were not applied: cleared by applying them, or by an applied delivery of the same driver. */
export const NO_APLICADO_ADVERTENCIAS = [
  'entrega_tardia',
  'evento_de_otro_piloto',
] as const satisfies GuiaAdvertencia[];

/** Warnings that go once staff has written a note. */
export const NOTE_ADVERTENCIAS = [
  ...NO_APLICADO_ADVERTENCIAS,
  'deshacer_tarde',
  'destinatario_no_recibio',
] as const satisfies GuiaAdvertencia[];

/** Warnings that *Hoy* of a side lists of guides in any state. */
export function outlastingFor(side: Attendant): GuiaAdvertencia[] {
  return ADVERTENCIA_CODES.filter((codigo) => {
    const { attendants, outlastsGuia } = ADVERTENCIAS[codigo];
    return outlastsGuia && attendants.includes(side);
  });
}

/** Warnings that support's console lists of open guides: its own, and those of which it tells the merchant. */
export const SUPPORT_ADVERTENCIAS = ADVERTENCIA_CODES.filter((codigo) => {
  const { attendants, outlastsGuia } = ADVERTENCIAS[codigo];
  return attendants.includes('soporte') || (attendants.length > 0 && !outlastsGuia);
});

function resolvedBy(change: Resolution): readonly GuiaAdvertencia[] {
  return ADVERTENCIA_CODES.filter((codigo) => ADVERTENCIAS[codigo].resolvedBy?.includes(change));
}
