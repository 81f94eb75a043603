import type { Accion, CampoNuevo, Datos, GuiaMostrada, Lugar } from './phone-data.js';
import type { PERDIDA, Perdida } from './words.js';

/** A field, or all of a form, with what is wrong with it. */
export interface Falla {
  campo?: string;
  texto: string;
}

export interface Busqueda {
  numero?: string;
  busca?: boolean;
  texto?: string | null;
  propias?: GuiaMostrada[];
  libres?: { guia: string; municipio: string }[];
}

/** State of the page. The service draws its first view, the phone all others. */
export interface Vista {
  /** The service's answer; null where nothing is known, or was forgotten. */
  datos: Datos | null;
  /** Whether what the phone stores was read. */
  leida: boolean;
  acciones: readonly Accion[];
  /** ms of the service's clock. */
  ahora: number;
  aqui: Lugar | null;
  /** Local times. */
  hora: (iso: string) => string;
  dia: string;
  enLinea: boolean;
  /** The number of the open guide. */
  abierta?: string;
  /** Whether the page has https; undefined on the server. */
  seguro?: boolean;
  /** Whether it is drawn on an iPhone, which knows no `geo:`. */
  esApple?: boolean;
  falla?: Falla | null;
  sinPin?: boolean;
  /** The amount, other than the due one, that the open guide's form has asked about. */
  preguntado?: number | null;
  /** News of the open guide. */
  novedad?: readonly CampoNuevo[];
  /** The guides of the open list, as it was opened; those without a tick; those that were scanned, in order. */
  lista?: readonly string[] | undefined;
  fuera?: readonly string[];
  escaneadas?: readonly string[];
  /** Result of the last scan, where it counted nothing. */
  lectura?: string | null;
  aviso?: string | null;
  busqueda?: Busqueda | null;
  /** Whether the camera is on; undefined without one. */
  camara?: boolean | undefined;
  puedeUbicar?: boolean;
  perdida?: (typeof PERDIDA)[Perdida] | null;
}
