import createClient, { type Client } from 'openapi-fetch';
import type { components, operations, paths } from './api.js';
import { GuiasError } from './guias-error.js';
import { fetchWithRetries, type RetryOptions } from './retries.js';

type Schemas = components['schemas'];
type Query<Operation extends keyof operations> = Omit<
  NonNullable<operations[Operation]['parameters']['query']>,
  'cursor'
>;

export type Guia = Schemas['GuiaDto'];
export type GuiaDetalle = Schemas['GuiaDetalleDto'];
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

const GUIAS = '/api/v1/guias';
const GUIA = '/api/v1/guias/{id}';
const PRUEBA = '/api/v1/pruebas/guias/{id}';

/** @throws TypeError for no text, or an empty one. */
function required(text: string | undefined, name: string): string {
  const trimmed = text?.trim();
  if (!trimmed) throw new TypeError(`Falta ${name}.`);
  return trimmed;
}

/** The parameter of a route of one guide. */
const of = (id: string) => ({ path: { id } });

interface Pagina {
  siguiente_cursor: string | null;
}

/** The answer's body. @throws GuiasError for an error answer. */
export function exigir<Data>({ data, error, response }: Answer<Data>): NonNullable<Data> {
  if (!response.ok || !data) throw new GuiasError(response, error);
  return data;
}

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/**
 * A merchant's guides. Every request is repeated where that is safe, as `RetryOptions` say; a repeated `crear` never makes
 * a second guide. An error answer is thrown as `GuiasError`.
 */
export class Guias {
  /** Every route of the API, typed, with the same repeats; its answers are `{ data, error, response }`: see `exigir`. */
  readonly api: Client<paths>;

  /** What a developer does with a test key, in place of recipients and couriers. */
  readonly pruebas: ReturnType<typeof pruebasOf>;

  /**
   * Blanks around `clave` and `url`, and a slash after `url`, do not matter.
   * @throws TypeError without `clave` or `url`, which may come from a variable that is not set.
   */
  constructor({ clave, url, ...retries }: Opciones) {
    const origin = required(url, '`url` (GUIAS_URL)').replace(/\/+$/, '');
    if (!/^https?:\/\/./.test(origin)) throw new TypeError('`url` (GUIAS_URL) empieza con https://');
    this.api = createClient<paths>({
      baseUrl: origin,
      headers: { Authorization: `Bearer ${required(clave, '`clave` (GUIAS_CLAVE)')}` },
      fetch: fetchWithRetries(retries),
      redirect: 'manual',
      querySerializer: { array: { style: 'form', explode: false } },
    });
    this.pruebas = pruebasOf(this.api);
  }

  /**
   * Creates a guide. Without an `external_ref` it gets a random one, by which a repeat is recognised: send your own, so that
   * a repeat by your program is recognised too.
   */
  async crear(guia: NuevaGuia): Promise<GuiaCreada> {
    const header = { 'Idempotency-Key': crypto.randomUUID() };
    const answer = await this.api.POST(GUIAS, { body: guia, params: { header } });
    const listed = (name: string) => answer.response.headers.get(name)?.split(/, */) ?? [];
    return {
      ...exigir(answer),
      advertencias: listed('guias-advertencia'),
      campos_distintos: listed('guias-campos-distintos'),
    };
  }

  /** All guides that match, newest first; pages are read as they are needed. */
  listar(filtros: Query<'listarGuias'> = {}): AsyncGenerator<Guia, void> {
    return each(
      async (cursor) => exigir(await this.api.GET(GUIAS, { params: { query: { ...filtros, ...cursor } } })),
      'guias',
    );
  }

  /** @param guia id or number. */
  async ver(guia: string): Promise<GuiaDetalle> {
    const answer = await this.api.GET(GUIA, { params: of(guia) });
    return exigir(answer).guia;
  }

  async editar(guia: string, cambios: Schemas['EditarGuiaDto']): Promise<GuiaDetalle> {
    return exigir(await this.api.PATCH(GUIA, { params: of(guia), body: cambios })).guia;
  }

  async cancelar(guia: string, nota?: string): Promise<GuiaDetalle> {
    return exigir(await this.api.POST(`${GUIA}/cancelar`, { params: of(guia), body: { nota } })).guia;
  }

  /** What happened to a guide, in order. */
  eventos(guia: string): AsyncGenerator<Evento, void> {
    return each(
      async (cursor) =>
        exigir(
          await this.api.GET(`${GUIA}/eventos`, {
            params: { ...of(guia), query: cursor },
          }),
        ),
      'eventos',
    );
  }
}

/** What a developer does with a test key, in place of recipients and couriers. */
function pruebasOf(api: Client<paths>) {
  return {
    /** What recipients would have got, newest first. */
    mensajes: (filtros: Query<'listarMensajesDePrueba'> = {}): AsyncGenerator<Mensaje, void> =>
      each(
        async (cursor) =>
          exigir(await api.GET('/api/v1/pruebas/mensajes', { params: { query: { ...filtros, ...cursor } } })),
        'mensajes',
      ),

    /** Moves a test guide, as a courier would. */
    mover: async (guia: string, evento: Schemas['RegistrarEventoDto']): Promise<Schemas['RegistroDto']> =>
      exigir(await api.POST(`${PRUEBA}/estado`, { params: of(guia), body: evento })),

    /** Lets a simulated courier walk a test guide through a script. */
    simular: async (
      guia: string,
      guion: Schemas['Guion'],
      opciones: { cada_segundos?: number } = {},
    ): Promise<Simulacion> => {
      const body = { guion, ...opciones };
      return exigir(await api.POST(`${PRUEBA}/simular`, { params: of(guia), body })).simulacion;
    },

    /** The last simulation of a test guide. */
    simulacion: async (guia: string): Promise<Simulacion> =>
      exigir(await api.GET(`${PRUEBA}/simulacion`, { params: of(guia) })).simulacion,
  };
}

/** The items of all pages. @param items name of the page's list. */
async function* each<Name extends string, Item>(
  read: (cursor: { cursor?: string }) => Promise<Pagina & Record<Name, Item[]>>,
  items: Name,
): AsyncGenerator<Item, void> {
  let cursor: string | null | undefined;
  do {
    const page: Pagina & Record<Name, Item[]> = await read(cursor ? { cursor } : {});
    yield* page[items];
    cursor = page.siguiente_cursor;
  } while (cursor);
}
