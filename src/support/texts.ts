/* Names that only support reads. A code's other names stand in its own table, like `guias/guia-estado.ts`. */

import type { GoingLiveVariable } from '../config/going-live.js';
import type { ProviderName } from '../config/messaging-providers.js';
import { ADVERTENCIAS, type GuiaAdvertencia } from '../guias/guia-advertencia.js';
import type { EditableCampo } from '../guias/changes/editable-fields.js';
import type { Lugar } from '../guias/guia-row.js';

/** A name from a table of codes, at the beginning of a line. */
export const capitalised = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** A warning, with advice for support. */
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

/** The way by which a recipient's answer came. */
export const ORIGEN_NAMES: Record<string, string> = {
  pagina: 'en la página',
  whatsapp: 'por WhatsApp',
  sandbox: 'con una respuesta de prueba',
};

/** The place that a map link is of. */
export const LUGAR_NAMES: Record<Lugar, string> = {
  destino: 'del destino',
  recogida: 'del punto de recogida',
};

/** Fields of a guide. */
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

export const PROVEEDOR_NAMES: Record<ProviderName, string> = {
  sandbox: 'Mensajes de prueba (sandbox)',
  webhook: 'Puente de mensajería',
  whatsapp: 'WhatsApp',
};

/** Names of the kinds of jobs on the board. */
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
};

/** Of a pause by report: the sender runs again, and its account may still fail. */
export const mayNotArrive = (causa: string) =>
  `WhatsApp informó una falla después de aceptar mensajes: salen, pero puede que no lleguen. ${causa}`;

/** Names of the queues, after their jobs. */
export const QUEUE_NAMES: Record<string, string> = {
  notificaciones: 'Mensajes a destinatarios',
  'notificaciones-prueba': 'Mensajes de guías de prueba',
  entrantes: 'Lo que escriben los destinatarios',
  enlaces: 'Enlaces de mapa que se leen otra vez',
  webhooks: 'Avisos a comercios',
  'webhooks-lentos': 'Avisos a endpoints lentos, reintentos y pruebas',
  simulaciones: 'Mensajeros simulados',
  masivas: 'Acciones sobre varias guías',
};
