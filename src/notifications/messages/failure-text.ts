import type { EventoTipo } from '../../platform/events/evento-tipo.js';
import { SANDBOX_PROBLEMS } from '../providers/sandbox/sandbox.provider.js';
import { OMISIONES, type Omision } from './send-decision.js';
import { whatsappProblem } from '../providers/whatsapp/whatsapp-errors.js';

/** Why a message was not sent, or did not arrive, by the `motivo` of an event; undefined for events of other kinds. */
export function messageReason(tipo: EventoTipo, motivo: string): string | undefined {
  if (tipo === 'guia.mensaje_fallido') return failureText(motivo);
  return tipo === 'guia.mensaje_omitido' && Object.hasOwn(OMISIONES, motivo)
    ? OMISIONES[motivo as Omision].name
    : undefined;
}

/** Statuses by which a provider asks for patience; a message fails by them after the last of its tries. */
const PASSING = [408, 425, 429];

/**
 * Why a message did not reach its recipient, in Spanish for staff and merchants. Names no provider: the code does not tell it.
 * @param code as the event of the failure keeps it: Meta's, of a try at the sandbox, `HTTP 422`, or Node's, `ECONNREFUSED`.
 */
export function failureText(code: string): string {
  if (Object.hasOwn(SANDBOX_PROBLEMS, code)) return SANDBOX_PROBLEMS[code as keyof typeof SANDBOX_PROBLEMS];
  const problem = /^\d+$/.test(code) ? whatsappProblem(Number(code)) : undefined;
  if (problem !== undefined) return `${problem} (${code})`;
  const status = /^HTTP (\d{3})$/.exec(code)?.[1];
  if (status !== undefined) return `${httpProblem(Number(status))} (${code})`;
  if (/^[A-Z][A-Z_]+$/.test(code)) return `Falló la conexión al enviarlo (${code})`;
  return `El mensaje no se entregó (${code})`;
}

function httpProblem(status: number): string {
  if (status >= 500 || PASSING.includes(status)) return 'Una falla temporal impidió enviarlo';
  if (status < 400) return 'La dirección de envío redirige a otra';
  return 'El mensaje fue rechazado';
}
