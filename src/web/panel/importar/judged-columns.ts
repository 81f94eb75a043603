import type { PlacesByKey } from '../../../locations/places/places.js';
import { placeKey } from '../../../locations/places/place-key.js';
import type { Texts } from '../ajustes/panel-ajuste.entity.js';
import { departmentOfCode } from './department-codes.js';
import { headingKey } from './headings.js';
import { isOrderState, yesOrNo } from './order-words.js';

/** Cells of a column that are looked at. */
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

/**
 * The field of each column whose heading has two meanings, by its number from 0, as its cells tell; empty where they are of no
 * field.
 */
export function judgeColumns(
  header: readonly string[],
  rows: readonly { cells: string[] }[],
  places: PlacesByKey,
  country: string,
): Texts {
  const keys = header.map(headingKey);
  const judged: Texts = {};
  for (const [i, key] of keys.entries()) {
    if (
      ![STATE, REGION, CITY, AMOUNT, /^referencia$|^reference$|^contacto$|^contact$/].some((one) =>
        one.test(key),
      )
    )
      continue;
    const cells = rows.slice(0, SAMPLE).flatMap(({ cells: { [i]: cell } }) => cell?.trim() || []);
    const campo = cells.length === 0 ? undefined : fieldOf(key, cells);
    if (campo !== undefined) judged[i] = campo;
  }
  return judged;

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
