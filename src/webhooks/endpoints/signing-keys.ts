import { createHmac } from 'node:crypto';

/**
 * An endpoint's signing key: 32 bytes derived from APP_SECRET, so that it is not stored in the database.
 * @param secreto number of the secret.
 */
export function signingKeyOf(webhookId: string, secreto: number, root: Buffer): Buffer {
  return createHmac('sha256', root).update(`${webhookId}.${secreto}`).digest();
}

/** The keys that sign now: the current one and, while a secret is being rotated, the previous one. */
export function signingKeys(
  webhook: { id: string; secreto: number; secreto_anterior_hasta: Date | null },
  root: Buffer,
  now = new Date(),
): Buffer[] {
  const { id, secreto, secreto_anterior_hasta: until } = webhook;
  const isRotating = secreto > 1 && until !== null && until > now;
  return (isRotating ? [secreto, secreto - 1] : [secreto]).map((number) => signingKeyOf(id, number, root));
}
