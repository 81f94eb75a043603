import type { Config } from './env.js';
import { parseUrl } from './parse-url.js';

/** Variables without which no recipient of a live guide can be asked, with the way to mend each. */
export const GOING_LIVE = {
  MESSAGING_PROVIDER:
    'MESSAGING_PROVIDER is sandbox: no message leaves the service; set webhook or whatsapp (docs/messaging.md)',
  PUBLIC_URL:
    'PUBLIC_URL is on localhost: recipients cannot open their links; set the address that they reach',
} as const;

export type GoingLiveVariable = keyof typeof GOING_LIVE;

/** The variables that a service beyond this machine, or in production, still needs. Empty for a local one. */
export function missingForLive({
  isLocal,
  messagingProvider,
  publicUrl,
}: Pick<Config, 'isLocal' | 'messagingProvider' | 'publicUrl'>): GoingLiveVariable[] {
  if (isLocal) return [];
  return [
    ...(messagingProvider === 'sandbox' ? (['MESSAGING_PROVIDER'] as const) : []),
    // Without it, links are on localhost.
    ...(publicUrl === undefined || isOnLocalhost(publicUrl) ? (['PUBLIC_URL'] as const) : []),
  ];
}

/** Whether only this machine reaches a URL. */
export function isOnLocalhost(url: string): boolean {
  return /^(.*\.)?localhost\.?$|^127(\.\d+){3}$|^0\.0\.0\.0$|^\[::1?\]$/.test(parseUrl(url)?.hostname ?? '');
}
