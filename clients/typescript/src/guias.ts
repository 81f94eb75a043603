import createClient, { defaultPathSerializer } from 'openapi-fetch';
import type { components, paths } from './api.js';
import { exigir, type Api } from './llamadas.js';
import { Operaciones, pruebasOf, webhooksOf } from './operaciones.js';
import { fetchWithRetries, type RetryOptions } from './retries.js';

type Schemas = components['schemas'];

export type Guia = Schemas['GuiaDto'];
export type GuiaDetalle = Schemas['GuiaDelComercioDto'];
export type NuevaGuia = Schemas['CrearGuiaDto'];
export type Evento = Schemas['EventoDto'];
export type Mensaje = Schemas['MensajeDePruebaDto'];
export type Simulacion = Schemas['SimulacionDto'];
/** A guide that was created, now or (with `duplicada`) by an earlier request with its `external_ref`. */
export type GuiaCreada = Schemas['GuiaCreadaDto'] & {
  duplicada?: true;
  /** `cancelada`: the guide of the earlier request is cancelled, and will not be picked up. */
  advertencias: string[];
  /** Fields that the earlier request sent otherwise; the guide has its values. */
  campos_distintos: string[];
};

/** Where the service is, and who asks. */
export interface Opciones extends RetryOptions {
  /** `gk_live_…` or `gk_test_…`. */
  clave: string | undefined;
  /** The service's origin, like `https://guias.example`. */
  url: string | undefined;
}

/** @throws TypeError for no text, or an empty one. */
function required(text: string | undefined, name: string): string {
  const trimmed = text?.trim();
  if (!trimmed) throw new TypeError(`Falta ${name}.`);
  return trimmed;
}

function isUrl(text: string): boolean {
  try {
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}

/** An empty id would lead to another route; a number has lost the zeros that it began with, or digits at its end. */
function pathWithIds(path: string, ids: Record<string, unknown>): string {
  const given = Object.entries(ids);
  if (given.some(([, id]) => typeof id === 'number' || typeof id === 'bigint'))
    throw new TypeError(`El id o número en ${path} es un texto: escríbalo entre comillas.`);
  const texts = given.map(([name, id]) => [name, `${(id as string | undefined) ?? ''}`.trim()] as const);
  if (texts.some(([, id]) => id === '')) throw new TypeError(`Falta el id o número en ${path}.`);
  return defaultPathSerializer(path, Object.fromEntries(texts));
}

/** JSON has no NaN, and would send null in its place: a guide without an amount. */
function refuseNoNumber(name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`\`${name}\` no es un número: ${value}.`);
  return value;
}

/** Whether the service takes it for a reference: blanks alone are none. */
const isReference = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/**
 * A merchant's guides. Every request is repeated where that is safe, as `RetryOptions` say; a repeated `crear` never makes
 * a second guide. An error answer is thrown as `GuiasError`.
 */
export class Guias extends Operaciones {
  readonly api: Api;

  /** Where the service is, without a slash at the end. */
  readonly url: string;

  /** The merchant's webhooks. */
  readonly webhooks: ReturnType<typeof webhooksOf>;

  /** What a developer does with a test key, in place of recipients and couriers. */
  readonly pruebas: ReturnType<typeof pruebasOf>;

  /**
   * Blanks around `clave` and `url`, and a slash after `url`, do not matter.
   * @throws TypeError without `clave` or `url`, which may come from a variable that is not set, and for wrong ones.
   */
  constructor({ clave, url, ...retries }: Opciones) {
    super();
    const origin = required(url, '`url` (GUIAS_URL)').replace(/\/+$/, '');
    if (!/^https?:\/\/./i.test(origin)) throw new TypeError('`url` (GUIAS_URL) empieza con https://');
    if (!isUrl(origin)) throw new TypeError('`url` (GUIAS_URL) no es una dirección.');
    if (/\/api(\/v1)?$/i.test(origin))
      throw new TypeError('`url` (GUIAS_URL) va sin `/api/v1`: el cliente lo agrega.');
    const key = required(clave, '`clave` (GUIAS_CLAVE)');
    if (/[^\x21-\x7e]/.test(key))
      throw new TypeError('`clave` (GUIAS_CLAVE) tiene caracteres que una clave no tiene.');
    this.url = origin;
    this.api = createClient<paths>({
      baseUrl: origin,
      headers: { Authorization: `Bearer ${key}` },
      fetch: fetchWithRetries(retries),
      redirect: 'manual',
      querySerializer: { array: { style: 'form', explode: false } },
      pathSerializer: pathWithIds,
      bodySerializer: (body) => JSON.stringify(body, refuseNoNumber),
    });
    this.webhooks = webhooksOf(this.api);
    this.pruebas = pruebasOf(this.api);
  }

  /**
   * Creates a guide. Without an `external_ref` it gets a random one, by which a repeat is recognised: send your own, so that
   * a repeat by your program is recognised too.
   */
  async crear(guia: NuevaGuia): Promise<GuiaCreada> {
    const header = { 'Idempotency-Key': crypto.randomUUID() };
    const answer = await this.api.POST('/api/v1/guias', { body: guia, params: { header } });
    const listed = (name: string) => answer.response.headers.get(name)?.split(/, */) ?? [];
    return {
      ...exigir(answer),
      advertencias: listed('guias-advertencia'),
      campos_distintos: listed('guias-campos-distintos'),
    };
  }

  /** Creates up to 100 guides of a list, or up to 1,000 of the text of a CSV file. */
  async crearLote(guias: readonly NuevaGuia[] | string): Promise<Schemas['LoteCreadoDto']> {
    if (typeof guias === 'string') {
      const file = { body: guias as never, bodySerializer: String, headers: { 'Content-Type': 'text/csv' } };
      return exigir(await this.api.POST('/api/v1/guias/lote', file));
    }
    // The service does not read the header here: by it `fetchWithRetries` knows that a repeat makes no second guide.
    const isRepeatable = guias.every(({ external_ref }) => isReference(external_ref));
    const headers = isRepeatable ? { 'Idempotency-Key': crypto.randomUUID() } : {};
    return exigir(await this.api.POST('/api/v1/guias/lote', { body: { guias: [...guias] }, headers }));
  }
}
