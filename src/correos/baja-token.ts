import { createHmac, timingSafeEqual } from 'node:crypto';

/** Kinds of mails that a merchant can end from a mail. */
export const BAJA_CLASES = ['aviso', 'resumen'] as const;

export type BajaClase = (typeof BAJA_CLASES)[number];

const ID_BYTES = 16;
const MAC_BYTES = 16;

/** The id, the kind and the MAC: 33 bytes. */
const FORM = /^[A-Za-z0-9_-]{44}$/;

/** Whose mails of which kind a link ends. */
export interface Baja {
  comercioId: string;
  clase: BajaClase;
}

/** The secret part of a link that ends a kind of mail for a merchant: 44 characters. Nothing of it is stored. */
export function bajaToken({ comercioId, clase }: Baja, key: Buffer): string {
  const id = Buffer.from(comercioId.replaceAll('-', ''), 'hex');
  return sealed(Buffer.concat([id, Buffer.of(BAJA_CLASES.indexOf(clase))]), key).toString('base64url');
}

/** Checks and reads a token; undefined for a text that is none of ours. */
export function readBajaToken(token: string, key: Buffer): Baja | undefined {
  if (!FORM.test(token)) return undefined;
  const given = Buffer.from(token, 'base64url');
  const body = given.subarray(0, ID_BYTES + 1);
  const clase = BAJA_CLASES[body[ID_BYTES]!];
  if (!timingSafeEqual(given, sealed(body, key)) || clase === undefined) return undefined;
  const hex = body.toString('hex', 0, ID_BYTES);
  return { comercioId: hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5'), clase };
}

function sealed(body: Buffer, key: Buffer): Buffer {
  return Buffer.concat([body, createHmac('sha256', key).update(body).digest().subarray(0, MAC_BYTES)]);
}
