import type { ComponentChildren } from 'preact';
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
        <Choice label="Departamento" name="departamento" all="Todos">
          {countsOf(places, 'departamento', departamento)}
        </Choice>
        <Choice label="Municipio" name="municipio" all="Todos">
          {countsOf(inDepartment, 'municipio', filter.municipio)}
        </Choice>
        <Choice label="Estado" name="estado" all="Todos">
          {MOVABLE_ESTADOS.map((one) => (
            <option value={one} selected={one === estado}>
              {ESTADOS[one].name}
            </option>
          ))}
        </Choice>
        <Choice label="Piloto" name="piloto" all="Todos">
          <option value={NADIE} selected={filter.piloto === NADIE}>
            Sin piloto
          </option>
          {drivers
            .filter(({ id, activo }) => activo || id === filter.piloto)
            .map(({ id, nombre }) => (
              <option value={id} selected={id === filter.piloto}>
                {nombre}
              </option>
            ))}
        </Choice>
        <Choice label="Dirección" name="confirmada" all="Todas">
          <option value="no" selected={filter.confirmada === false}>
            Sin confirmar
          </option>
          <option value="si" selected={filter.confirmada === true}>
            Confirmada
          </option>
        </Choice>
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

/** Options of a place, with its guides; the chosen one is among them in any case. */
function countsOf(places: PlaceRow[], part: 'departamento' | 'municipio', chosen: string | undefined) {
  const counts = new Map<string, { name: string; count: number }>();
  for (const place of places) {
    const key = foldName(place[part]);
    const { name = place[part], count = 0 } = counts.get(key) ?? {};
    counts.set(key, { name, count: count + place.guias });
  }
  const key = chosen === undefined ? undefined : foldName(chosen);
  if (key !== undefined && !counts.has(key)) counts.set(key, { name: chosen!, count: 0 });
  return [...counts]
    .sort(([, a], [, b]) => a.name.localeCompare(b.name, 'es'))
    .map(([own, { name, count }]) => (
      <option value={name} selected={own === key}>
        {name} ({grouped(count)})
      </option>
    ));
}

interface ChoiceProps {
  label: string;
  name: string;
  all: string;
  children: ComponentChildren;
}

function Choice({ label, name, all, children }: ChoiceProps) {
  return (
    <label class="field">
      {label}{' '}
      <select name={name}>
        <option value="">{all}</option>
        {children}
      </select>
    </label>
  );
}
