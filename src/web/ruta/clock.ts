/** When things happened that were done without the service, whatever the phone's clock says. */

import type { Reloj } from './phone-data.js';

/** Milliseconds by which two contacts of a slow network may differ about a clock that nobody has changed. */
const CLOCK_NOISE_MS = 30_000;

interface Timed {
  evento: { ocurrido_en: string };
  reloj?: Reloj;
}

/** The next contact. */
interface Contact {
  desfase: number;
  /** ms of the service's clock. */
  now: number;
  /** ms of the service's clock of the action before it. */
  before?: number | undefined;
}

/**
 * When an action happened, in ms of the service's clock, as the next contact tells: the phone's clock may have been changed
 * since the contact before it. `reloj` is what was known when it happened: `desfase` (the service's clock minus the phone's
 * at the last contact, by which `ocurrido_en` was made), `contacto` (ms of the service's clock at that contact), and `marca`
 * (ms since then that surely have passed: the page's own clock stands still while the phone sleeps, and begins anew with
 * each load). Of the times by the two offsets the one counts that is nearer to what is possible; if both are possible, that
 * of the offset then.
 */
export function happenedAt({ evento, reloj }: Timed, { desfase, now, before = -Infinity }: Contact): number {
  const then = Date.parse(evento.ocurrido_en);
  if (!reloj || Math.abs(desfase - reloj.desfase) <= CLOCK_NOISE_MS) return then;
  const changed = then - reloj.desfase + desfase;
  const from = Math.max(reloj.contacto + reloj.marca, Math.min(before, now));
  const distance = (at: number) => Math.max(from - at, at - now, 0);
  return distance(changed) < distance(then) ? changed : then;
}

/** A driver's actions in order, each with the time at which it happened; those without `reloj` have it already. */
export function dated<T extends Timed>(acciones: readonly T[], desfase: number, now: number): T[] {
  let before: number | undefined;
  return acciones.map((accion) => {
    const { reloj, ...rest } = accion;
    if (!reloj) return accion;
    before = happenedAt(accion, { desfase, now, before });
    return { ...(rest as T), evento: { ...accion.evento, ocurrido_en: new Date(before).toISOString() } };
  });
}
