import type { CountryCode } from 'libphonenumber-js';
import { readMapLinkIn } from '../../../locations/map-link.js';
import { foldName } from '../../../platform/validation/text.js';
import { isKnownPhone, toE164 } from '../../../platform/validation/phone.js';
import type { PlacesByKey } from '../../../locations/places/places.js';
import { placeKey } from '../../../locations/places/place-key.js';
import type { Texts } from '../ajustes/panel-ajuste.entity.js';
import { departmentOfCode } from './department-codes.js';
import { guessColumns } from './columns.js';
import { NOTHING_DUE } from './file-item.js';
import { headingKey, kindOf, NAMED } from './headings.js';
import { decidesCharge } from './order-charge.js';
import { isOrderState, yesOrNo } from './order-words.js';

const SAMPLE = 200;

const STATE = /^(?:estado|state|status|estatus|situacion)$/;
const REGION = /^(?:provincia|province|region|departamento|depto|dpto|provincia o estado|provincia\/estado)$/;
const CITY = /^(?:ciudad|city|localidad|town)$/;
const AMOUNT =
  /^(?:cobrar|cobro|por cobrar|cod|cash on delivery|contra entrega|contraentrega|pago|valor|saldo|pendiente)$/;

/** `3B`, `Apto 4`: a home, and no department of a country. */
const HOME = /^(?:(?:apto|apt|depto|dpto|piso|casa|torre|int|of)\.?\s*)?#?\d{1,4}\s?-?[a-z]?$/i;

/** Order numbers: `#1042`, `XKBKNABJK`, `PC-2`. */
const CODE = /^#?(?=[\w-]*\d|[A-Z]{6,})[A-Z0-9][A-Z0-9_-]{2,30}$/i;

/** Headings of who is no recipient. */
const OTHER_PERSON =
  /\b(?:vendedor|tienda|origen|recogida|recoleccion|retiro|facturacion|piloto|remitente|asesor|usuario|alterno|alternativo|fijo|nit|dpi|id)/;

const isPlace = (places: PlacesByKey, cell: string, isDepartment: boolean) =>
  places.get(placeKey(cell.slice(0, 120)))?.some(({ kind }) => (kind === 'departamento') === isDepartment) ??
  false;

/** The look of cells by their field, and how many of them have to have it. */
const LOOKS: readonly [
  campo: string,
  is: (cell: string, places: PlacesByKey, country: string) => boolean,
  share: number,
][] = [
  ['telefono', (cell, _, country) => isPhone(cell, country), 0.8],
  ['maps_url', (cell) => /^(?:https?:|geo:)/.test(cell) && readMapLinkIn(cell).kind !== 'unreadable', 0.8],
  ['municipio', (cell, places) => isPlace(places, cell, false), 0.8],
  ['departamento', (cell, places) => isPlace(places, cell, true), 0.8],
  [
    'nombre',
    (cell, places) => PERSON.test(cell) && !isPlace(places, cell, false) && !isPlace(places, cell, true),
    0.8,
  ],
];

/** The look of at least half of the cells, where a heading names its field by a word, or a map. */
const LOOKS_OF: Record<string, ((cell: string) => boolean) | undefined> = {
  telefono: (cell) => cell.replace(/\D/g, '').length >= 7,
  cod_amount: (cell) => /\d/.test(cell) || NOTHING_DUE.test(foldName(cell)),
  maps_url: (cell) => ['coordinates', 'short', 'place'].includes(readMapLinkIn(cell).kind),
};

const PERSON = /^\p{Lu}[\p{L}.'’]{1,20}(?: (?:de |la |del )?\p{Lu}[\p{L}.'’]{1,20}){1,3}$/u;

function isPhone(cell: string, country: string): boolean {
  const e164 =
    /\d{7}|\d[\d -]{6}/.test(cell) && cell.length <= 30 ? toE164(cell, country as CountryCode) : undefined;
  return e164 !== undefined && isKnownPhone(e164);
}

