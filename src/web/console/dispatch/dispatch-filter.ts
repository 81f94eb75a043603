import { isUuid } from '../../../platform/database/row-id.js';
import { FINAL_ESTADOS, GUIA_ESTADOS, type GuiaEstado } from '../../../guias/guia/guia-estado.js';
import { pageIn, type Form } from '../../../platform/http/form-texts.js';
import { parseInstant } from '../../../platform/validation/instant.js';
import { hasForbiddenCharacter, normalizeText } from '../../../platform/validation/text.js';
import { grouped } from '../../kit/elements.js';

/** States of guides that somebody still has to move. */
export const MOVABLE_ESTADOS = GUIA_ESTADOS.filter((estado) => !FINAL_ESTADOS.includes(estado));

/** The value of the filter `piloto` for guides of nobody. */
export const NADIE = 'ninguno';

/** South, west, north, east; in degrees. */
export type Area = readonly [south: number, west: number, north: number, east: number];

/** Filters of real guides, combined with AND. */
export interface DispatchFilter {
  estados: readonly GuiaEstado[];
  /** Compared without case and accents. */
  municipio?: string | undefined;
  departamento?: string | undefined;
  /** Id of a driver, or `ninguno`. */
  piloto?: string | undefined;
  /** Id of a merchant, its name, or else a part of names. */
  comercio?: string | undefined;
  confirmada?: boolean | undefined;
  /** When it was created, in ms since 1970: the first, and the last. */
  desde?: number | undefined;
  hasta?: number | undefined;
  /** A guide's number or its last digits, a reference, or parts of the recipient's name. */
  q?: string | undefined;
  /** Only guides whose destination is there. */
  area?: Area | undefined;
  /** A filter is none that anything matches, such as a day that does not exist. */
  isVoid?: boolean;
}

export interface View {
  filter: DispatchFilter;
  /** From 1. */
  page: number;
  faults: string[];
}

/** The filters that an address may have, beside the page. */
export const FILTERS = [
  'q',
  'departamento',
  'municipio',
  'estado',
  'piloto',
  'comercio',
  'confirmada',
  'desde',
  'hasta',
  'mapa',
] as const;

/**
 * The filter of an address. Unknown values of a list ask for nothing; with a day that does not exist nothing matches.
 * @param zone IANA time zone of the days.
 */
export function viewOf(query: Form, zone: string): View {
  const { estado, piloto, confirmada, mapa } = query;
  const faults: string[] = [];
  const text = (name: 'municipio' | 'departamento' | 'comercio' | 'q') => {
    const typed = normalizeText(query[name] ?? '')?.slice(0, 120);
    if (typed === undefined || !hasForbiddenCharacter(typed, false)) return typed;
    faults.push('El filtro tiene caracteres que ningún texto tiene: escríbalo otra vez.');
    return undefined;
  };
  const known = MOVABLE_ESTADOS.find((one) => one === estado);
  const day = (name: 'desde' | 'hasta') => {
    const typed = query[name]?.trim() ?? '';
    if (typed === '') return undefined;
    const bound = name === 'desde' ? 'from' : 'until';
    const at = /^\d{4}-\d\d-\d\d$/.test(typed) ? parseInstant(typed, bound, zone) : undefined;
    if (at === undefined) faults.push(`«${typed.slice(0, 40)}» no es una fecha. Escríbala como 2026-11-27.`);
    return at;
  };
  const [desde, hasta] = [day('desde'), day('hasta')];
  if (desde !== undefined && hasta !== undefined && desde > hasta)
    faults.push('La fecha desde es posterior a la fecha hasta: no hay ningún día entre las dos.');
  const filter = {
    estados: known ? [known] : MOVABLE_ESTADOS,
    municipio: text('municipio'),
    departamento: text('departamento'),
    piloto: piloto === NADIE || isUuid(piloto ?? '') ? piloto : undefined,
    comercio: text('comercio'),
    confirmada: confirmada === 'si' ? true : confirmada === 'no' ? false : undefined,
    desde,
    hasta,
    q: text('q'),
    area: areaOf(mapa),
  };
  return {
    filter: { ...filter, isVoid: faults.length > 0 },
    page: pageIn(query),
    faults,
  };
}

/** Of a filter that was chosen; undefined for all states. */
export function chosenEstado({ estados }: DispatchFilter): GuiaEstado | undefined {
  return estados.length === 1 ? estados[0] : undefined;
}

function areaOf(mapa = ''): Area | undefined {
  const numbers = mapa.split(',').map((part) => (/^-?\d{1,3}(\.\d{1,8})?$/.test(part) ? Number(part) : NaN));
  // TypeScript does not infer the four from the length.
  return numbers.length === 4 && numbers.every(Number.isFinite) ? (numbers as unknown as Area) : undefined;
}

/** How many guides match, are listed, and stand on the map. */
export interface Counts {
  total: number;
  cuantas: number;
  enMapa: number;
}

/** Why the map, or the list, has not all guides that match; undefined where both have. */
export function missingText({ total, cuantas, enMapa }: Counts): string | undefined {
  if (total === enMapa) return undefined;
  const unplaced = cuantas - enMapa;
  const none =
    unplaced === 1 ? '1 no tiene un lugar en el mapa' : `${grouped(unplaced)} no tienen un lugar en el mapa`;
  const parts = [
    unplaced > 0 && none,
    total > cuantas &&
      `la lista y el mapa tienen ${grouped(cuantas)}, las sin confirmar y las más nuevas: filtre para ver las demás`,
  ].filter((part) => part !== false);
  return `En el mapa hay ${grouped(enMapa)} de ${grouped(total)}: ${parts.join('; ')}.`;
}
