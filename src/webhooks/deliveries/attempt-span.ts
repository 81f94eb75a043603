import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { inSpan } from '../../platform/tracing/spans.js';
import { parseUrl } from '../../platform/config/parse-url.js';
import type { DueRow } from './deliveries.queries.js';
import type { DeliveryOutcome } from './delivery.client.js';

/**
 * The span of one attempt. It has only the host of the merchant's URL, because path and query may hold a secret. The request
 * has no `traceparent`: merchants are other companies, whose systems have no part in our traces.
 */
export function inAttemptSpan(
  webhookId: string,
  { mensaje_id, url, evento, intentos }: DueRow,
  attempt: () => Promise<DeliveryOutcome>,
): Promise<DeliveryOutcome> {
  const attributes = {
    'http.request.method': 'POST',
    'server.address': parseUrl(url)?.hostname,
    'guias.webhook': webhookId,
    'guias.webhook.message': mensaje_id,
    'guias.try': intentos + 1,
  };
  return inSpan(`deliver ${evento}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    const outcome = await attempt();
    const { ok, status, code } = outcome;
    span.setAttributes({ 'http.response.status_code': status ?? undefined, 'error.type': code ?? undefined });
    if (!ok) span.setStatus({ code: SpanStatusCode.ERROR });
    return outcome;
  });
}
