import { ESTADOS } from '../../../guias/guia/guia-estado.js';
import { isUuid } from '../../../platform/database/row-id.js';
import { grouped } from '../../kit/elements.js';
import { Icon } from '../../kit/icon.js';
import { Field } from '../../kit/field.js';
import { foldName } from '../../../platform/validation/text.js';
import type { DriverDay } from './closing.service.js';
import { chosenEstado, MOVABLE_ESTADOS, NADIE, type View } from './dispatch-filter.js';
import type { PlaceRow } from './dispatch.queries.js';

interface FiltersProps {
  view: View;
  /** Texts of the filters, as they stand in the address. */
  query: Record<string, string>;
  drivers: DriverDay[];
  places: PlaceRow[];
  /** Names of merchants that are offered. */
  shops: string[];
  /** Of the merchants that the filter means. */
  named: string[] | null;
  path: string;
}

export function Filters({ view: { filter }, query, drivers, places, shops, named, path }: FiltersProps) {
  const estado = chosenEstado(filter);
  const { departamento } = filter;
  const chosen = Object.values(query).filter((text) => text !== '').length;
  const inDepartment = places.filter(
    (place) => departamento === undefined || foldName(place.departamento) === foldName(departamento),
  );
  return (
    <details class="wide stack">
      <summary class="btn small">
        <Icon name="menu" />
        Filtrar{chosen > 0 && `: ${chosen}`}
      </summary>
      <form method="get" action={path} class="row" aria-label="Filtros">
        <Field label="Departamento" name="departamento" {...placesIn(places, 'departamento', departamento)} />
        <Field
          label="Municipio"
          name="municipio"
          {...placesIn(inDepartment, 'municipio', filter.municipio)}
        />
        <Field
          label="Estado"
          name="estado"
          value={estado}
          options={[ALL, ...MOVABLE_ESTADOS.map((one) => [one, ESTADOS[one].name] as const)]}
        />
        <Field
          label="Piloto"
          name="piloto"
          value={filter.piloto}
          options={[
            ALL,
            [NADIE, 'Sin piloto'],
            ...drivers
              // Who stopped with guides still has them, until they are given to another.
              .filter(({ id, activo, abiertas }) => activo || abiertas > 0 || id === filter.piloto)
              .map(({ id, nombre }) => [id, nombre] as const),
          ]}
        />
        <Field
          label="Dirección"
          name="confirmada"
          value={query.confirmada}
          options={[
            ['', 'Todas'],
            ['no', 'Sin confirmar'],
            ['si', 'Confirmada'],
          ]}
        />
        <Field
          label="Comercio"
          name="comercio"
          value={isUuid(filter.comercio ?? '') && named?.length === 1 ? named[0] : query.comercio}
          list="comercios"
          maxLength={120}
        />
        <datalist id="comercios">
          {shops.map((nombre) => (
            <option value={nombre} />
          ))}
        </datalist>
        <Field label="Creadas desde" name="desde" type="date" value={query.desde} />
        <Field label="Hasta" name="hasta" type="date" value={query.hasta} />
        <Field label="Guía o nombre" name="q" value={query.q} maxLength={120} />
        <button type="submit" class="btn">
          Ver
        </button>
        {filter.area && <a href={path}>Todo el mapa</a>}
      </form>
    </details>
  );
}

const ALL = ['', 'Todos'] as const;

/** Options of a place, with its guides; the chosen one is among them in any case. */
function placesIn(places: PlaceRow[], part: 'departamento' | 'municipio', chosen: string | undefined) {
  const counts = new Map<string, { name: string; count: number }>();
  for (const place of places) {
    const key = foldName(place[part]);
    const { name = place[part], count = 0 } = counts.get(key) ?? {};
    counts.set(key, { name, count: count + place.guias });
  }
  const key = chosen === undefined ? undefined : foldName(chosen);
  if (key !== undefined && !counts.has(key)) counts.set(key, { name: chosen!, count: 0 });
  const options = [...counts.values()]
    .sort((a, b) => a.name.localeCompare(b.name, 'es'))
    .map(({ name, count }) => [name, `${name} (${grouped(count)})`] as const);
  return { value: key && counts.get(key)!.name, options: [ALL, ...options] };
}
