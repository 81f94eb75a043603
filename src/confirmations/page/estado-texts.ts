import type { GuiaEstado } from '../../guias/guia-estado.js';

/** What a recipient reads of each state: as the title of the page, and as a step of the parcel's way. */
export const ESTADO_TEXTS: Record<GuiaEstado, { title: string; step: string }> = {
  aceptado: { title: 'Tu paquete se está preparando', step: 'El comercio preparó el envío' },
  en_camino_a_recoger: { title: 'Ya van por tu paquete', step: 'La mensajería va a recogerlo' },
  recogido: { title: 'La mensajería tiene tu paquete', step: 'La mensajería lo recogió' },
  en_ruta: { title: 'Tu paquete va en camino', step: 'Va en camino a ti' },
  intento_fallido: { title: 'No pudimos entregarte el paquete', step: 'No se pudo entregar' },
  entregado: { title: 'Tu paquete fue entregado', step: 'Entregado' },
  en_devolucion: { title: 'Tu paquete regresa al comercio', step: 'Regresa al comercio' },
  devuelto: { title: 'Tu paquete volvió al comercio', step: 'Devuelto al comercio' },
  cancelado: { title: 'El envío fue cancelado', step: 'El comercio canceló el envío' },
  extraviado: { title: 'Tu paquete se extravió', step: 'Se extravió' },
};

/** What the recipient can do, in states that raise the question. */
export const ESTADO_ADVICE: Partial<Record<GuiaEstado, string>> = {
  intento_fallido: 'Lo intentarán de nuevo. Si tienes dudas, escríbele al comercio.',
  en_devolucion: 'Si aún lo quieres, escríbele al comercio.',
  devuelto: 'Si aún lo quieres, escríbele al comercio.',
  cancelado: 'Si no lo esperabas, escríbele al comercio.',
  extraviado: 'Escríbele al comercio para que te lo resuelva.',
};
