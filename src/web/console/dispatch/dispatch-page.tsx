import { EstadoBadge } from '../../kit/guia.js';
import { Note } from '../../kit/note.js';
import type { MapTiles } from '../../../platform/config/map-tiles.js';
import { MAX_SEARCHED } from '../../../guias/guia/newest-guias.js';
import { inFours } from '../../../guias/guia/guia-digits.js';
import { money } from '../../../guias/guia/local-format.js';
import { renderInTurn } from '../../kit/render-turns.js';
import { withQuery } from '../../kit/with-query.js';
import type { StaffUser } from '../admin-access.js';
import type { Outcome } from '../audit/audit.service.js';
import { Badge, grouped, Pages, Table } from '../../kit/elements.js';
import { PostForm } from '../../kit/post-form.js';
import { Icon } from '../../kit/icon.js';
import { initialsOf } from '../../kit/initials.js';
import { GuiaLink } from '../pages/guia-link.js';
import { StaffPage } from '../pages/staff-page.js';
import { carriedText, isOwed } from './carried.js';
import type { DriverDay } from './closing.service.js';
import { Signal } from './driver-signal.js';
import { DispatchMap, placedIn } from './dispatch-map.js';
import { Filters } from './dispatch-filters.js';
import { missingText, NADIE, type View } from './dispatch-filter.js';
import type { ListedRow } from './dispatch.queries.js';
import { PAGE, type Board } from './dispatch.service.js';

export const DISPATCH = '/admin/despacho' as const;
export const DRIVERS = `${DISPATCH}/pilotos`;

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
  wrong: string[];
}

/** Guides that somebody has to move, as a list and on the map: chosen here, assigned and printed. */
export function renderDispatch(props: DispatchPageProps): Promise<string> {
  const { user, view, query, cuantas, sin_confirmar, guias, chosen, unknown, drivers, tiles, outcome } =
    props;
  const isChosen = new Set(chosen.map(({ guia }) => guia));
  const listed = [...chosen, ...guias.filter(({ guia }) => !isChosen.has(guia))];
  const pages = Math.ceil(cuantas / PAGE);
  const active = drivers.filter(({ activo }) => activo);
  const missing = missingText({ total: props.total, cuantas, enMapa: placedIn(props.grupos) });
  return renderInTurn(
    <StaffPage title="Despacho" user={user} part={DISPATCH} script="despacho.js" outcome={outcome}>
      <Filters
        path={DISPATCH}
        view={view}
        query={query}
        drivers={drivers}
        places={props.lugares}
        shops={props.comercios}
        named={props.tiendas}
      />
      {[...props.wrong, ...unknown.map(unknownText)].map((text) => (
        <Note tone="bad" role="alert">
          {text}
        </Note>
      ))}
      <PostForm action={withQuery(`${DISPATCH}/asignar`, query)} data-seleccion>
        <Scan query={query} />
        <div class="split">
          <section class="card stack" aria-labelledby="por-mover">
            <h2 id="por-mover">
              Por mover (<span data-total={props.total}>{grouped(props.total)}</span>
              {props.hay_mas && ' o más'})
            </h2>
            {sin_confirmar > 0 && (
              <Note tone="care">
                <b>{grouped(sin_confirmar)} sin confirmar van primero.</b> Llame antes de asignarlas.
              </Note>
            )}
            {props.hay_mas && (
              <Note tone="care">
                Son muchas: se buscó entre las {grouped(MAX_SEARCHED)} más nuevas, y puede haber otras. Elija
                también un comercio, un municipio, un piloto o una fecha.
              </Note>
            )}
            {missing !== undefined && <p class="soft">{missing}</p>}
            <Table
              label="Guías por mover"
              columns={['Guía', 'Destino', ['Cobro', 'sum']]}
              empty="Ninguna."
              rows={listed.map(cellsOf)}
              dataOf={(n) => ({
                'data-guia': listed[n]!.guia,
                'data-estado': listed[n]!.estado,
                'data-confirmada': listed[n]!.direccion_confirmada ? 'si' : 'no',
              })}
              pick={{
                all: (
                  <input
                    type="checkbox"
                    name="todas"
                    value="si"
                    aria-label={`Todas las ${grouped(cuantas)} que coinciden`}
                  />
                ),
                of: (n) => (
                  <input
                    type="checkbox"
                    name="guias"
                    value={listed[n]!.guia}
                    checked={isChosen.has(listed[n]!.guia)}
                    aria-label={`Elegir ${inFours(listed[n]!.guia)}`}
                  />
                ),
              }}
            />
            {pages > 1 && (
              <Pages path={DISPATCH} query={query} page={view.page} hasMore={view.page < pages} of={pages} />
            )}
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
        <Dock chosen={chosen.length} drivers={active} query={query} />
      </PostForm>
    </StaffPage>,
  );
}

