import { MAX_OF_FILTER, TAMANO_NAMES } from '../../../etiquetas/etiqueta.dto.js';
import { TAMANOS } from '../../../etiquetas/sheets.js';
import { MAX } from '../../../guias/guia/limits.js';
import type { ComponentChildren } from 'preact';
import {
  ADVERTENCIA_CODES,
  ADVERTENCIAS,
  type GuiaAdvertencia,
} from '../../../guias/guia/guia-advertencia.js';
import { ESTADOS, GUIA_ESTADOS } from '../../../guias/guia/guia-estado.js';
import { SHORT_MOTIVOS } from '../../../guias/guia/guia-motivo.js';
import { inFours } from '../../../guias/guia/guia-digits.js';
import type { GuiaRow } from '../../../guias/guia/guia-row.js';
import { capitalised } from '../../../platform/validation/text.js';
import { EstadoBadge, GuiaNumber } from '../../kit/guia.js';
import { atMost, Badge, grouped, NavLinks, NextPage, Table } from '../../kit/elements.js';
import { Field, type TypedForm } from '../../kit/field.js';
import { Icon } from '../../kit/icon.js';
import { Hidden } from '../../kit/post-form.js';
import { renderPage } from '../../kit/page.js';
import { withQuery } from '../../kit/with-query.js';
import type { Refusal } from '../forms/panel-forms.service.js';
import { PanelPage } from '../pages/panel-page.js';
import { amountIn, type Visit } from '../visit.js';
import { MAX_COUNTED, type GuiaMarks } from './panel-guias.queries.js';
import { TABS, type GuiasView } from './panel-guias.service.js';

const GUIAS = '/panel/guias';

/** The merchant's guides: all, of a state, or found by a search; a selection of them is printed. */
export function renderGuias(visit: Visit, view: GuiasView, refusal?: Refusal): string {
  const { q, estado, typed, counts, isToday, guias, next, isCut, isCapped, impresa } = view;
  const own = { q, ...typed.fields };
  const toPickUp = counts.get('aceptado') ?? 0;
  const isFiltered = Object.keys(typed.fields).some((name) => name !== 'estado');
  const links: [path: string, name: ComponentChildren][] = [
    [GUIAS, 'Todas'],
    ...TABS.map(([one, name]): [string, ComponentChildren] => [
      withQuery(GUIAS, { estado: one }),
      <>
        {name} <b>{atMost(counts.get(one) ?? 0, MAX_COUNTED)}</b>
      </>,
    ]),
    [withQuery(GUIAS, { impresa: 'no' }), 'Por imprimir'],
    [withQuery(GUIAS, { impresa: 'si' }), 'Impresas'],
  ];
  return renderPage(
    <PanelPage
      title={titleOf(view)}
      visit={visit}
      part={GUIAS}
      isWide
      refusal={refusal ?? (typed.faults.length > 0 ? { ...typed, notice: '' } : undefined)}
      aside={<Search q={q} />}
    >
      <NavLinks
        label="Estado"
        links={links}
        current={
          q === '' && !isFiltered
            ? withQuery(GUIAS, impresa ? { impresa } : { estado: estado ?? '' })
            : undefined
        }
      />
      <Filter typed={typed} />
      {isToday && (
        <p>
          {estado === undefined ? 'Las que esperan algo de usted.' : 'Las que llegaron hoy a este estado.'}{' '}
          <a href={withQuery(GUIAS, own)}>Ver todas</a>
        </p>
      )}
      {guias.length === 0 ? (
        <p class="empty" data-total="0">
          {typed.faults.length > 0
            ? 'Corrija el filtro marcado.'
            : q === '' && !isFiltered
              ? 'Ninguna.'
              : isCapped
                ? 'Entre las primeras que se encontraron no hay ninguna: escriba más.'
                : 'No se encontró ninguna guía.'}
        </p>
      ) : (
        <Selection visit={visit} view={view} filter={own} refusal={refusal} />
      )}
      {isCut && (
        <p class="soft">
          Se muestran las primeras {grouped(guias.length)}
          {impresa === 'no' ? ': después de imprimirlas vienen las demás.' : impresa ? '.' : ': escriba más.'}
        </p>
      )}
      {guias.length > 0 && q === '' && !impresa && !isToday && (
        <a class="end" href={withQuery(`${GUIAS}/csv`, own)}>
          Descargar CSV
        </a>
      )}
      <NextPage
        path={GUIAS}
        query={isToday ? { ...own, hoy: 'si' } : own}
        cursor={next}
        name={isToday ? 'pagina' : 'cursor'}
      />
      {(guias.length > 0 || toPickUp > 0) && (
        <div class="dock">
          <span class="grow">
            {guias.length > 0 && <span data-elegidas>Elija las que quiere imprimir.</span>}{' '}
            <MoreThanPrinted count={toPickUp} of="por recoger" />
          </span>
          {guias.length > 0 && (
            <button type="submit" class="btn" form="lista">
              Sus etiquetas
            </button>
          )}
          <PrintToday count={toPickUp} look="btn main" form={guias.length > 0 ? 'lista' : undefined} />
        </div>
      )}
    </PanelPage>,
  );
}

