import { ADVERTENCIAS, type Attendant, type GuiaAdvertencia } from '../../../guias/guia/guia-advertencia.js';
import type { MasivaAccion } from '../../../support/bulk/masiva.entity.js';
import { claseOf, type CausaGroup, type Clase } from '../../../support/causes/causes.queries.js';
import { counted, grouped } from '../../kit/elements.js';
import { advertenciaText } from '../texts.js';

/** The action for all guides of a class, and its button for one guide and for many. */
export const MAIN: Record<Clase, { accion: MasivaAccion; one: string; many: string } | undefined> = {
  mensajes: { accion: 'reenviar', one: 'Reenviar este', many: 'Reenviar estos' },
  'sin-confirmar': { accion: 'pedir', one: 'Pedir de nuevo a esta', many: 'Pedir de nuevo a estas' },
  intentos: { accion: 'pedir', one: 'Pedir cómo llegar a esta', many: 'Pedir cómo llegar a estas' },
  advertencias: undefined,
};

const ATTENDANT_NAMES: Record<Attendant, string> = {
  soporte: 'Le toca a soporte.',
  comercio: 'Le toca al comercio: avísele.',
};

const OF_BOTH = 'Les toca a soporte y al comercio, que también la ve.';

/** Comes before all other causes. */
export const NOT_RECEIVED: GuiaAdvertencia = 'destinatario_no_recibio';

/** The groups of a cause, of all merchants that have it. */
export interface Cause {
  clave: string;
  clase: Clase;
  causa: string | null;
  groups: CausaGroup[];
  guias: number;
}

/** Puts the groups of each cause together, those with most guides first. */
export function causesOf(groups: CausaGroup[]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const group of groups) {
    const { clave, causa } = group;
    const cause = causes.get(clave) ?? { clave, clase: claseOf(clave)!, causa, groups: [], guias: 0 };
    cause.groups.push(group);
    cause.guias += group.guias;
    causes.set(clave, cause);
  }
  return [...causes.values()].sort(
    (a, b) => Number(b.causa === NOT_RECEIVED) - Number(a.causa === NOT_RECEIVED) || b.guias - a.guias,
  );
}

export function causeTitle({ clase, causa }: Pick<Cause, 'clase' | 'causa'>): string {
  switch (clase) {
    case 'mensajes':
      return causa === null || causa === '' ? 'El mensaje falló' : causa;
    case 'sin-confirmar':
      return 'Sin confirmar más de 24 horas';
    case 'intentos':
      return 'Intentos fallidos sin respuesta';
    case 'advertencias':
      return Object.hasOwn(ADVERTENCIAS, causa!) ? advertenciaText(causa as GuiaAdvertencia) : causa!;
  }
}

/** The title after the number of guides. */
export function countedTitle(cause: Cause): string {
  const { clase, guias } = cause;
  if (clase === 'sin-confirmar') return `${grouped(guias)} sin confirmar más de 24 horas`;
  if (clase !== 'intentos') return `${counted(guias, 'guía')} · ${causeTitle(cause)}`;
  return guias === 1
    ? '1 intento fallido sin respuesta'
    : `${grouped(guias)} intentos fallidos sin respuesta`;
}

/** Why, and what becomes of it. */
export function explanationOf({ clase, causa }: Cause): string {
  switch (clase) {
    case 'mensajes':
      return 'El mensaje falló, y todavía hace falta.';
    case 'sin-confirmar':
      return 'El destinatario no ha marcado su puerta. Las que se piden otra vez vuelven aquí un día después.';
    case 'intentos':
      return 'El destinatario no ha respondido, y no se le ha preguntado desde el intento.';
    case 'advertencias': {
      const { attendants } = ADVERTENCIAS[causa as GuiaAdvertencia];
      const whose =
        attendants.length === 2 ? OF_BOTH : attendants.map((one) => ATTENDANT_NAMES[one]).join('');
      return `${whose} Con una nota sale de la lista, hasta que la guía vuelva a cambiar.`;
    }
  }
}
