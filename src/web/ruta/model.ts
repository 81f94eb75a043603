/**
 * The driver's page without a browser, from values alone: the guides as the service last told them, with what was
 * done on this phone since. The service draws the first view by it, too.
 */

import type { GuiaEstado } from '../../guias/guia/guia-estado.js';
import { SIN_TIEMPO } from '../../guias/guia/guia-motivo.js';
import { amountWith } from '../../guias/guia/grouped-amount.js';
import { inCash, PAGOS, USUAL_PAGO } from '../../guias/guia/pago.js';
import { metresBetween } from '../../locations/distance.js';
import type {
  Cambio,
  Evento,
  Rechazo,
  Accion,
  GuiaGuardada,
  Datos,
  GuiaMostrada,
  Resultado,
  Lugar,
} from './phone-data.js';
import type { LlevadoDeRuta } from './ruta-guia.js';
import { changedSince } from './novedades.js';
import { notAppliedText, reasonOf, UNDO_REFUSALS } from './words.js';

/** Milliseconds in which a driver takes back what they did. */
const UNDO_MS = 5 * 60_000;

/** Milliseconds after which an ended guide leaves the phone, and a phone without contact forgets all people. */
export const DAY_MS = 24 * 3_600_000;

/** A driver's actions in each state, as `data-accion` names them. */
export const ACCIONES: Readonly<Partial<Record<GuiaEstado, readonly string[]>>> = {
  aceptado: ['en_camino_a_recoger', 'recogido'],
  en_camino_a_recoger: ['recogido'],
  recogido: ['en_ruta'],
  en_ruta: ['entregado', 'no_se_pudo', 'bodega'],
  intento_fallido: ['en_ruta'],
};

const PENDING: readonly GuiaEstado[] = ['aceptado', 'en_camino_a_recoger', 'recogido', 'en_ruta'];
const FAILED: readonly GuiaEstado[] = ['intento_fallido', 'en_devolucion'];

const isEnded = ({ estado }: { estado: GuiaEstado }) => ![...PENDING, ...FAILED].includes(estado);

export const isPickup = ({ estado }: { estado: GuiaEstado }) =>
  estado === 'aceptado' || estado === 'en_camino_a_recoger';

/** Whether an action is still to be done. */
export const waits = ({ rechazo }: Pick<Accion, 'rechazo'>) => !rechazo;

/** Of what is never due again: the parcel is delivered, or goes to nobody. */
const NOT_DUE: readonly GuiaEstado[] = ['entregado', 'en_devolucion', 'devuelto', 'cancelado', 'extraviado'];

/** Amount due or collected of a guide; null where nothing is to be said, and as amount where there is none. */
export function dueOf({
  estado,
  simbolo,
  cobrar,
  cobrar_escrito,
  cobrado,
  pago,
}: GuiaMostrada): { texto: string; monto: string | null } | null {
  const isKnown = cobrado !== null && cobrado !== undefined;
  if (estado === 'entregado' && isKnown) {
    const how = pago && pago !== USUAL_PAGO ? ` ${PAGOS[pago].toUpperCase()}` : '';
    if (pago === 'directo') return { texto: `PAGADO${how}`, monto: null };
    return { texto: `COBRADO${how}`, monto: moneyText(simbolo, centsOf(cobrado)) };
  }
  if (estado === 'entregado' ? Number(cobrar) > 0 : NOT_DUE.includes(estado)) return null;
  return Number(cobrar) > 0
    ? { texto: 'COBRAR', monto: cobrar_escrito }
    : { texto: 'SIN COBRO', monto: null };
}

type Phone = Pick<GuiaGuardada, 'telefono' | 'telefono_escrito'>;

/**
 * The phone that the driver reaches, with how people write it: before the pick-up the shop's, where it has one. A route that
 * was stored by an earlier page has none.
 */
export function phoneOf(guia: Phone & Pick<GuiaGuardada, 'estado' | 'recogida'>): Phone {
  const { telefono, telefono_escrito } = guia.recogida;
  if (isPickup(guia) && telefono) return { telefono, telefono_escrito: telefono_escrito ?? telefono };
  return { telefono: guia.telefono, telefono_escrito: guia.telefono_escrito };
}

/** The first of what waits, at most so many; of a guide nothing behind an undo, which the service may refuse. */
export function nextBatch(waiting: readonly Accion[], max: number): Accion[] {
  const undone = new Set<string>();
  const sendable = waiting.filter(({ guia, evento }) => {
    if (undone.has(guia)) return false;
    if (evento.deshacer) undone.add(guia);
    return true;
  });
  return sendable.slice(0, max);
}

function estadoAfter({ evento, anterior }: Accion): GuiaEstado {
  return evento.deshacer ? anterior : evento.estado!;
}

