import { createHmac } from 'node:crypto';

/** `huella` of a phone in `cupos_telefono`. @param key `Secrets.phoneKey`. */
export function phoneHash(telefono: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(telefono).digest();
}
