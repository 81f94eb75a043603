import { hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { keepSecret } from './data-dir.js';
import type { Config } from './env.js';

/**
 * The keys derived from APP_SECRET (HKDF-SHA-256), one for each purpose, 32 bytes each. They are
 * derived from the root alone, so every process that has the same APP_SECRET has the same keys.
 */
export class Secrets {
  /** Key of the HMAC that is stored of an API key. */
  readonly apiKeyPepper: Buffer;
  /** Signs list cursors. */
  readonly cursorKey: Buffer;
  /** Chooses the permutation behind guide numbers. */
  readonly guiaNumeroKey: Buffer;
  /** Makes the tokens in recipients' links. */
  readonly confirmationKey: Buffer;
  /** Makes the secrets that merchants' webhooks are signed with. */
  readonly webhookKey: Buffer;
  /** Key of the HMAC under which messages to a phone are counted. */
  readonly phoneKey: Buffer;

  constructor(root: string) {
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', root, '', `guias:${purpose}`, 32));
    this.apiKeyPepper = derive('api-key-pepper');
    this.cursorKey = derive('cursor');
    this.guiaNumeroKey = derive('guia-numero');
    this.confirmationKey = derive('confirmation');
    this.webhookKey = derive('webhook');
    this.phoneKey = derive('telefono');
  }
}

/** Compares what a caller sent with a secret, in constant time whatever their lengths. */
export function isSameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(secret));
}

/** APP_SECRET, or the one generated into DATA_DIR on the first start in embedded mode. */
export function loadSecrets(config: Config): Secrets {
  return new Secrets(
    config.appSecret ?? keepSecret(config.dataDir, 'app-secret', () => randomBytes(48).toString('base64url')),
  );
}
