export const MENSAJE_ESTADO_MEANINGS = {
  pendiente: 'espera su envío',
  enviando: 'se está enviando',
  incierto: 'no se sabe si salió',
  aceptado: 'lo aceptó el proveedor',
  entregado: 'llegó al teléfono',
  leido: 'lo leyeron',
  fallido: 'no se pudo enviar',
  omitido: 'no se envía, a propósito',
} as const;

/** On success a message goes from `pendiente` through `enviando`, `aceptado` and `entregado` to `leido`. */
export type MensajeEstado = keyof typeof MENSAJE_ESTADO_MEANINGS;
