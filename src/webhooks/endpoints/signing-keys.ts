import { createHmac } from 'node:crypto';

/**
 * The key that an endpoint's deliveries are signed with: 32 bytes, derived from APP_SECRET, so that nobody finds it
 * in the database. Another number is another secret.
 */
export function webhookKeyOf(webhookId: string, secreto: number, root: Buffer): Buffer {
  return createHmac('sha256', root).update(`${webhookId}.${secreto}`).digest();
}

/** The keys that sign now: its own, and the one before while that is being replaced. */
export function signingKeys(
  webhook: { id: string; secreto: number; secreto_anterior_hasta: Date | null },
  root: Buffer,
  now = new Date(),
): Buffer[] {
  const { id, secreto, secreto_anterior_hasta: until } = webhook;
  const isReplacing = secreto > 1 && until !== null && until > now;
  return (isReplacing ? [secreto, secreto - 1] : [secreto]).map((number) => webhookKeyOf(id, number, root));
}
