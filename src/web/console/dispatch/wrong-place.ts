import { departmentsOf, isUnknownPlace } from '../../../locations/places/places.js';
import { foldName } from '../../../platform/validation/text.js';
import { nearestName } from '../../../platform/validation/nearest-name.js';
import type { DispatchFilter } from './dispatch-filter.js';
import type { PlaceRow } from './dispatch.queries.js';

/**
 * The fault of a filter by place, as a sentence; undefined where some guide is there, or where it is a place of the
 * country's table, which some countries lack.
 * @param places towns with guides.
 */
export function wrongPlace(
  { departamento, municipio }: Pick<DispatchFilter, 'departamento' | 'municipio'>,
  places: readonly Pick<PlaceRow, 'departamento' | 'municipio'>[],
  country: string,
): string | undefined {
  const table = departmentsOf(country);
  const isOneOf = (name: string, names: readonly string[]) =>
    names.some((known) => foldName(known) === foldName(name));
  if (departamento !== undefined) {
    const names = [...table.map(({ nombre }) => nombre), ...places.map((place) => place.departamento)];
    if (!isOneOf(departamento, names))
      return `No hay un departamento «${departamento}».${meant(departamento, names)}`;
  }
  if (municipio === undefined) return undefined;
  const of = <T extends { departamento: string }>(one: T) =>
    departamento === undefined || foldName(one.departamento) === foldName(departamento);
  const own = table
    .map(({ nombre, municipios }) => ({ departamento: nombre, municipios }))
    .filter(of)
    .flatMap(({ municipios }) => municipios);
  const names = [...own, ...places.filter(of).map((place) => place.municipio)];
  const isKnown =
    isOneOf(municipio, names) ||
    (departamento === undefined
      ? table
      : table.filter(({ nombre }) => foldName(nombre) === foldName(departamento))
    ).some(({ nombre }) => !isUnknownPlace(country, { departamento: nombre, municipio }));
  if (isKnown) return undefined;
  const where = departamento === undefined ? '' : ` en ${departamento}`;
  return `No hay un municipio «${municipio}»${where}.${meant(municipio, names)}`;
}

function meant(name: string, names: readonly string[]): string {
  const byKey = new Map(names.map((known) => [foldName(known), known]));
  const near = nearestName(foldName(name), byKey.keys());
  return near === undefined ? ' Elíjalo de la lista.' : ` ¿Quiso decir ${byKey.get(near)!}?`;
}