/** The guides as this phone knows them. @param now milliseconds of the service's clock. */
export function guiasOf(
  datos: Pick<Datos, 'guias'>,
  acciones: readonly Accion[],
  now: number,
): GuiaMostrada[] {
  const own = new Map<string, Accion[]>();
  for (const accion of acciones) own.set(accion.guia, [...(own.get(accion.guia) ?? []), accion]);
  const guias = datos.guias.map((guia) => shown(guia, own.get(guia.guia) ?? [], now));
  return guias.filter((guia) => {
    const { estado_en, esperan, rechazo } = guia;
    return !isEnded(guia) || esperan > 0 || rechazo || !estado_en || now - Date.parse(estado_en) < DAY_MS;
  });
}

function shown(guia: GuiaGuardada, own: readonly Accion[], now: number): GuiaMostrada {
  const waiting = own.filter(waits);
  const last = waiting.at(-1);
  const refused = own.filter((accion) => !waits(accion)).at(-1);
  const rechazo = refused?.rechazo;
  const at = last ? (last.evento.deshacer ? null : last.evento.ocurrido_en) : guia.mio?.en;
  const isOwn = guia.mio?.estado === guia.estado;
  const mayUndo = last !== undefined || (!UNDO_REFUSALS.includes(rechazo?.codigo ?? '') && isOwn);
  return {
    ...guia,
    estado: last ? estadoAfter(last) : guia.estado,
    estado_en: last?.evento.ocurrido_en ?? guia.estado_en,
    cobrado: last?.evento.cod_cobrado ?? guia.cod_cobrado,
    pago: last?.evento.pago ?? guia.pago ?? null,
    esperan: waiting.length,
    rechazo,
    intento: refused?.evento,
    deshacible: Boolean(at) && now - Date.parse(at!) <= UNDO_MS && mayUndo,
  };
}

export type Rechazada = Accion & { rechazo: Rechazo };

export const isRefused = (accion: Accion): accion is Rechazada => !waits(accion);

/** The guides by section: nearest first where the phone's place is known, else as the service sorts them. */
export function sectionsOf(guias: readonly GuiaMostrada[], here: Lugar | null) {
  const pending = guias
    .filter(({ estado }) => PENDING.includes(estado))
    .map((guia) => ({ ...guia, metros: here ? metresTo(guia, here) : null }));
  if (here) pending.sort((a, b) => (a.metros ?? Infinity) - (b.metros ?? Infinity));
  const done = guias.filter(isEnded);
  done.sort((a, b) => (b.estado_en ?? '').localeCompare(a.estado_en ?? ''));
  return { pending, failed: guias.filter(({ estado }) => FAILED.includes(estado)), done };
}

/** Where the driver goes next with a guide. */
export function placeOf(guia: GuiaGuardada) {
  return isPickup(guia) ? guia.recogida : guia.destino;
}

function metresTo(guia: GuiaGuardada, here: Lugar): number | null {
  const { lat, lng } = placeOf(guia);
  return lat === null || lng === null ? null : metresBetween({ lat, lng }, here);
}

/** `450 m`, `1.2 km`. */
export function distanceText(metros: number): string {
  if (metros < 1_000) return `${Math.round(metros / 10) * 10}\u00a0m`;
  return `${(metros / 1_000).toFixed(metros < 10_000 ? 1 : 0)}\u00a0km`;
}

/** The driver's cash as people read it, by currency; with actions that wait on this phone. */
export function cashOf(datos: Pick<Datos, 'guias' | 'caja'>, acciones: readonly Accion[]): string[] {
  const guias = new Map(datos.guias.map((guia) => [guia.guia, guia]));
  let { caja } = datos;
  for (const accion of acciones.filter(waits)) {
    const guia = guias.get(accion.guia);
    if (guia) caja = added(caja, guia, centsMoved(accion));
  }
  return caja.map(({ simbolo, monto }) => moneyText(simbolo, centsOf(monto)));
}

/** Cents that an action brings to what the driver carries; `quita` is the cash of the delivery that it takes back. */
function centsMoved({ evento, quita }: Accion): number {
  if (evento.deshacer) return -centsOf(quita ?? 0);
  return centsOf(inCash({ ...evento, cod_cobrado: evento.cod_cobrado ?? 0 }));
}

function added(caja: LlevadoDeRuta[], { moneda, simbolo }: GuiaGuardada, cents: number): LlevadoDeRuta[] {
  if (cents === 0) return caja;
  const others = caja.filter((one) => one.moneda !== moneda);
  const before = caja.find((one) => one.moneda === moneda) ?? { simbolo, monto: '0' };
  const monto = ((centsOf(before.monto) + cents) / 100).toFixed(2);
  return [...others, { moneda, simbolo: before.simbolo, monto }];
}

/** Cents of an amount with at most two decimals. */
function centsOf(amount: number | string): number {
  return Math.round(Number(amount) * 100);
}

/** `Q 12,345.60`, as all other pages write it. */
export function moneyText(simbolo: string, cents: number): string {
  return amountWith(simbolo, cents / 100);
}

/** A number, with signs of a currency before or after it. */
const AMOUNT = /^[^\d.,\s-]*\s*(\d+|\d{1,3}(?:[,\s]\d{3})+)(?:[.,](\d{1,2}))?\s*[^\d.,\s-]*$/;

