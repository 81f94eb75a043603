import { whatsappProblem } from './whatsapp/whatsapp-errors.js';
import { SANDBOX_PROBLEMS } from './sandbox/sandbox.provider.js';

/** Statuses by which a provider asks for patience; a message fails by them after the last of its tries. */
const PASSING = [408, 425, 429];

/**
 * What kept a message from its recipient, in Spanish for support.
 * @param code as the event of the failure keeps it: Meta's, of a try at the sandbox, `HTTP 422`, or Node's, `ECONNREFUSED`.
 */
export function failureText(code: string): string {
  if (Object.hasOwn(SANDBOX_PROBLEMS, code)) return SANDBOX_PROBLEMS[code as keyof typeof SANDBOX_PROBLEMS];
  const problem = /^\d+$/.test(code) ? whatsappProblem(Number(code)) : undefined;
  if (problem !== undefined) return `${problem} (${code})`;
  const status = /^HTTP (\d{3})$/.exec(code)?.[1];
  if (status !== undefined) return `${httpProblem(Number(status))} (${code})`;
  if (/^[A-Z][A-Z_]+$/.test(code)) return `No se pudo hablar con el proveedor de mensajes (${code})`;
  return `El proveedor no entregó el mensaje (${code})`;
}

function httpProblem(status: number): string {
  if (status >= 500 || PASSING.includes(status)) return 'El proveedor de mensajes tuvo una falla';
  if (status < 400) return 'El proveedor de mensajes redirige a otra dirección';
  return 'El proveedor rechazó el mensaje';
}
