import type { EventoActor, EventoTipo } from '../events/evento-tipo.js';
import type { Lugar } from '../guias/guia-row.js';
import type { GuiaEstado } from '../guias/guia-estado.js';

/** What staff read in place of the codes. What recipients read is in `confirmations/page/state-texts.es.ts`. */

export const ESTADO_NAMES: Record<GuiaEstado, string> = {
  aceptado: 'Aceptada, por recoger',
  en_camino_a_recoger: 'En camino a recoger',
  recogido: 'Recogida',
  en_ruta: 'En ruta',
  intento_fallido: 'Intento de entrega fallido',
  entregado: 'Entregada',
  en_devolucion: 'En devolución',
  devuelto: 'Devuelta al comercio',
  cancelado: 'Cancelada',
  extraviado: 'Extraviada',
};

/** The colour of a state. */
export function toneOf(estado: GuiaEstado): 'good' | 'bad' | 'plain' {
  if (estado === 'entregado') return 'good';
  if (['intento_fallido', 'extraviado', 'en_devolucion', 'devuelto', 'cancelado'].includes(estado))
    return 'bad';
  return 'plain';
}

export const EVENTO_NAMES: Record<EventoTipo, string> = {
  'guia.creada': 'Se creó la guía',
  'guia.confirmacion_pedida': 'Se pidió otra vez la ubicación',
  'guia.confirmada': 'Se confirmó la dirección',
  'guia.estado_cambiado': 'Pasó a otro estado',
  'guia.cancelada': 'Se canceló',
  'guia.mensaje_fallido': 'No se pudo entregar el mensaje',
  'guia.destinatario_niega': 'El destinatario dice que el pedido no es suyo',
  'guia.mensaje_omitido': 'El mensaje no se envió, a propósito',
  'guia.enlace_leido': 'Se leyó el enlace de mapa',
  'guia.enlace_fallido': 'No se pudo leer el enlace de mapa',
  'guia.actualizada': 'Se cambiaron datos',
  'guia.evento_tardio': 'La mensajería informó tarde',
  'guia.cod_distinto': 'Se cobró otro monto',
  'guia.cobro_corregido': 'Se corrigió lo cobrado',
  'liquidacion.pagada': 'Se pagó una liquidación',
};

/** By which way a recipient's answer came. */
export const ORIGEN_NAMES: Record<string, string> = {
  pagina: 'en la página',
  whatsapp: 'por WhatsApp',
  sandbox: 'con una respuesta de prueba',
};

/** Which place a map link is of. */
export const LUGAR_NAMES: Record<Lugar, string> = {
  destino: 'del destino',
  recogida: 'del punto de recogida',
};

export const ACTOR_NAMES: Record<EventoActor, string> = {
  comercio: 'El comercio',
  operador: 'La mensajería',
  destinatario: 'El destinatario',
  sistema: 'El sistema',
  soporte: 'Soporte',
};
