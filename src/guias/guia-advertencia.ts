/** Codes of what someone should check on a guide, and their meaning for the documentation. */
export const GUIA_ADVERTENCIAS = {
  mensaje_fallido: 'no se pudo entregar el mensaje de confirmación al destinatario; revise el teléfono',
  mensaje_omitido_limite: 'el número ya recibió el máximo de mensajes de 24 horas y no se envió otro',
  mensaje_omitido_baja: 'el destinatario pidió no recibir mensajes',
  destinatario_niega:
    'el destinatario dice que el paquete no es suyo, y no se le escribe más; revise el teléfono o cancele',
  recogida_sin_coordenadas:
    'no se pudo leer el enlace del punto de recogida, que no se puede cambiar; dé sus coordenadas al mensajero, o cancele la guía y cree otra',
  destino_sin_coordenadas: 'no se pudo leer el enlace de destino; se le pregunta al destinatario',
  recogida_fuera_del_pais:
    'el punto de recogida está lejos del país del comercio; revise signo y orden, y si está mal cancele la guía y cree otra',
  destino_fuera_del_pais: 'el destino está lejos del país del comercio; revise signo y orden',
  cod_distinto: 'lo cobrado al entregar no es `cod_amount`; vea el evento',
  entrega_lejos: 'se entregó a más de 300 m del destino; vea `distancia_m` del evento',
} as const;

export type GuiaAdvertencia = keyof typeof GUIA_ADVERTENCIAS;

const MENSAJE_ADVERTENCIAS: readonly GuiaAdvertencia[] = [
  'mensaje_fallido',
  'mensaje_omitido_limite',
  'mensaje_omitido_baja',
];

/** Warnings that another phone resolves. */
export const PHONE_ADVERTENCIAS: readonly GuiaAdvertencia[] = [...MENSAJE_ADVERTENCIAS, 'destinatario_niega'];

/** Warnings that a known destination resolves. */
export const DESTINO_ADVERTENCIAS: readonly GuiaAdvertencia[] = [
  ...MENSAJE_ADVERTENCIAS,
  'destino_sin_coordenadas',
  'destino_fuera_del_pais',
];