/** A typed amount as a number; undefined for what is none, or more than one: `349.50`, `349,5`, `Q 1,349.50`. */
export function readAmount(text: string): number | undefined {
  const found = AMOUNT.exec(text.trim());
  return found ? Number(`${found[1]!.replace(/\D/g, '')}.${found[2] ?? '0'}`) : undefined;
}

/** How far an amount is from what is due, as a question; undefined where it is that, or was paid to the merchant. */
export function amountQuestion(
  { cobrar, cobrar_escrito, simbolo }: Pick<GuiaGuardada, 'cobrar' | 'cobrar_escrito' | 'simbolo'>,
  { cod_cobrado, pago }: Pick<Cambio, 'cod_cobrado' | 'pago'>,
): { que: string; monto: string } | undefined {
  if (cod_cobrado === undefined || pago === 'directo') return undefined;
  const cents = centsOf(cod_cobrado) - centsOf(cobrar);
  if (cents === 0) return undefined;
  const by = moneyText(simbolo, Math.abs(cents));
  const que = `Son ${by} ${cents > 0 ? 'más' : 'menos'} de lo que hay que cobrar: ${cobrar_escrito}.`;
  return { que, monto: moneyText(simbolo, centsOf(cod_cobrado)) };
}

/** Changes of an action: a parcel that nobody was on the way for gets two states at once. */
export function eventsOf(accion: string, estado: GuiaEstado, fields: Cambio): Cambio[] {
  if (accion === 'recogido' && estado === 'aceptado')
    return [{ estado: 'en_camino_a_recoger' }, { estado: 'recogido', ...fields }];
  if (accion === 'bodega') return [{ estado: 'recogido', motivo: SIN_TIEMPO, ...fields }];
  if (accion === 'no_se_pudo') return [{ estado: 'intento_fallido', ...fields }];
  return [{ estado: accion as GuiaEstado, ...fields }];
}

interface Settled {
  datos: Datos;
  /** Numbers of actions to delete. */
  done: number[];
  refused: [n: number, rechazo: Rechazo][];
  /** Why what waits behind a refused undo is not sent, by guide. */
  held: Map<string, Rechazo>;
  /** Guides with an applied action. */
  settled: Set<string>;
  /** Whether some are to be sent again: what the service could not do it may do later. */
  left: boolean;
}

/** Applies the service's results, one for each action, in the same order. */
export function settle(datos: Datos, acciones: readonly Accion[], resultados: readonly Resultado[]): Settled {
  const guias = new Map(datos.guias.map((guia) => [guia.guia, guia]));
  const result: Settled = { datos, done: [], refused: [], held: new Map(), settled: new Set(), left: false };
  let { caja } = datos;
  for (const [i, accion] of acciones.entries()) {
    const { n, guia, evento } = accion;
    const resultado = resultados[i]!;
    const { ok, status, codigo, aplicado, no_aplicado = 'tarde', estado } = resultado;
    const known = guias.get(guia);
    if (!ok && (status >= 500 || status === 429)) result.left = true;
    else if (!ok) {
      const rechazo = { codigo, detail: reasonOf(resultado) };
      result.refused.push([n, rechazo]);
      if (evento.deshacer) result.held.set(guia, rechazo);
    } else {
      if (known) guias.set(guia, moved(known, evento, estado, aplicado));
      if (known && aplicado && !resultado.duplicado) caja = added(caja, known, centsMoved(accion));
      if (aplicado) {
        result.done.push(n);
        result.settled.add(guia);
      } else result.refused.push([n, { codigo: no_aplicado, detail: notAppliedText(no_aplicado, estado) }]);
    }
  }
  return { ...result, datos: { ...datos, caja, guias: [...guias.values()] } };
}

function moved(guia: GuiaGuardada, evento: Evento, estado: GuiaEstado, aplicado: boolean): GuiaGuardada {
  if (!aplicado) return { ...guia, estado, mio: null };
  if (evento.deshacer) return { ...guia, estado, mio: null, cod_cobrado: null, pago: null };
  return {
    ...guia,
    estado,
    estado_en: evento.ocurrido_en,
    cod_cobrado: evento.cod_cobrado ?? guia.cod_cobrado,
    pago: evento.pago ?? guia.pago ?? null,
    mio: { en: evento.ocurrido_en, estado, anterior: guia.estado },
  };
}

/** The service's newest data, with what this phone knows of its own moves, and of what its driver has seen. */
export function merged(fresh: Datos, known: Datos | null | undefined): Datos {
  const own = new Map((known?.guias ?? []).map((guia) => [guia.guia, guia]));
  const guias = fresh.guias.map((guia) => {
    const before = own.get(guia.guia);
    if (!before) return guia;
    const { mio, estado } = before;
    const antes = changedSince(guia, before);
    return { ...guia, ...(mio && estado === guia.estado && { mio }), ...(antes && { antes }) };
  });
  return { ...fresh, guias };
}
