/* What support reads in place of codes. Texts of guides and their events are in `guia-names.ts`. */

import type { ProviderName } from '../config/messaging-providers.js';
import type { GuiaAdvertencia } from '../guias/guia-advertencia.js';
import type { EditableCampo } from '../guias/changes/editable-fields.js';
import type { EnlaceFalla } from '../guias/links/link-failures.js';
import type { MensajeEstado } from '../notifications/messages/mensaje-estado.js';
import type { IntentoResultado } from '../notifications/messages/mensaje-intento.entity.js';
import type { MensajeTipo } from '../notifications/providers/messaging-provider.js';
import type { EntregaEstado } from '../webhooks/deliveries/webhook-entrega.entity.js';
import type { DesactivadoPor } from '../webhooks/endpoints/webhook.entity.js';
import { PRUEBA, type WebhookEvento } from '../webhooks/endpoints/webhook-evento.js';

type Tone = 'good' | 'bad' | 'wait' | 'plain';

export const ADVERTENCIA_NAMES: Record<GuiaAdvertencia, string> = {
  mensaje_fallido: 'No se pudo entregar el mensaje al destinatario: revise el teléfono.',
  mensaje_omitido_limite:
    'El número ya recibió el máximo de mensajes de 24 horas y no se envió otro: llame al destinatario.',
  mensaje_omitido_baja: 'El destinatario pidió no recibir mensajes: llámelo.',
  destinatario_niega:
    'El destinatario dice que el paquete no es suyo, y no se le escribe más: confirme el teléfono con el comercio.',
  recogida_sin_coordenadas:
    'No se pudo leer el enlace del punto de recogida: pida las coordenadas al comercio, y déselas al mensajero.',
  destino_sin_coordenadas: 'No se pudo leer el enlace de destino: se le pregunta al destinatario.',
  recogida_fuera_del_pais:
    'El punto de recogida está lejos del país del comercio: confírmelo con el comercio.',
  destino_fuera_del_pais: 'El destino está lejos del país del comercio: confírmelo con el comercio.',
  cod_distinto: 'Lo cobrado al entregar no es lo que había que cobrar.',
  entrega_lejos: 'Se entregó a más de 300 m del destino.',
};

/** What was changed of a guide. */
export const CAMPO_NAMES: Record<EditableCampo, string> = {
  telefono: 'teléfono',
  nombre: 'destinatario',
  departamento: 'departamento',
  municipio: 'municipio',
  direccion: 'dirección',
  referencia: 'punto de referencia',
  contenido: 'contenido',
  notas: 'notas',
  cod_amount: 'monto por cobrar',
  lat: 'destino',
  lng: 'destino',
  maps_url: 'destino',
};

/** Why a map link was given up. */
export const ENLACE_FALLA_NAMES: Record<EnlaceFalla, string> = {
  silent: 'El servicio de mapas no respondió en un día',
  broken: 'El servicio de mapas dice que el enlace no existe',
  place: 'El enlace nombra un lugar, sin coordenadas',
  unsupported: 'El enlace no lleva a un servicio de mapas conocido',
  unknown: 'El enlace abre un mapa, pero no muestra un lugar',
  unreadable: 'El texto no es un enlace de mapa',
};

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

export const PROVEEDOR_NAMES: Record<ProviderName, string> = {
  sandbox: 'Mensajes de prueba (sandbox)',
  webhook: 'Puente de mensajería',
  whatsapp: 'WhatsApp',
};

/** What the board calls each kind of job. */
export const JOB_NAMES: Record<string, string> = {
  enviar: 'Mensaje',
  informar_fallo: 'Mensaje que no llegó',
  responder_sandbox: 'Respuesta de prueba',
  whatsapp: 'Lo que escribió un destinatario',
  expandir: 'Enlace de mapa',
  entregar: 'Aviso',
  avanzar: 'Paso de una simulación',
};

/** Of a pause by report: the sender runs again, and its account may still fail. */
export const mayNotArrive = (causa: string) =>
  `WhatsApp informó una falla después de aceptar mensajes: salen, pero puede que no lleguen. ${causa}`;

/** The queues, by what is in them. */
export const QUEUE_NAMES: Record<string, string> = {
  notificaciones: 'Mensajes a destinatarios',
  'notificaciones-prueba': 'Mensajes de guías de prueba',
  entrantes: 'Lo que escriben los destinatarios',
  enlaces: 'Enlaces de mapa que se leen otra vez',
  webhooks: 'Avisos a comercios',
  'webhooks-lentos': 'Avisos a endpoints lentos, reintentos y pruebas',
  simulaciones: 'Mensajeros simulados',
};
