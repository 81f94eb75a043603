import { GIVE_UP_DAYS } from './delivery-schedule.js';
import type { DeliveryOutcome } from './delivery.client.js';
import type { DesactivadoPor } from '../endpoints/webhook.entity.js';

/** Why an endpoint is disabled. */
export const DISABLED: Record<DesactivadoPor, string> = {
  comercio: 'El webhook está desactivado.',
  operador: 'El webhook está desactivado.',
  respuesta_410: 'El webhook quedó desactivado.',
  cinco_dias_de_fallas: `Tras ${GIVE_UP_DAYS} días de fallas el webhook quedó desactivado.`,
};

/** Why no attempt was made. */
export const NOT_SENT = 'El webhook está desactivado. Actívelo y reenvíe la entrega.';

/** Why a delivery fails whose attempt cannot be recorded. */
export const NOT_RECORDED = 'Una falla interna impidió guardar el resultado. Si no le llegó, reenvíela.';

/** Why an attempt that was cut short is repeated. */
export const CUT_SHORT = 'El endpoint no respondió enseguida: se le envía otra vez y se le espera más.';

/** For an endpoint's owner and support: why an attempt failed and what to do. Never contains the URL or the response. */
export function failureOf({ status, error, gone }: DeliveryOutcome): string {
  if (gone) return 'El endpoint respondió 410: no quiere más avisos.';
  if (status !== null) {
    if (status >= 300 && status <= 399)
      return `El endpoint redirige a otra dirección (${status}) y las redirecciones no se siguen. Ponga la definitiva en el webhook.`;
    return `El endpoint respondió ${status}; se esperaba 2xx. Revise su registro.`;
  }
  return silenceOf(error!).long;
}

/** Why an endpoint gave no response: `short` beside other attempts, `long` as a cause, with what to do. */
interface Silence {
  short: string;
  long: string;
}

const SILENCES: Record<string, Silence> = {
  ETIMEDOUT: {
    short: 'no respondió a tiempo',
    long: 'El endpoint no respondió en 15 segundos. Responda primero y procese después.',
  },
  EADDRREFUSED: {
    short: 'su dirección no está en la internet pública, o su puerto no se permite',
    long: 'La dirección del webhook no está en la internet pública o su puerto no se permite, y ahí no se envía nada. Corrija la dirección.',
  },
  ECONNECT: {
    short: 'no se pudo conectar',
    long: 'No se pudo conectar con el endpoint. Revise que esté en línea y que su nombre y su certificado sean válidos.',
  },
};

/** @param error of an attempt. */
export function silenceOf(error: string): Silence {
  return (
    SILENCES[error] ?? {
      short: `cerró la conexión, o no respondió en HTTP (${error})`,
      long: `El endpoint cerró la conexión o no respondió en HTTP (${error}). Revise su registro.`,
    }
  );
}
