import type { GuiaAdvertencia } from '../../guias/guia/guia-advertencia.js';
import { OPEN_ESTADOS } from '../../guias/guia/guia-estado.js';
import type { MensajeRow } from './messages.queries.js';

interface OmisionDefinition {
  /** For support. */
  name: string;
  /** The warning that a guide gets if its recipient was not asked for this reason. */
  advertencia?: GuiaAdvertencia;
}

const DEFINITIONS = {
  confirmada: { name: 'La dirección ya estaba confirmada.' },
  cerrada: { name: 'La guía ya no espera una dirección.' },
  fuera_de_ruta: { name: 'La guía no va en camino.' },
  sin_pin: { name: 'El comercio ya no entrega con PIN.' },
  sin_plantilla: { name: 'WhatsApp no tiene plantilla para el PIN: falta WHATSAPP_PIN_TEMPLATE.' },
  vencido: { name: 'Pasó el tiempo en que el mensaje tenía sentido.' },
  baja: { name: 'El destinatario pidió no recibir mensajes.', advertencia: 'mensaje_omitido_baja' },
  niega: { name: 'El destinatario dijo que el paquete no es suyo.' },
  telefono_cambiado: { name: 'El teléfono de la guía cambió; al nuevo se le envía otro mensaje.' },
  reemplazado: {
    name: 'Al destinatario ya se le envió, o está por salir, un mensaje más nuevo de esta guía.',
  },
  limite: {
    name: 'El número ya recibió el máximo de mensajes de 24 horas.',
    advertencia: 'mensaje_omitido_limite',
  },
} as const satisfies Record<string, OmisionDefinition>;

export type Omision = keyof typeof DEFINITIONS;

/** Why a message is deliberately not sent: the one list of reasons. */
export const OMISIONES: Readonly<Record<Omision, OmisionDefinition>> = DEFINITIONS;

export type DecisiveColumns = Pick<
  MensajeRow,
  | 'tipo'
  | 'estado'
  | 'reclamo_ms'
  | 'falta_ms'
  | 'vencido'
  | 'de_baja'
  | 'telefono_cambiado'
  | 'niega'
  | 'guia_estado'
  | 'con_pin'
  | 'direccion_confirmada'
>;

type Decision =
  | { action: 'send' }
  /** It was accepted or omitted before. */
  | { action: 'none' }
  /** It has failed for good, and no person has retried it. */
  | { action: 'fail' }
  | { action: 'omit'; reason: Omision }
  /** Another process has claimed it; the claim expires after `ms`. */
  | { action: 'yield'; ms: number }
  /** An earlier attempt may have reached the provider, whose status may still arrive. */
  | { action: 'wait'; ms: number };

/** ms to wait for a status after a request without a response. */
export const STATUS_WAIT_MS = 90_000;

/**
 * Whether to send a message now. Called before every try, so an unneeded job does nothing.
 * @param isIdempotent whether the provider recognises a repeat.
 * @param wasCutOff whether an earlier run of the job was cut off, maybe after it had recorded that the message failed.
 */
export function decide(mensaje: DecisiveColumns, isIdempotent: boolean, wasCutOff = false): Decision {
  const { estado, tipo, reclamo_ms, falta_ms } = mensaje;
  if (['aceptado', 'entregado', 'leido', 'omitido'].includes(estado)) return { action: 'none' };
  if (estado === 'enviando' && reclamo_ms > 0) return { action: 'yield', ms: reclamo_ms };
  const reason = unneededReason(mensaje);
  if (reason) return { action: 'omit', reason };
  if (mensaje.vencido) return { action: 'omit', reason: 'vencido' };
  // The acknowledgement of an opt-out is the last message that person gets.
  if (mensaje.de_baja && tipo !== 'baja') return { action: 'omit', reason: 'baja' };
  if (estado === 'fallido' && wasCutOff) return { action: 'fail' };
  if (estado === 'enviando' && !isIdempotent) return { action: 'wait', ms: STATUS_WAIT_MS };
  if (estado === 'incierto' && falta_ms > 0) return { action: 'wait', ms: falta_ms };
  return { action: 'send' };
}

/** Why its guide no longer needs this message. */
function unneededReason(mensaje: DecisiveColumns): Omision | undefined {
  switch (mensaje.tipo) {
    case 'confirmacion_ubicacion':
      return closedReason(mensaje);
    case 'pin_de_entrega':
      if (mensaje.guia_estado !== 'en_ruta') return 'fuera_de_ruta';
      if (!mensaje.con_pin) return 'sin_pin';
      return mensaje.niega ? 'niega' : undefined;
    default:
      return undefined;
  }
}

function closedReason(mensaje: DecisiveColumns): Omision | undefined {
  const { guia_estado, direccion_confirmada, niega, telefono_cambiado } = mensaje;
  if (direccion_confirmada) return 'confirmada';
  if (!guia_estado || !OPEN_ESTADOS.includes(guia_estado)) return 'cerrada';
  if (telefono_cambiado) return 'telefono_cambiado';
  return niega ? 'niega' : undefined;
}
