import { Note } from '../../kit/note.js';
import type { MapTiles } from '../../../config/map-tiles.js';
import { ESTADOS } from '../../../guias/guia-estado.js';
import { MAX_SEARCHED } from '../../../guias/newest-guias.js';
import { inFours } from '../../../guias/guia-digits.js';
import { money } from '../../../guias/local-format.js';
import { renderInTurn } from '../../kit/render-turns.js';
import { withQuery } from '../../kit/with-query.js';
import type { StaffUser } from '../admin-access.js';
import type { Outcome } from '../audit/audit.service.js';
import { Badge, Clave, grouped, NavLinks } from '../../kit/elements.js';
import { GuiaLink } from '../pages/guia-link.js';
import { StaffPage } from '../pages/staff-page.js';
import type { DriverDay } from './closing.service.js';
import { DispatchMap } from './dispatch-map.js';
import { Filters } from './dispatch-filters.js';
import { NADIE, type ListedRow } from './dispatch.queries.js';
import { PAGE, type Board, type View } from './dispatch.service.js';

export const DISPATCH = '/admin/despacho';

/** Drivers whose day stands beside the map. */
const MAX_LISTED = 30;

interface DispatchPageProps extends Board {
  user: StaffUser;
  view: View;
  /** Raw texts of the filters, as they stand in the address. */
  query: Record<string, string>;
  drivers: DriverDay[];
  tiles: MapTiles | null;
  outcome: Outcome | undefined;
  /** What the filter has wrong. */
  wrong: string | undefined;
}

/** Guides that somebody has to move, as a list and on the map: chosen here, assigned and printed. */
export function renderDispatch(props: DispatchPageProps): Promise<string> {
  const { user, view, query, cuantas, sin_confirmar, guias, chosen, unknown, drivers, tiles, outcome } =
    props;
  const isChosen = new Set(chosen.map(({ guia }) => guia));
  const others = guias.filter(({ guia }) => !isChosen.has(guia));
  const active = drivers.filter(({ activo }) => activo);
  return renderInTurn(
    <StaffPage title="Despacho" user={user} part={DISPATCH} script="despacho.js" outcome={outcome}>
      <DispatchTabs part={DISPATCH} />
      <Filters path={DISPATCH} view={view} drivers={active} places={props.lugares} />
      {props.wrong !== undefined && (
        <Note tone="bad" role="alert">
          {props.wrong}
        </Note>
      )}
      {unknown.map((name) => (
        <Note tone="bad" role="alert">
          «{/^\d{12}$/.test(name) ? inFours(name) : name.slice(0, 40)}» no es una guía por mover.
        </Note>
      ))}
      <form method="post" action={withQuery(`${DISPATCH}/asignar`, query)} data-seleccion>
        <Clave />
        <Scan query={query} />
        <div class="split list">
          <section aria-labelledby="por-mover">
            <h2 id="por-mover">
              Por mover ({grouped(props.total)}
              {props.hay_mas && ' o más'})
            </h2>
            {sin_confirmar > 0 && (
              <Note tone="care">
                <b>{grouped(sin_confirmar)} sin confirmar van primero.</b> Llame antes de asignarlas.
              </Note>
            )}
            {guias.length === 0 && props.hay_mas && (
              <Note tone="care">
                Se buscó entre las {grouped(MAX_SEARCHED)} más nuevas: elija también un municipio o un piloto.
              </Note>
            )}
            <List label="Guías por mover" rows={[...chosen, ...others]} isChosen={isChosen} />
            <Pages view={view} query={query} count={cuantas} />
          </section>
          <div>
            <DispatchMap
              tiles={tiles}
              groups={props.grupos}
              linkTo={(mapa) => withQuery(DISPATCH, { ...query, mapa })}
            />
            <Drivers drivers={active} />
          </div>
        </div>
        <Dock total={cuantas} chosen={chosen.length} drivers={active} query={query} />
      </form>
    </StaffPage>,
  );
}

const TABS = [
  [DISPATCH, 'Guías'],
  [`${DISPATCH}/pilotos`, 'Pilotos'],
  [`${DISPATCH}/cierre`, 'Cierre'],
] as const;

/** The pages of the dispatcher. */
export function DispatchTabs({ part }: { part: string }) {
  return <NavLinks label="Despacho" links={TABS} current={part} />;
}

/** Enter here adds a guide: the form's first button. A hand scanner types the number, and Enter. */
function Scan({ query }: { query: Record<string, string> }) {
  return (
    <div class="row" role="group" aria-label="Agregar una guía">
      <label class="field">
        Escanear o escribir una guía{' '}
        <input name="g" inputMode="numeric" autocomplete="off" maxLength={40} data-escanear />
      </label>
      <button type="submit" class="btn" formaction={withQuery(`${DISPATCH}/elegir`, query)}>
        Agregar
      </button>
      <span class="soft" role="status" data-escaneada />
    </div>
  );
}

