/** Bytes below which a body stays, as Standard Webhooks recommends. */
const MAX_BYTES = 20_000;

/** A guide as its detail shows it, as far as it matters here; the rest is handed on as it is. */
export interface GuiaMostrada {
  readonly estado: string;
  readonly referencia: string | null;
  readonly notas: string | null;
  readonly recogida: { readonly maps_url: string | null; readonly direccion: string | null };
  readonly destino: { readonly maps_url: string | null };
}

/** What happened to a guide. */
export interface Cambio {
  /** The event's type, like `guia.recogido`. */
  readonly tipo: string;
  readonly en: Date;
  /** Of the guide's events: what was sent later has a higher one. */
  readonly secuencia: number;
  readonly estado: string;
  /** Null where there was none before. */
  readonly estado_anterior: string | null;
  readonly motivo?: string;
  /** What else there is to say of this type. 4,000 bytes of JSON at most, with `motivo`. */
  readonly detalles?: Readonly<Record<string, unknown>>;
}

/** What gives way where a body is too large, together and in this order. */
const RECORTES = [
  // Links of 4,096 characters, up to 16 KiB each; a guide whose other texts the interface took has room enough then.
  ['guia.recogida.maps_url', 'guia.destino.maps_url'],
  // Control characters take six bytes. The interface refuses them, but the database could hold them.
  ['guia.notas', 'guia.referencia', 'guia.recogida.direccion'],
] as const;

type Recorte = (typeof RECORTES)[number][number];

/**
 * The body of a webhook, below 20,000 bytes for every guide that the database can hold. What had to give way for
 * that is null, and `data.recortado` names it; it can be read from the interface.
 */
export function webhookBody(cambio: Cambio, guia: GuiaMostrada): string {
  let body = toJson(cambio, guia, []);
  for (let count = 1; Buffer.byteLength(body) >= MAX_BYTES && count <= RECORTES.length; count++)
    body = toJson(cambio, guia, RECORTES.slice(0, count).flat());
  return body;
}

function toJson(cambio: Cambio, guia: GuiaMostrada, recortes: readonly Recorte[]): string {
  const { tipo, en, secuencia, estado, estado_anterior, motivo, detalles } = cambio;
  const recortado: Recorte[] = [];
  const unless = (path: Recorte, value: string | null) => {
    if (value === null || !recortes.includes(path)) return value;
    recortado.push(path);
    return null;
  };
  const { recogida, destino } = guia;
  const mostrada = {
    ...guia,
    referencia: unless('guia.referencia', guia.referencia),
    notas: unless('guia.notas', guia.notas),
    recogida: {
      ...recogida,
      maps_url: unless('guia.recogida.maps_url', recogida.maps_url),
      direccion: unless('guia.recogida.direccion', recogida.direccion),
    },
    destino: { ...destino, maps_url: unless('guia.destino.maps_url', destino.maps_url) },
  };
  return JSON.stringify({
    type: tipo,
    timestamp: en.toISOString(),
    data: {
      secuencia,
      estado,
      estado_anterior,
      motivo,
      ...detalles,
      ...(recortado.length > 0 && { recortado: recortado.sort() }),
      guia: mostrada,
    },
  });
}
