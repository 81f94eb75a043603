/** How recipients are messaged: kept and not sent, by a bridge of the operator's own, or by WhatsApp's Cloud API. */
export const MESSAGING_PROVIDERS = ['sandbox', 'webhook', 'whatsapp'] as const;

export type ProviderName = (typeof MESSAGING_PROVIDERS)[number];
