import type { MensajeEstado } from '../notifications/messages/mensaje-estado.js';
import type { IntentoResultado } from '../notifications/messages/mensaje-intento.entity.js';
import type { MensajeTipo, MessagingProvider } from '../notifications/providers/messaging-provider.js';
import type { EntregaEstado } from '../webhooks/deliveries/webhook-entrega.entity.js';
import type { DesactivadoPor } from '../webhooks/endpoints/webhook.entity.js';
import { PRUEBA, type WebhookEvento } from '../webhooks/endpoints/webhook-evento.js';

/** What support reads in place of codes. Those of guides and their events are in `guias/guia-texts.ts`. */

type Tone = 'good' | 'bad' | 'wait' | 'plain';

export const MENSAJE_ESTADO_NAMES: Record<MensajeEstado, [name: string, tone: Tone]> = {
  pendiente: ['por enviar', 'wait'],
  enviando: ['enviándose', 'wait'],
  incierto: ['no se sabe si salió', 'wait'],
  aceptado: ['enviado', 'plain'],
  entregado: ['llegó al teléfono', 'good'],
  leido: ['leído', 'good'],
  fallido: ['falló', 'bad'],
  omitido: ['no se envió, a propósito', 'plain'],
};

export const INTENTO_RESULTADO_NAMES: Record<IntentoResultado, [name: string, tone: Tone]> = {
  aceptado: ['lo recibió el proveedor', 'good'],
  reintenta: ['no salió, se reintenta', 'wait'],
  sin_respuesta: ['no se sabe si salió', 'wait'],
  detenido: ['el envío está detenido', 'wait'],
  fallido: ['falló', 'bad'],
  no_entregado: ['no llegó, según el proveedor', 'bad'],
  interrumpido: ['se interrumpió', 'wait'],
};

export const MENSAJE_TIPO_NAMES: Record<MensajeTipo, string> = {
  confirmacion_ubicacion: 'Pide confirmar la ubicación',
  pedir_ubicacion: 'Pide elegir el lugar',
  elegir_guia: 'Pregunta por cuál guía',
  ubicacion_recibida: 'Agradece la ubicación',
  guia_cerrada: 'Avisa que llegó tarde',
  ayuda: 'Explica cómo responder',
  baja: 'Confirma que no recibirá más mensajes',
  alta: 'Confirma que recibirá mensajes',
};

export const ENTREGA_ESTADO_NAMES: Record<EntregaEstado, [name: string, tone: Tone]> = {
  pendiente: ['por entregar', 'wait'],
  entregada: ['entregado', 'good'],
  fallida: ['falló', 'bad'],
};

export const WEBHOOK_EVENTO_NAMES_ES: Record<WebhookEvento | typeof PRUEBA, string> = {
  'guia.creada': 'Guía creada',
  'guia.confirmada': 'Dirección confirmada',
  'guia.estado_cambiado': 'Cambio de estado',
  'guia.mensaje_fallido': 'Mensaje fallido',
  'guia.destinatario_niega': 'El destinatario no pidió nada',
  'guia.cancelada': 'Guía cancelada',
  'liquidacion.pagada': 'Liquidación pagada',
  [PRUEBA]: 'Prueba',
};

export const DESACTIVADO_POR_NAMES: Record<DesactivadoPor, string> = {
  comercio: 'lo pidió el comercio',
  respuesta_410: 'el endpoint respondió 410, que no quiere más avisos',
  cinco_dias_de_fallas: 'falló durante cinco días sin un acierto',
};

export const PROVEEDOR_NAMES: Record<MessagingProvider['name'], string> = {
  sandbox: 'Mensajes de prueba (sandbox)',
  webhook: 'Puente de mensajería',
  whatsapp: 'WhatsApp',
};

/** The queues, by what is in them. */
export const QUEUE_NAMES: Record<string, string> = {
  notificaciones: 'Mensajes a destinatarios',
  entrantes: 'Lo que escriben los destinatarios',
  enlaces: 'Enlaces de mapa que se leen otra vez',
  webhooks: 'Avisos a comercios',
  'webhooks-lentos': 'Avisos a endpoints lentos, reintentos y pruebas',
};
