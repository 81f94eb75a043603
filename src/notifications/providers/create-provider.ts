import type { Config } from '../../platform/config/env.js';
import type { MessagingProvider } from './messaging-provider.js';
import { SandboxProvider } from './sandbox/sandbox.provider.js';
import { WebhookProvider } from './webhook/webhook.provider.js';
import { WhatsappProvider } from './whatsapp/whatsapp.provider.js';

/** The provider chosen by MESSAGING_PROVIDER; its other variables were validated at start. */
export function createProvider({ messagingProvider, messagingWebhook, whatsapp }: Config): MessagingProvider {
  switch (messagingProvider) {
    case 'sandbox':
      return new SandboxProvider();
    case 'webhook':
      return new WebhookProvider(messagingWebhook!);
    case 'whatsapp':
      return new WhatsappProvider(whatsapp!);
  }
}
