import { createHmac } from 'node:crypto';
import type { MensajeRow } from '../messages/messages.queries.js';

/** `huella` of a phone in `cupos_telefono`. @param key `Secrets.phoneKey`. */
export function phoneHash(telefono: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(telefono).digest();
}

/** `huella` of a message's quota: each type that starts a conversation has its own for a number. */
export function quotaHash({ tipo, telefono }: Pick<MensajeRow, 'tipo' | 'telefono'>, key: Buffer): Buffer {
  return phoneHash(tipo === 'confirmacion_ubicacion' ? telefono! : `${tipo} ${telefono}`, key);
}
