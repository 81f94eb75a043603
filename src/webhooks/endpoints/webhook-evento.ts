import { EVENTOS, type EventoTipo } from '../../platform/events/evento-tipo.js';

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
  'guia.destinatario_no_recibio',
] as const satisfies EventoTipo[];

/** Events that operators' endpoints can subscribe to, of the real guides of all merchants. */
export const OPERATOR_EVENTO_NAMES = [
  'guia.creada',
  'guia.actualizada',
  'guia.cancelada',
  'guia.confirmada',
  'guia.destinatario_niega',
  'guia.destinatario_no_recibio',
] as const satisfies EventoTipo[];

/** Only operators can subscribe to it. */
export const ACTUALIZADA = 'guia.actualizada';

export type WebhookEvento = (typeof WEBHOOK_EVENTO_NAMES)[number] | (typeof OPERATOR_EVENTO_NAMES)[number];

/** All of them. */
export const AVISO_EVENTO_NAMES: WebhookEvento[] = [...WEBHOOK_EVENTO_NAMES, ACTUALIZADA];

/** Type of the test message that `probar` sends; it is about no guide. */
export const PRUEBA = 'webhook.prueba';

/** Name of a message's type, for people. Begins in lower case. */
export function avisoName(evento: WebhookEvento | typeof PRUEBA): string {
  return evento === PRUEBA ? 'prueba' : EVENTOS[evento].name;
}

/** Meaning of each code, for the documentation of merchants' endpoints, and of operators'. */
export const WEBHOOK_EVENTO_MEANINGS = meaningsOfEventos(WEBHOOK_EVENTO_NAMES);
export const OPERATOR_EVENTO_MEANINGS = meaningsOfEventos(OPERATOR_EVENTO_NAMES);

function meaningsOfEventos(names: readonly WebhookEvento[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((evento) => [evento, avisoName(evento)]));
}

/** The event that is about a settlement and no guide. */
export const PAGADA = 'liquidacion.pagada';

export type GuiaWebhookEvento = Exclude<(typeof WEBHOOK_EVENTO_NAMES)[number], typeof PAGADA>;

/** Merchants' events that are about a guide. */
export const GUIA_WEBHOOK_EVENTO_NAMES = WEBHOOK_EVENTO_NAMES.filter(
  (name): name is GuiaWebhookEvento => name !== PAGADA,
);
