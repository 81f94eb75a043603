import { SpanKind } from '@opentelemetry/api';
import { inSpan } from '../../platform/tracing/spans.js';
import {
  SendError,
  type Acceptance,
  type MessagingProvider,
  type OutboundMessage,
} from '../providers/messaging-provider.js';

export function sendInSpan(provider: MessagingProvider, message: OutboundMessage): Promise<Acceptance> {
  const attributes = {
    'guias.provider': provider.name,
    'guias.message': message.id,
    'guias.try': message.intentos + 1,
  };
  return inSpan(`send ${message.tipo}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      return await provider.send(message);
    } catch (error) {
      if (error instanceof SendError)
        span.setAttributes({ 'guias.failure': error.kind, 'guias.failure.code': error.code });
      throw error;
    }
  });
}
