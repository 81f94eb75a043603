import { hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { StartupError } from '../errors/startup-error.js';
import { hasCluster, keepSecret } from './data-dir.js';
import type { Config } from './env.js';
import { APP_SECRET_BYTES } from './variables.js';

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
  readonly pinKey: Buffer;
  /** Key of the MAC in the links to drivers' pages. */
  readonly pilotoLinkKey: Buffer;
  /** Key of the MAC in the links that end a kind of mail. */
  readonly correoBajaKey: Buffer;

  constructor(root: string) {
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', root, '', `guias:${purpose}`, 32));
    this.apiKeyPepper = derive('api-key-pepper');
    this.cursorKey = derive('cursor');
    this.guiaNumeroKey = derive('guia-numero');
    this.confirmationKey = derive('confirmation');
    this.webhookKey = derive('webhook');
    this.phoneKey = derive('telefono');
    this.pinKey = derive('pin-de-entrega');
    this.pilotoLinkKey = derive('enlace-de-piloto');
    this.correoBajaKey = derive('baja-de-correo');
  }
}

/** Compares a caller's text with a secret, in constant time whatever their lengths. */
export function isSameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(secret));
}

/** Name in DATA_DIR. */
const FILE = 'app-secret';

/** Changing APP_SECRET invalidates these. */
const COST = 'all API keys, links and webhook secrets';

/**
 * APP_SECRET, or the one generated into DATA_DIR on the first start in embedded mode. Call it before the database is
 * opened: a cluster without a secret is taken for one whose secret was lost.
 * @throws StartupError when the stored secret was lost or damaged.
 */
export function loadSecrets({ appSecret, dataDir }: Config): Secrets {
  return new Secrets(appSecret ?? keptSecret(dataDir));
}

function keptSecret(dataDir: string): string {
  const file = join(dataDir, FILE);
  const isNeeded = hasCluster(dataDir);
  const secret = keepSecret(dataDir, FILE, () => {
    if (isNeeded) throw lost(`${file} is missing or empty`);
    return randomBytes(48).toString('base64url');
  });
  if (Buffer.byteLength(secret) < APP_SECRET_BYTES)
    throw lost(`${file} has fewer than ${APP_SECRET_BYTES} bytes`);
  return secret;
}

function lost(what: string): StartupError {
  return new StartupError(
    `DATA_DIR: ${what}; put it back from the backup, or set APP_SECRET to a new value to give up ${COST}`,
  );
}
