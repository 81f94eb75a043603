import { silenceOf } from '../../../webhooks/deliveries/delivery-failure.js';

export function endpointAnswer(answer: { estado_http: number | null; error: string | null }): string {
  const { estado_http, error } = answer;
  if (estado_http !== null) return `HTTP ${estado_http}`;
  return error === null ? 'sin respuesta' : `sin respuesta: ${silenceOf(error).short}`;
}