interface ListProps {
  label: string;
  rows: ListedRow[];
  isChosen: ReadonlySet<string>;
}

function List({ label, rows, isChosen }: ListProps) {
  if (rows.length === 0) return <p class="soft">Ninguna.</p>;
  return (
    <table class="list" aria-label={label}>
      <thead>
        <tr>
          {['Elegir', 'Guía', 'Destino', 'Estado', 'Cobro'].map((name) => (
            <th scope="col">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row row={row} isChosen={isChosen.has(row.guia)} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row, isChosen }: { row: ListedRow; isChosen: boolean }) {
  const { guia, estado, destinatario, direccion, referencia, municipio, departamento, piloto } = row;
  const { cod_amount, moneda, pais } = row;
  return (
    <tr data-guia={guia} data-estado={estado} data-confirmada={row.direccion_confirmada ? 'si' : 'no'}>
      <td data-name="Elegir">
        <input
          type="checkbox"
          name="guias"
          value={guia}
          checked={isChosen}
          aria-label={`Elegir ${inFours(guia)}`}
        />
      </td>
      <td data-name="Guía">
        <GuiaLink guia={guia} />
        <div class="soft t2">{row.comercio}</div>
      </td>
      <td data-name="Destino">
        {!row.direccion_confirmada && (
          <>
            <Badge tone="care">Sin confirmar</Badge>{' '}
          </>
        )}
        <b>{municipio}</b>, {departamento}
        <div class="t2">
          {destinatario === '' ? null : `${destinatario}. `}
          {direccion}
        </div>
        {referencia !== null && <div class="soft t2">{referencia}</div>}
      </td>
      <td data-name="Estado">
        <Badge tone={ESTADOS[estado].tone}>{ESTADOS[estado].name}</Badge>
        <div class="soft t2">{piloto ?? 'Sin piloto'}</div>
      </td>
      <td data-name="Cobro" class="num">
        {Number(cod_amount) > 0 ? money(cod_amount, moneda, pais) : 'Sin cobro'}
      </td>
    </tr>
  );
}

function Pages({ view, query, count }: { view: View; query: Record<string, string>; count: number }) {
  const { page } = view;
  const last = Math.max(1, Math.ceil(count / PAGE));
  if (last === 1) return null;
  const to = (pagina: number) => withQuery(DISPATCH, { ...query, pagina: String(pagina) });
  return (
    <nav aria-label="Páginas">
      {page > 1 && <a href={to(page - 1)}>Anteriores</a>}
      <span class="soft">
        Página {page} de {last}
      </span>
      {page < last && <a href={to(page + 1)}>Siguientes</a>}
    </nav>
  );
}

function Drivers({ drivers }: { drivers: DriverDay[] }) {
  if (drivers.length === 0)
    return (
      <Note tone="off">
        Todavía no hay pilotos. <a href={`${DISPATCH}/pilotos`}>Cree el primero</a>.
      </Note>
    );
  return (
    <section class="card stack">
      <h2>Pilotos hoy</h2>
      <ul class="items">
        {drivers.slice(0, MAX_LISTED).map(({ id, nombre, abiertas, entregadas, lleva }) => (
          <li data-piloto={id}>
            <a href={`${DISPATCH}/pilotos/${id}`}>{nombre}</a>
            <div class="soft t2">
              {grouped(abiertas)} por entregar · {grouped(entregadas)} entregadas
              {lleva.map(({ texto }) => ` · lleva ${texto}`)}
            </div>
          </li>
        ))}
      </ul>
      {drivers.length > MAX_LISTED && (
        <p>
          <a href={`${DISPATCH}/pilotos`}>Todos los pilotos ({grouped(drivers.length)})</a>
        </p>
      )}
    </section>
  );
}

interface DockProps {
  /** Guides that match, and that "all" means. */
  total: number;
  chosen: number;
  drivers: DriverDay[];
  query: Record<string, string>;
}

/** What is done with the selection. */
function Dock({ total, chosen, drivers, query }: DockProps) {
  return (
    <div class="dock" role="group" aria-label="Qué hacer con las elegidas">
      <b data-elegidas>{chosen} elegidas</b>
      <label class="row">
        <input type="checkbox" name="todas" value="si" /> Todas las {grouped(total)} que coinciden
      </label>
      <label class="field">
        Asignar a{' '}
        <select name="piloto">
          <option value="">Elija</option>
          {drivers.map(({ id, nombre, abiertas }) => (
            <option value={id}>
              {nombre} ({grouped(abiertas)})
            </option>
          ))}
          <option value={NADIE}>Nadie: quitar el piloto</option>
        </select>
      </label>
      <button type="submit" class="btn main">
        Asignar
      </button>
      <button type="submit" class="btn" formaction={withQuery(`${DISPATCH}/etiquetas`, query)}>
        Imprimir etiquetas
      </button>
    </div>
  );
}