const unknownText = (name: string) =>
  `«${/^\d{12}$/.test(name) ? inFours(name) : name.slice(0, 40)}» no es una guía por mover.`;

/** Enter here adds a guide: the form's first button. A hand scanner types the number, and Enter. */
function Scan({ query }: { query: Record<string, string> }) {
  return (
    <div class="row" role="group" aria-label="Agregar una guía" data-escaner>
      <div class="search">
        <Icon name="search" />
        <input
          name="escaneo"
          inputMode="numeric"
          autocomplete="off"
          maxLength={40}
          aria-label="Escanear o escribir una guía"
          placeholder="Escanee una etiqueta"
        />
      </div>
      <button type="submit" class="btn" formaction={withQuery(`${DISPATCH}/elegir`, query)}>
        Agregar
      </button>
      <span class="soft" hidden>
        <b class="num" data-escaneadas>
          0
        </b>{' '}
        escaneadas
      </span>
      <span class="vh" role="status" />
      <ol class="scans" aria-label="Lo escaneado" tabIndex={0} hidden />
    </div>
  );
}

function cellsOf(row: ListedRow) {
  const { guia, comercio, estado, destinatario, direccion, referencia, municipio, departamento, piloto } =
    row;
  return [
    <>
      <GuiaLink guia={guia} />
      <div class="t2">{destinatario}</div>
      <div class="soft t2">{comercio}</div>
    </>,
    <>
      {!row.direccion_confirmada && (
        <Badge tone="care" icon="alert">
          Sin confirmar
        </Badge>
      )}{' '}
      {(row.direccion_confirmada || estado !== 'aceptado') && <EstadoBadge estado={estado} />}
      <div>{[direccion, municipio, departamento].filter(Boolean).join(', ')}</div>
      <div class="soft t2">{[referencia, piloto ?? 'Sin piloto'].filter(Boolean).join(' · ')}</div>
    </>,
    Number(row.cod_amount) > 0 ? (
      <span class="num">{money(row.cod_amount, row.moneda, row.pais)}</span>
    ) : (
      <span class="soft num">Sin cobro</span>
    ),
  ];
}

function Drivers({ drivers }: { drivers: DriverDay[] }) {
  if (drivers.length === 0)
    return (
      <Note tone="off">
        Todavía no hay pilotos. <a href={DRIVERS}>Cree el primero</a>.
      </Note>
    );
  return (
    <section class="card" aria-labelledby="pilotos">
      <div class="row">
        <h2 id="pilotos" class="grow">
          Pilotos hoy
        </h2>
        <a class="btn small" href={DRIVERS}>
          <Icon name="plus" />
          Nuevo piloto
        </a>
      </div>
      <ul class="items">
        {drivers.slice(0, MAX_LISTED).map((driver) => (
          <li class="row" data-piloto={driver.id}>
            <span class={driver.con_enlace ? 'disc' : 'disc off'} aria-hidden="true">
              {initialsOf(driver.nombre)}
            </span>
            <span class="grow">
              <b>{driver.nombre}</b>
              <br />
              <span class="soft t2">
                {grouped(driver.abiertas)} por entregar · {grouped(driver.entregadas)} entregadas
                {driver.lleva.map(({ monto, texto }) => (
                  <>
                    {isOwed(monto) ? ' · ' : ' · lleva '}
                    <b class="num">{carriedText(monto, texto)}</b>
                  </>
                ))}
              </span>
            </span>
            <Signal driver={driver} />
            <a class="btn small" href={`${DRIVERS}/${driver.id}`}>
              <Icon name="link" />
              {driver.con_enlace ? 'Enlace' : 'Dar enlace'}
              <span class="vh"> de {driver.nombre}</span>
            </a>
          </li>
        ))}
      </ul>
      {drivers.length > MAX_LISTED && <a href={DRIVERS}>Todos los pilotos ({grouped(drivers.length)})</a>}
    </section>
  );
}

interface DockProps {
  chosen: number;
  drivers: DriverDay[];
  query: Record<string, string>;
}

function Dock({ chosen, drivers, query }: DockProps) {
  return (
    <div class="dock" role="group" aria-label="Qué hacer con las elegidas">
      <b class="grow" data-elegidas>
        {chosen} elegidas
      </b>
      <button type="submit" class="btn small" formaction={withQuery(`${DISPATCH}/registrar`, query)}>
        <Icon name="note" />
        Registrar…
      </button>
      <label class="row">
        Asignar a
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
        <Icon name="person" />
        Asignar
      </button>
      <button type="submit" class="btn" formaction={withQuery(`${DISPATCH}/etiquetas`, query)}>
        <Icon name="print" />
        Imprimir etiquetas
      </button>
    </div>
  );
}
