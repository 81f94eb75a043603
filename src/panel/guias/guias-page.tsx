import type { ComponentChildren } from 'preact';
import { ESTADOS, GUIA_ESTADOS } from '../../guias/guia-estado.js';
import { inFours } from '../../guias/guia-numero.js';
import type { GuiaRow } from '../../guias/guia-row.js';
import { money } from '../../guias/local-format.js';
import { Ago, Badge, grouped } from '../../html/elements.js';
import { renderPage } from '../../html/page.js';
import { withQuery } from '../../html/with-query.js';
import { PanelPage } from '../pages/panel-page.js';
import type { Visit } from '../visit.js';
import type { GuiaView } from './panel-guias.service.js';

const GUIAS = '/panel/guias';

/** The merchant's guides: all, of a state, or found by a search; a selection of them is printed. */
export function renderGuias(visit: Visit, view: GuiaView, fault?: string): string {
  const { q, estado, isToday, guias, next, isCut, impresa } = view;
  const notice = fault === undefined ? undefined : { text: fault, isBad: true };
  const own = { q, estado: estado ?? '' };
  return renderPage(
    <PanelPage title={titleOf(view)} visit={visit} part={GUIAS} notice={notice}>
      <Search q={q} estado={estado} />
      <p class="row">
        <a href={withQuery(GUIAS, { impresa: 'no' })} {...currentIf(impresa === 'no')}>
          Por imprimir
        </a>
        <a href={withQuery(GUIAS, { impresa: 'si' })} {...currentIf(impresa === 'si')}>
          Impresas
        </a>
      </p>
      {isToday && (
        <p>
          Las que llegaron hoy a este estado. <a href={withQuery(GUIAS, own)}>Ver todas</a>
        </p>
      )}
      {guias.length === 0 ? (
        <p class="muted">{q === '' ? 'Ninguna.' : 'No se encontró ninguna guía.'}</p>
      ) : (
        <Selection visit={visit} view={view} />
      )}
      {isCut && <p class="muted">Se muestran las primeras {grouped(guias.length)}: escriba más.</p>}
      {next && (
        <nav aria-label="Páginas">
          <a href={withQuery(GUIAS, { ...own, ...next })}>Siguientes</a>
        </nav>
      )}
    </PanelPage>,
  );
}

const currentIf = (isCurrent: boolean) => (isCurrent ? { 'aria-current': 'page' as const } : {});

function titleOf({ q, estado, impresa }: GuiaView): string {
  if (impresa !== undefined) return impresa === 'si' ? 'Etiquetas impresas' : 'Etiquetas por imprimir';
  if (q !== '') return 'Resultados';
  return estado === undefined ? 'Guías' : `Guías: ${ESTADOS[estado].name.toLowerCase()}`;
}

/** Posted, so that no phone stands in an address. */
export function Search({ q = '', estado }: { q?: string; estado?: string | undefined }) {
  return (
    <form class="search" role="search" method="post" action={GUIAS}>
      <input
        type="search"
        name="q"
        value={q}
        maxLength={120}
        aria-label="Buscar guía, teléfono, nombre o pedido"
        placeholder="Guía, teléfono, nombre o pedido"
      />
      <select name="estado" aria-label="Estado">
        <option value="">Todos los estados</option>
        {GUIA_ESTADOS.map((one) => (
          <option value={one} selected={one === estado}>
            {ESTADOS[one].name}
          </option>
        ))}
      </select>
      <button type="submit">Buscar</button>
    </form>
  );
}

const COLUMNS = ['Elegir', 'Guía', 'Destinatario', 'Destino', 'Estado', 'Cobro', 'Creada'];

function Selection({ visit, view: { guias, printed } }: { visit: Visit; view: GuiaView }) {
  return (
    <form method="post" action="/panel/etiquetas">
      <div class="wide" tabIndex={0} role="region" aria-label="Guías">
        <table>
          <thead>
            <tr>
              {COLUMNS.map((name) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {guias.map((guia) => (
              <tr data-guia={guia.guia}>
                {cellsOf(visit, guia, printed.has(guia.id)).map((cell, n) => (
                  <td data-name={COLUMNS[n]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="dock">
        <button type="submit" class="main">
          Imprimir etiquetas
        </button>
      </div>
    </form>
  );
}

function cellsOf({ merchant, zone }: Visit, guia: GuiaRow, isPrinted: boolean): ComponentChildren[] {
  const { name, tone, isOpen } = ESTADOS[guia.estado];
  return [
    <input
      type="checkbox"
      name="guias"
      value={guia.guia}
      aria-label={`Elegir la guía ${inFours(guia.guia)}`}
    />,
    <a class="num" href={`${GUIAS}/${guia.guia}`}>
      {inFours(guia.guia)}
    </a>,
    <>
      {guia.destinatario || 'Sin nombre'}
      {guia.external_ref !== null && <span class="muted"> · {guia.external_ref}</span>}
    </>,
    `${guia.municipio}, ${guia.departamento}`,
    <>
      <Badge tone={tone}>{name}</Badge>{' '}
      {isOpen && !guia.direccion_confirmada && <Badge tone="ask">Sin confirmar</Badge>}{' '}
      {isPrinted && <Badge tone="off">Impresa</Badge>}
    </>,
    guia.cod_amount > 0 && (
      <span class="num">{money(guia.cod_amount, merchant.currency, merchant.country)}</span>
    ),
    <Ago at={guia.creada_en} zone={zone} />,
  ];
}