function titleOf({ q, estado, impresa }: GuiasView): string {
  if (impresa !== undefined) return impresa === 'si' ? 'Etiquetas impresas' : 'Etiquetas por imprimir';
  if (q !== '') return 'Resultados';
  return estado === undefined ? 'Guías' : `Guías: ${ESTADOS[estado].name.toLowerCase()}`;
}

/** Posted, so that no phone stands in an address. */
export function Search({ q = '' }: { q?: string }) {
  return (
    <form class="search" role="search" method="post" action={GUIAS}>
      <Icon name="search" />
      <input
        type="search"
        name="q"
        value={q}
        maxLength={120}
        aria-label="Buscar nombre, guía, teléfono, pedido o lugar"
        placeholder="Nombre, guía, teléfono, pedido o lugar"
      />
    </form>
  );
}

const TAMANO_OPTIONS = TAMANOS.map((one) => [one, TAMANO_NAMES[one]] as const);

const ESTADO_OPTIONS = GUIA_ESTADOS.map((one) => [one, ESTADOS[one].name] as const);

const ADVERTENCIA_OPTIONS = ADVERTENCIA_CODES.flatMap((code) => {
  const { name, short = capitalised(name), merchant } = ADVERTENCIAS[code];
  return merchant === undefined ? [] : [[code, short] as const];
});

function Filter({ typed }: { typed: TypedForm }) {
  const chosen = Object.keys(typed.fields).length;
  return (
    <details class="wide stack" open={typed.faults.length > 0}>
      <summary class="btn small">
        <Icon name="menu" />
        Filtrar{chosen > 0 && (chosen === 1 ? ': 1 puesto' : `: ${chosen} puestos`)}
      </summary>
      <form class="row" method="get" action={GUIAS}>
        <Field
          label="Estado"
          name="estado"
          typed={typed}
          options={[['', 'Todos los estados'], ...ESTADO_OPTIONS]}
        />
        <Field
          label="Qué pasa"
          name="advertencia"
          typed={typed}
          options={[['', 'Todo'], ...ADVERTENCIA_OPTIONS]}
        />
        <Field
          label="Su puerta"
          name="confirmada"
          typed={typed}
          options={[
            ['', 'Confirmada o no'],
            ['si', 'Confirmada'],
            ['no', 'Sin confirmar'],
          ]}
        />
        <Field label="Municipio" name="municipio" typed={typed} maxLength={MAX.nombre} />
        <Field label="Desde" name="desde" type="date" typed={typed} />
        <Field label="Hasta" name="hasta" type="date" typed={typed} />
        <button type="submit" class="btn">
          Filtrar
        </button>
        {chosen > 0 && <a href={GUIAS}>{chosen === 1 ? 'Quitarlo' : `Quitar los ${chosen}`}</a>}
      </form>
    </details>
  );
}

/** Said before the press: a PDF of a filter has its first guides. @param of names the guides. */
export function MoreThanPrinted({ count, of }: { count: number; of: string }) {
  if (count <= MAX_OF_FILTER) return null;
  return (
    <span class="soft t2">
      Son {atMost(count, MAX_COUNTED)} {of}: en un PDF salen las primeras {MAX_OF_FILTER}. Para las demás,
      filtre por día.
    </span>
  );
}

interface PrintTodayProps {
  /** `MAX_COUNTED` + 1 at most. */
  count: number;
  look: string;
  /** Id of the page's form that prints, with the size; default: one of its own. */
  form?: string | undefined;
}

/** Prints the labels of all guides that wait to be picked up. */
export function PrintToday({ count, look, form = 'de-hoy' }: PrintTodayProps) {
  if (count === 0) return null;
  return (
    <>
      {form === 'de-hoy' && <form method="post" action="/panel/etiquetas" id={form} hidden />}
      <button type="submit" class={look} form={form} name="todas" value="hoy">
        <Icon name="print" />
        Etiquetas de hoy ({Math.min(count, MAX_OF_FILTER)})
      </button>
    </>
  );
}

