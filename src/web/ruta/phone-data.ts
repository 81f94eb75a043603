/* What the driver's phone knows, sends and is told. Stored by phones: forms stay. */

import type { GuiaEstado } from '../../guias/guia/guia-estado.js';
import type { Pago } from '../../guias/guia/pago.js';
import type { GuiaDeRuta } from './ruta-guia.js';
import type { Ruta } from './ruta.service.js';

/** Change that an action makes to a guide; a request sends it with its `guia`, `ref` and `ocurrido_en`. */
export interface Cambio {
  estado?: GuiaEstado;
  deshacer?: true;
  motivo?: string;
  cod_cobrado?: number;
  pago?: Pago;
  recibio?: string;
  pin?: string;
  sin_pin?: boolean;
  nota?: string;
  lat?: number;
  lng?: number;
}

/** An action as it is sent. */
export interface Evento extends Cambio {
  guia: string;
  ref: string;
  /** ISO 8601. */
  ocurrido_en: string;
}

export interface Rechazo {
  codigo: string;
  detail: string;
}

/** State of the phone's clock when an action was done; see `happenedAt`. */
export interface Reloj {
  desfase: number;
  contacto: number;
  marca: number;
}

/** An action of the driver on this phone, as it is stored; `n` is its number there. */
export interface Accion {
  n: number;
  piloto: string;
  guia: string;
  evento: Evento;
  /** The state before it. */
  anterior: GuiaEstado;
  /** The collected cash that an undo takes back; null or absent: none. */
  quita?: number | string | null;
  /** Until the next contact; see `happenedAt`. */
  reloj?: Reloj;
  /** Whether it may have reached the service. */
  enviada: boolean;
  rechazo: Rechazo | null;
  /** Whether the driver has read the refusal, which the service does not know yet. */
  entendida?: true;
}

/** The fields whose change a driver is told of. */
export type CampoNuevo = 'notas' | 'referencia' | 'destino' | 'telefono' | 'direccion' | 'nota';

/** A guide as the phone stores it: as the service told it, with the phone's own last move. */
export interface GuiaGuardada extends Omit<GuiaDeRuta, 'cod_cobrado' | 'pago'> {
  cod_cobrado: number | string | null;
  /** Absent in what an earlier page has stored. */
  pago?: Pago | null;
  mio?: { en: string; estado: GuiaEstado; anterior: GuiaEstado } | null;
  /** Former values of what changed since this phone last opened its view; see `changedSince`. */
  antes?: Partial<Record<CampoNuevo, unknown>>;
}

export interface Datos extends Omit<Ruta, 'guias'> {
  guias: GuiaGuardada[];
}

/** A guide as this phone shows it: after what waits. */
export interface GuiaMostrada extends GuiaGuardada {
  cobrado: number | string | null;
  /** How many actions wait for the service. */
  esperan: number;
  rechazo: Rechazo | null | undefined;
  intento: Cambio | undefined;
  /** Whether the last move may be taken back. */
  deshacible: boolean;
  /** From the phone, where both places are known. */
  metros?: number | null;
}

export interface Resultado {
  ok: boolean;
  status: number;
  codigo: string;
  detail: string;
  aplicado: boolean;
  no_aplicado?: string;
  estado: GuiaEstado;
  duplicado?: boolean;
  errores?: { campo: string; codigo: string; mensaje: string }[];
}

export interface Lugar {
  lat: number;
  lng: number;
}
