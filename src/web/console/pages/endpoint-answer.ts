import { silenceOf } from '../../../webhooks/deliveries/delivery-failure.js';

export function endpointAnswer({
  estado_http,
  error,
}: {
  estado_http: number | null;
  error: string | null;
}): string {
  if (estado_http !== null) return `HTTP ${estado_http}`;
  return error === null ? 'sin respuesta' : `sin respuesta: ${silenceOf(error).short}`;
}