interface SelectionProps {
  visit: Visit;
  view: GuiasView;
  /** The filters, by their names in an address. */
  filter: Record<string, string>;
  refusal: Refusal | undefined;
}

function Selection({ visit, view, filter, refusal }: SelectionProps) {
  const { guias, marks, total, isCapped, impresa, isToday, tamano } = view;
  const shown = { ...filter, ...(impresa && { impresa }), ...(isToday && { hoy: 'si' }) };
  return (
    <form method="post" action="/panel/etiquetas" class="card" id="lista">
      <div class="row">
        <b class="grow" data-total={Math.min(total, MAX_COUNTED)}>
          {isCapped && 'Al menos '}
          {total === 1 ? '1 guía' : `${atMost(total, MAX_COUNTED)} guías`}
        </b>
        <span hidden>
          <label class="row">
            <input type="checkbox" data-todas /> Elegir todas
          </label>
        </span>
      </div>
      <div class="row">
        <Field label="Tamaño" name="tamano" value={tamano} typed={refusal} options={TAMANO_OPTIONS} />
        <Hidden fields={shown} />
        <button type="submit" class="btn" name="todas" value="si">
          <Icon name="print" />
          {total > MAX_OF_FILTER || isCapped
            ? `Las primeras ${Math.min(total, MAX_OF_FILTER)} que coinciden`
            : `Todas las que coinciden (${total})`}
        </button>
        <MoreThanPrinted count={total} of="las que coinciden" />
      </div>
      <Table
        label="Guías"
        columns={['Para', 'Cómo va', 'Lugar', ['Por cobrar', 'sum']]}
        rows={guias.map((guia) => cellsOf(visit, guia, marks.get(guia.id)))}
        dataOf={(n) => ({ 'data-guia': guias[n]!.guia })}
        pick={{ of: (n) => <Pick guia={guias[n]!} /> }}
      />
    </form>
  );
}

const recipientOf = ({ destinatario }: GuiaRow): string => destinatario || 'Sin nombre';

function Pick({ guia }: { guia: GuiaRow }) {
  const name = `Elegir ${inFours(guia.guia)}, ${recipientOf(guia)}`;
  return (
    <label>
      <input type="checkbox" name="guias" value={guia.guia} aria-label={name} />
    </label>
  );
}

function Standing({ guia, marks }: { guia: GuiaRow; marks: GuiaMarks | undefined }) {
  const { estado } = guia;
  const warned = (codigo: GuiaAdvertencia) => marks?.advertencias.includes(codigo);
  if (warned('destinatario_no_recibio'))
    return (
      <Badge tone="bad" icon="alert">
        {ADVERTENCIAS.destinatario_no_recibio.short}
      </Badge>
    );
  const isUnconfirmed = ESTADOS[estado].isOpen && estado !== 'intento_fallido' && !guia.direccion_confirmada;
  const isUnreached = warned('mensaje_fallido');
  const reason = marks?.motivo ? SHORT_MOTIVOS[marks.motivo] : undefined;
  return (
    <>
      {/* What is to be done says more than that it has just begun. */}
      {(!isUnconfirmed || estado !== 'aceptado') && <EstadoBadge estado={estado} text={reason} />}{' '}
      {isUnconfirmed && (
        <Badge tone={isUnreached ? 'care' : 'ask'} icon={isUnreached ? 'phone' : 'pin'}>
          {isUnreached ? ADVERTENCIAS.mensaje_fallido.short : 'Sin confirmar'}
        </Badge>
      )}
    </>
  );
}

function cellsOf(visit: Visit, guia: GuiaRow, marks: GuiaMarks | undefined): ComponentChildren[] {
  return [
    <>
      <a href={`${GUIAS}/${guia.guia}`}>
        <b>{recipientOf(guia)}</b>
      </a>
      <br />
      <span class="t2 soft">
        <GuiaNumber guia={guia.guia} />{' '}
        {guia.external_ref !== null && <span class="whole">· {guia.external_ref}</span>}
      </span>
    </>,
    <>
      <Standing guia={guia} marks={marks} /> {marks?.impresa && <Badge tone="off">Impresa</Badge>}
    </>,
    <span class="t2">{guia.municipio}</span>,
    guia.cod_amount > 0 ? (
      <span class="num">{amountIn(visit, guia.cod_amount)}</span>
    ) : (
      <span class="num soft">Sin cobro</span>
    ),
  ];
}