/** The field of each column whose heading has two meanings, as its cells tell, by its number from 0. */
export function judgeColumns(
  header: readonly string[],
  rows: readonly { cells: string[] }[],
  places: PlacesByKey,
  country: string,
): Texts {
  const keys = header.map(headingKey);
  const judged: Texts = {};
  const cellsOf = (i: number) =>
    rows.slice(0, SAMPLE).flatMap(({ cells: { [i]: cell } }) => cell?.trim() || []);
  for (const [i, key] of keys.entries()) {
    if (
      ![STATE, REGION, CITY, AMOUNT, /^referencia$|^reference$|^contacto$|^contact$/].some((one) =>
        one.test(key),
      )
    )
      continue;
    const cells = cellsOf(i);
    const campo = cells.length === 0 ? undefined : fieldOf(key, cells);
    if (campo !== undefined) judged[i] = campo;
  }
  for (const [i, campo] of Object.entries(guessColumns(header, {}, judged))) {
    const is = LOOKS_OF[campo];
    const cells = cellsOf(Number(i));
    const key = keys[Number(i)]!;
    if (!is || cells.length === 0 || (campo !== 'maps_url' && NAMED.has(key))) continue;
    if (cells.filter((cell) => is(cell)).length >= cells.length / 2) continue;
    // Words about a place are its landmark.
    const isWords =
      campo === 'maps_url' && /ubicacion/.test(key) && !cells.some((cell) => cell.includes('://'));
    judged[i] = isWords && !keys.includes('referencia') ? 'referencia' : '';
  }
  judgeUnknown();
  return judged;

  /** Columns whose heading says nothing: the fields that are left, each to the first column whose cells are that. */
  function judgeUnknown(): void {
    if (kindOf(header) !== undefined) return;
    const guessed = Object.values(guessColumns(header, {}, judged));
    for (const [campo] of LOOKS) {
      if (guessed.includes(campo)) continue;
      const free = [...header.keys()].filter(
        (i) => !guessed[i] && judged[i] === undefined && looksLike(campo, i),
      );
      // Departments bear the names of their towns: where both have a column, this is the other one.
      const at =
        campo === 'municipio' ? (free.find((i) => !looksLike('departamento', i)) ?? free.at(-1)) : free[0];
      if (at === undefined) continue;
      judged[at] = campo;
      guessed[at] = campo;
    }
  }

  function looksLike(campo: string, i: number): boolean {
    if (decidesCharge(header[i]!) || OTHER_PERSON.test(keys[i]!)) return false;
    const [, is, share] = LOOKS.find(([one]) => one === campo)!;
    const cells = cellsOf(i);
    const count = cells.filter((cell) => is(cell, places, country)).length;
    const isVaried = campo !== 'nombre' || new Set(cells).size > cells.length / 2;
    return cells.length > 0 && count >= share * cells.length && isVaried;
  }

  function fieldOf(key: string, cells: string[]): string | undefined {
    const share = (is: (cell: string) => boolean) => cells.filter(is).length / cells.length;
    const kinds = (cell: string) => places.get(placeKey(cell.slice(0, 120)))?.map(({ kind }) => kind) ?? [];
    const isDepartment = (cell: string) =>
      kinds(cell).includes('departamento') || departmentOfCode(cell, country) !== undefined;
    const isTown = (cell: string) => kinds(cell).some((kind) => kind !== 'departamento');
    const [departments, towns] = [share(isDepartment), share(isTown)];
    if (STATE.test(key)) {
      if (departments >= 0.5) return 'departamento';
      if (places.size > 0 && towns >= 0.5 && !hasTown(key)) return 'municipio';
      return places.size > 0 || share(isOrderState) > 0 ? '' : undefined;
    }
    if (REGION.test(key)) {
      if (departments > 0) return undefined;
      if (towns >= 0.5 && !hasTown(key)) return 'municipio';
      if (share((cell) => HOME.test(cell)) >= 0.5) return 'direccion_2';
      return share(isOrderState) >= 0.5 ? '' : undefined;
    }
    if (CITY.test(key)) {
      const isOther = departments >= 0.5 && keys.some((one) => one === 'municipio' || one === 'muni');
      if (isOther && !keys.some((one) => /^(?:departamento|depto|dpto)$/.test(one))) return 'departamento';
      return share(isOrderState) >= 0.5 && towns === 0 ? '' : undefined;
    }
    if (AMOUNT.test(key))
      return share((cell) => /\d/.test(cell) && yesOrNo(cell) === undefined) > 0 ||
        cells.every((cell) => cell === '0')
        ? undefined
        : '';
    if (/^contact/.test(key))
      return share((cell) => cell.replace(/\D/g, '').length >= 7) >= 0.8 &&
        !keys.some((one) => /^(?:telefono|celular|cel|tel|whatsapp|phone|movil)$/.test(one))
        ? 'telefono'
        : undefined;
    const isOrder = share((cell) => CODE.test(cell)) >= 0.9 && new Set(cells).size === cells.length;
    return isOrder &&
      !keys.some((one) =>
        /^(?:pedido|orden|order|order number|numero de (?:pedido|orden)|external ref)$/.test(one),
      )
      ? 'external_ref'
      : undefined;
  }

  function hasTown(key: string): boolean {
    return keys.some(
      (one) => one !== key && /^(?:municipio|muni|ciudad|city|canton|shipping city|localidad)$/.test(one),
    );
  }
}
