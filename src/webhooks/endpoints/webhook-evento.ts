import type { EventoTipo } from '../../events/evento-tipo.js';

/** Events that endpoints can subscribe to, and what each means, for the documentation. */
export const WEBHOOK_EVENTOS = {
  'guia.creada': 'se creó la guía',
  'guia.confirmada': 'el destino quedó confirmado, o el destinatario lo corrigió',
  'guia.estado_cambiado': 'la guía pasó a otro estado',
  'guia.mensaje_fallido': 'no se pudo entregar el mensaje al destinatario',
  'guia.destinatario_niega': 'el destinatario dice que el paquete no es suyo',
  'guia.cancelada': 'la guía se canceló',
  'liquidacion.pagada': 'se pagó una liquidación al comercio',
} as const satisfies Partial<Record<EventoTipo, string>>;

export type WebhookEvento = keyof typeof WEBHOOK_EVENTOS;

export const WEBHOOK_EVENTO_NAMES = Object.keys(WEBHOOK_EVENTOS) as WebhookEvento[];

/** The event that is about a settlement and no guide. */
export const PAGADA = 'liquidacion.pagada';

export type GuiaWebhookEvento = Exclude<WebhookEvento, typeof PAGADA>;

export const GUIA_WEBHOOK_EVENTO_NAMES = WEBHOOK_EVENTO_NAMES.filter((name) => name !== PAGADA);

/** Type of the test message that `probar` sends; it is about no guide. */
export const PRUEBA = 'webhook.prueba';
