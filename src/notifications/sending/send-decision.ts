import { OPEN_ESTADOS, type GuiaEstado } from '../../guias/guia-estado.js';
import type { MensajeEstado } from '../messages/mensaje-estado.js';
import type { MensajeTipo } from '../providers/messaging-provider.js';

/** Why a message is not sent, on purpose; the texts are for support. */
export const OMISIONES = {
  confirmada: 'La dirección ya estaba confirmada.',
  cerrada: 'La guía ya no espera una dirección.',
  vencido: 'Pasó el tiempo en que el mensaje tenía sentido.',
  baja: 'El destinatario pidió no recibir mensajes.',
  telefono_cambiado: 'El teléfono de la guía cambió; al nuevo se le envía otro mensaje.',
  limite: 'El número ya recibió el máximo de mensajes de 24 horas.',
} as const;

export type Omision = keyof typeof OMISIONES;

/** What there is to know before a message is sent. */
export interface Situacion {
  tipo: MensajeTipo;
  estado: MensajeEstado;
  proximoEn: Date;
  /** When its state was last set. */
  actualizadoEn: Date;
  /** Whether its time is over: a link's seven days, or the day in which an answer may be given. */
  estaVencido: boolean;
  estaDeBaja: boolean;
  /** Of the guide it is about. */
  guia: {
    estado: GuiaEstado;
    direccionConfirmada: boolean;
    /** Whether its phone was changed after the message was made. */
    hasNewPhone: boolean;
  } | null;
}

export type Decision =
  | { accion: 'enviar' }
  /** There is nothing to do: it was taken, or left out, before. */
  | { accion: 'nada' }
  | { accion: 'omitir'; por: Omision }
  /** Another process is at it, or was until just now. */
  | { accion: 'otro'; ms: number }
  /** A try of before may have reached the provider; its status may still come. */
  | { accion: 'esperar'; ms: number };

/** Milliseconds in which a status may tell what became of a message that left without an answer. */
export const STATUS_WAIT_MS = 90_000;

/** Milliseconds: no try takes longer; whoever claimed it before then is dead. */
const CLAIM_MS = 12_000;

/**
 * Whether to send a message now. It is asked before every try, so that a try too many is harmless.
 * @param isIdempotent whether the provider recognises a repeat.
 */
export function decide(mensaje: Situacion, isIdempotent: boolean, now = Date.now()): Decision {
  const { estado, tipo, guia } = mensaje;
  if (['aceptado', 'entregado', 'leido', 'omitido'].includes(estado)) return { accion: 'nada' };
  const claimLeft = mensaje.actualizadoEn.getTime() + CLAIM_MS - now;
  if (estado === 'enviando' && claimLeft > 0) return { accion: 'otro', ms: claimLeft };
  if (tipo === 'confirmacion_ubicacion') {
    if (guia?.direccionConfirmada) return { accion: 'omitir', por: 'confirmada' };
    if (!guia || !OPEN_ESTADOS.includes(guia.estado)) return { accion: 'omitir', por: 'cerrada' };
    if (guia.hasNewPhone) return { accion: 'omitir', por: 'telefono_cambiado' };
  }
  if (mensaje.estaVencido) return { accion: 'omitir', por: 'vencido' };
  // Its acknowledgement is the last thing someone who opts out gets.
  if (mensaje.estaDeBaja && tipo !== 'baja') return { accion: 'omitir', por: 'baja' };
  if (estado === 'enviando' && !isIdempotent) return { accion: 'esperar', ms: STATUS_WAIT_MS };
  const left = mensaje.proximoEn.getTime() - now;
  if (estado === 'incierto' && left > 0) return { accion: 'esperar', ms: left };
  return { accion: 'enviar' };
}
