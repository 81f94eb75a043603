/** Why an endpoint gave no answer, by the code of the attempt. */
const NO_ANSWER: Record<string, string> = {
  ETIMEDOUT: 'no respondió a tiempo',
  ECONNECT: 'no se pudo conectar',
  EADDRREFUSED: 'su dirección no está en la internet pública, o su puerto no se permite',
};

/** What an endpoint answered to an attempt, in words. */
export function endpointAnswer({
  estado_http,
  error,
}: {
  estado_http: number | null;
  error: string | null;
}): string {
  if (estado_http !== null) return `HTTP ${estado_http}`;
  if (error === null) return 'sin respuesta';
  return `sin respuesta: ${NO_ANSWER[error] ?? `cerró la conexión, o no respondió en HTTP (${error})`}`;
}
