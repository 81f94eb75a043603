import { EVENTOS, type EventoTipo } from '../../events/evento-tipo.js';

/** Events that endpoints can subscribe to, in the order of the public enum: a new one goes to the end. */
export const WEBHOOK_EVENTO_NAMES = [
  'guia.creada',
  'guia.confirmada',
  'guia.estado_cambiado',
  'guia.mensaje_fallido',
  'guia.destinatario_niega',
  'guia.cancelada',
  'liquidacion.pagada',
  'guia.estado_corregido',
  'guia.advertencia',
] as const satisfies EventoTipo[];

export type WebhookEvento = (typeof WEBHOOK_EVENTO_NAMES)[number];

/** Type of the test message that `probar` sends; it is about no guide. */
export const PRUEBA = 'webhook.prueba';

/** Name of a message's type, for people. Begins in lower case. */
export function avisoName(evento: WebhookEvento | typeof PRUEBA): string {
  return evento === PRUEBA ? 'prueba' : EVENTOS[evento].name;
}

/** What each code means, for the documentation. */
export const WEBHOOK_EVENTO_MEANINGS: Readonly<Record<string, string>> = Object.fromEntries(
  WEBHOOK_EVENTO_NAMES.map((evento) => [evento, avisoName(evento)]),
);

/** The event that is about a settlement and no guide. */
export const PAGADA = 'liquidacion.pagada';

export type GuiaWebhookEvento = Exclude<WebhookEvento, typeof PAGADA>;

export const GUIA_WEBHOOK_EVENTO_NAMES = WEBHOOK_EVENTO_NAMES.filter(
  (name): name is GuiaWebhookEvento => name !== PAGADA,
);
