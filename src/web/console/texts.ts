/* Names that only support reads. A code's other names stand in its own table, like `guias/guia/guia-estado.ts`. */

import type { GoingLiveVariable } from '../../platform/config/going-live.js';
import type { ProviderName } from '../../platform/config/messaging-providers.js';
import { ADVERTENCIAS, type GuiaAdvertencia } from '../../guias/guia/guia-advertencia.js';
import { capitalised } from '../../platform/validation/text.js';

export function advertenciaText(codigo: GuiaAdvertencia): string {
  const { name, support } = ADVERTENCIAS[codigo];
  return `${capitalised(name)}${support === undefined ? '' : `: ${support}`}.`;
}

/** Why no recipient can be asked, by the variable that is missing. */
export const GOING_LIVE_TEXTS: Record<GoingLiveVariable, string> = {
  MESSAGING_PROVIDER:
    'Los mensajes se guardan y no se envían: a ningún destinatario se le pregunta la ubicación. El equipo técnico debe configurar MESSAGING_PROVIDER.',
  PUBLIC_URL:
    'Los enlaces llevan a localhost, y ningún destinatario puede abrirlos. El equipo técnico debe configurar PUBLIC_URL.',
};

export const PROVEEDOR_NAMES: Record<ProviderName, string> = {
  sandbox: 'Mensajes de prueba (sandbox)',
  webhook: 'Puente de mensajería',
  whatsapp: 'WhatsApp',
};

export const JOB_NAMES: Record<string, string> = {
  enviar: 'Mensaje',
  informar_fallo: 'Mensaje que no llegó',
  responder_sandbox: 'Respuesta de prueba',
  whatsapp: 'Lo que escribió un destinatario',
  leer: 'Enlace de mapa',
  expandir: 'Enlace de mapa',
  entregar: 'Aviso',
  entregar_pendientes: 'Avisos de un endpoint',
  avanzar: 'Paso de una simulación',
  hacer: 'Acción sobre varias guías',
  enviar_correo: 'Correo',
};

/** Of a pause by report: the sender runs again, and its account may still fail. */
export const mayNotArrive = (causa: string) =>
  `WhatsApp informó una falla después de aceptar mensajes: salen, pero puede que no lleguen. ${causa}`;

export const QUEUE_NAMES: Record<string, string> = {
  notificaciones: 'Mensajes a destinatarios',
  'notificaciones-prueba': 'Mensajes de guías de prueba',
  entrantes: 'Lo que escriben los destinatarios',
  enlaces: 'Enlaces de mapa que se leen otra vez',
  webhooks: 'Avisos a comercios',
  'webhooks-lentos': 'Avisos a endpoints lentos, reintentos y pruebas',
  simulaciones: 'Mensajeros simulados',
  masivas: 'Acciones sobre varias guías',
  correos: 'Correos a comercios',
};
