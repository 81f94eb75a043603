import type { ComponentChildren } from 'preact';
import { ESTADOS, GUIA_ESTADOS } from '../../../guias/guia-estado.js';
import { inFours } from '../../../guias/guia-digits.js';
import type { GuiaRow } from '../../../guias/guia-row.js';
import { Ago, Badge, grouped, NextPage, Table } from '../../kit/elements.js';
import { renderPage } from '../../kit/page.js';
import { withQuery } from '../../kit/with-query.js';
import type { Refusal } from '../forms/panel-forms.service.js';
import { GuiaLink } from '../pages/guia-link.js';
import { PanelPage } from '../pages/panel-page.js';
import { amountIn, type Visit } from '../visit.js';
import type { GuiasView } from './panel-guias.service.js';

const GUIAS = '/panel/guias';

/** The merchant's guides: all, of a state, or found by a search; a selection of them is printed. */
export function renderGuias(visit: Visit, view: GuiasView, refusal?: Refusal): string {
  const { q, estado, isToday, guias, next, isCut, impresa } = view;
  const own = { q, estado: estado ?? '' };
  return renderPage(
    <PanelPage title={titleOf(view)} visit={visit} part={GUIAS} refusal={refusal}>
      <Search q={q} estado={estado} />
      <p class="row">
        <a href={withQuery(GUIAS, { impresa: 'no' })} aria-current={impresa === 'no' ? 'page' : undefined}>
          Por imprimir
        </a>
        <a href={withQuery(GUIAS, { impresa: 'si' })} aria-current={impresa === 'si' ? 'page' : undefined}>
          Impresas
        </a>
      </p>
      {isToday && (
        <p>
          Las que llegaron hoy a este estado. <a href={withQuery(GUIAS, own)}>Ver todas</a>
        </p>
      )}
      {guias.length === 0 ? (
        <p class="soft">{q === '' ? 'Ninguna.' : 'No se encontró ninguna guía.'}</p>
      ) : (
        <Selection visit={visit} view={view} />
      )}
      {isCut && (
        <p class="soft">
          Se muestran las primeras {grouped(guias.length)}
          {impresa === 'no' ? ': después de imprimirlas vienen las demás.' : impresa ? '.' : ': escriba más.'}
        </p>
      )}
      {next && <NextPage href={withQuery(GUIAS, { ...own, ...next })} />}
    </PanelPage>,
  );
}

function titleOf({ q, estado, impresa }: GuiasView): string {
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
      <button type="submit" class="btn">
        Buscar
      </button>
    </form>
  );
}

function Selection({ visit, view: { guias, printed } }: { visit: Visit; view: GuiasView }) {
  return (
    <form method="post" action="/panel/etiquetas">
      <Table
        label="Guías"
        columns={['Elegir', 'Guía', 'Destinatario', 'Destino', 'Estado', 'Cobro', 'Creada']}
        rows={guias.map((guia) => cellsOf(visit, guia, printed.has(guia.id)))}
        dataOf={(n) => ({ 'data-guia': guias[n]!.guia })}
      />
      <div class="dock">
        <button type="submit" class="btn main">
          Imprimir etiquetas
        </button>
      </div>
    </form>
  );
}

function cellsOf(visit: Visit, guia: GuiaRow, isPrinted: boolean): ComponentChildren[] {
  const { name, tone, isOpen } = ESTADOS[guia.estado];
  return [
    <input
      type="checkbox"
      name="guias"
      value={guia.guia}
      aria-label={`Elegir la guía ${inFours(guia.guia)}`}
    />,
    <GuiaLink guia={guia.guia} />,
    <>
      {guia.destinatario || 'Sin nombre'}
      {guia.external_ref !== null && <span class="soft"> · {guia.external_ref}</span>}
    </>,
    `${guia.municipio}, ${guia.departamento}`,
    <>
      <Badge tone={tone}>{name}</Badge>{' '}
      {isOpen && !guia.direccion_confirmada && <Badge tone="ask">Sin confirmar</Badge>}{' '}
      {isPrinted && <Badge tone="off">Impresa</Badge>}
    </>,
    guia.cod_amount > 0 && <span class="num">{amountIn(visit, guia.cod_amount)}</span>,
    <Ago at={guia.creada_en} zone={visit.zone} />,
  ];
}
