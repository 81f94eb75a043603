import type { Accion, Datos } from '../phone-data.js';
import type { Vista } from '../vista.js';
import type { Contacto, Store } from './store.js';

/** Milliseconds by which the two clocks may part while nobody changes one. */
const DRIFT = 2_000;

/** The token of the link. */
export const enlace = location.pathname.split('/')[2] ?? '';

/** The store, as it was last read. */
export const stored: {
  store: Store | null;
  piloto: string | null;
  datos: Datos | null;
  acciones: Accion[];
} = { store: null, piloto: null, datos: null, acciones: [] };

/** Touches, and the phone's own words. */
export const ui: Omit<Vista, 'datos' | 'acciones' | 'ahora' | 'aqui' | 'hora' | 'dia'> = {
  leida: false,
  enLinea: navigator.onLine,
  seguro: window.isSecureContext,
  esApple: /iPhone|iPad|iPod/.test(navigator.userAgent),
  falla: null,
  sinPin: false,
  preguntado: null,
  novedad: [],
  fuera: [],
  escaneadas: [],
  aviso: null,
  busqueda: null,
  camara: undefined,
  puedeUbicar: false,
  perdida: null,
};

/** The clock of this load of the page, in milliseconds: nobody changes it, but it stands still while the phone sleeps. */
const ownClock = () => performance.timeOrigin + performance.now();

/** Milliseconds: the service's clock minus the phone's, and the phone's time of the last contact. */
const contact: Contacto = { desfase: 0, contacto: 0 };

/** `ownClock` when this load of the page knew of the last contact. */
let marca = 0;

/** Whether the page was seen and had a network ever since the last contact. */
let isInContact = false;

export const lastContact = (): Contacto => ({ ...contact });

/** The service's clock, in milliseconds. */
export const ahora = () => Date.now() + contact.desfase;

/** The phone's time of one of the service's. */
export const onPhone = (iso: string) => new Date(Date.parse(iso) - contact.desfase);

/** Whether the offset is surely still that of the last contact. */
export const isClockSure = () =>
  isInContact && Math.abs(Date.now() - contact.contacto - (ownClock() - marca)) < DRIFT;

/** The time now by all clocks, for `happenedAt`. */
export const reloj = () => ({
  desfase: contact.desfase,
  contacto: contact.contacto + contact.desfase,
  marca: Math.round(ownClock() - marca),
});

/** The service has just said its time. @param desfase undefined: it is as it was. */
export function meet(desfase?: number): void {
  if (desfase !== undefined) contact.desfase = desfase;
  contact.contacto = Date.now();
  marca = ownClock();
  isInContact = true;
}

/** Nothing is known of the phone's clock from now on. */
export function loseContact(): void {
  isInContact = false;
}

/** The page is an old one: there was no contact. */
export function forgetContact(): void {
  contact.contacto = 0;
  isInContact = false;
}

/** A contact of another tab, or of an earlier load: all that is known of it is that it was before now. */
export function takeContact(of: Contacto): void {
  if (contact.contacto && !(of.contacto + of.desfase > contact.contacto + contact.desfase)) return;
  Object.assign(contact, { contacto: of.contacto, desfase: of.desfase ?? contact.desfase });
  marca = ownClock();
  isInContact = false;
}
