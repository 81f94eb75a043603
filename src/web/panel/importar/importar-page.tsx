import { MAX_FILAS } from '../../../guias/lote/lote.dto.js';
import { money } from '../../../guias/guia/local-format.js';
import type { Tone } from '../../../guias/guia/tone.js';
import type { MapTiles } from '../../../platform/config/map-tiles.js';
import { counted, grouped, Pages, Table, Tile } from '../../kit/elements.js';
import { Field } from '../../kit/field.js';
import { Icon } from '../../kit/icon.js';
import { Note } from '../../kit/note.js';
import { renderPage } from '../../kit/page.js';
import type { Refusal } from '../forms/panel-forms.service.js';
import { fieldName } from '../../kit/field-names.js';
import { GuiaLink, PanelPage, Steps } from '../pages/panel-page.js';
import { PUNTO_SCRIPT, PuntoFields } from '../recogidas/punto-fields.js';
import type { Visit } from '../visit.js';
import { FIELDS } from './columns.js';
import { NoAmount, Where } from './file-notes.js';
import { decidesCharge } from './order-charge.js';
import { isReady, type Review, type Reviewed } from './importar.service.js';
import { LISTED, UnmadeRows } from './unmade-rows.js';

const IMPORTAR = '/panel/importar';

export const ROWS = 20;

/** Columns of a file for which every field is offered; of larger ones the page would be too large. */
const FEW_COLUMNS = 20;

export function renderUpload(visit: Visit, refusal?: Refusal): string {
  // The faults of a file are of no field.
  const shown = refusal && { ...refusal, notice: refusal.notice || refusal.faults[0]!.mensaje };
  return renderPage(
    <PanelPage title="Importar guías" visit={visit} part={IMPORTAR} refusal={shown} isWide>
      <Steps {...STEPS} current={0} />
      <form method="post" action={IMPORTAR} enctype="multipart/form-data" class="card stack">
        <label class="field">
          Archivo CSV o de Excel (.xlsx)
          <input type="file" name="archivo" accept=".csv,.xlsx,text/csv" required />
        </label>
        <p class="soft">
          Hasta {grouped(MAX_FILAS)} filas y 5 MiB, una por pedido. También la exportación de pedidos de
          Shopify, sin los cancelados. Primero lo revisa; nada se crea todavía. Si empieza de cero, use la{' '}
          <a href={`${IMPORTAR}/plantilla.csv`}>plantilla</a>.
        </p>
        <button type="submit" class="btn main">
          Subir el archivo
        </button>
      </form>
    </PanelPage>,
  );
}

const STEPS = { label: 'Pasos', names: ['Archivo', 'Columnas', 'Revisar', 'Importar'], tone: 'ask' } as const;

interface ReviewPageProps {
  visit: Visit;
  review: Review;
  tiles: MapTiles | null;
  /** Of the refused rows, from 1. */
  page?: number;
  refusal?: Refusal | undefined;
  /** Whether the import is being taken back. */
  isTakenBack?: boolean;
}

/** A file: what its columns are, its refused rows, and the button that imports the others. */
export function renderReview(props: ReviewPageProps): string {
  const { visit, review, tiles, page = 1, refusal, isTakenBack } = props;
  const { archivo, rows, needsPickup, puntos, sinMonto, deshacibles } = review;
  const cancelled = rows.filter(({ cancelado }) => cancelado !== undefined);
  const toMend = rows.filter(({ faults }) => faults.length > 0);
  const done = rows.filter(({ guia, deshecha }) => guia !== undefined && !deshecha);
  const takenBack = rows.filter(({ deshecha }) => deshecha).length;
  const repeated = rows.filter((row) => row.repeated !== undefined);
  const ready = rows.filter(isReady).length;
  const path = `${IMPORTAR}/${archivo.id}`;
  const counts: [tone: Tone, count: number, text: string][] = [
    ['good', ready, 'listas para importar'],
    ['off', repeated.length, 'ya existían o se repiten: no crean otra'],
    ['bad', toMend.length, 'por corregir'],
    ['off', cancelled.length, 'canceladas en el archivo: no se importan'],
    ['way', done.length, 'importadas'],
  ];
  const of = `${archivo.nombre} · ${counted(rows.length, 'fila')}`;
  return renderPage(
    <PanelPage
      title="Importar guías"
      visit={visit}
      part={IMPORTAR}
      refusal={refusal}
      scripts={needsPickup ? [PUNTO_SCRIPT] : []}
      isWide
      aside={
        <>
          <span class="soft">{of}</span>
          <a class="btn small end" href={IMPORTAR}>
            Otro archivo
          </a>
        </>
      }
    >
      <Steps {...STEPS} current={done.length > 0 && ready === 0 ? 3 : 2} />
      <Where archivo={archivo} />
      {takenBack > 0 && (
        <Note tone="good">
          {takenBack === 1
            ? 'Se deshizo la importación: su guía está cancelada.'
            : `Se deshizo la importación: sus ${grouped(takenBack)} guías están canceladas.`}{' '}
          Si vuelve a subir sus pedidos, póngales otro número.
        </Note>
      )}
      {isTakenBack && deshacibles > 0 && (
        <Note tone="care">Se está deshaciendo la importación. Abra la página otra vez en un momento.</Note>
      )}
      <section class="cols" aria-label="Resultado">
        {counts.map(
          ([tone, count, text], n) =>
            // Most files have no cancelled order, and nothing is imported at first.
            (n < 3 || count > 0) && <Tile tone={tone} count={grouped(count)} text={text} />,
        )}
      </section>
      <NoAmount headings={sinMonto} />
      {needsPickup && <Pickup path={path} refusal={refusal} visit={visit} tiles={tiles} />}
      <UnmadeRows rows={rows} />
      <div class="split">
        <Columns review={review} path={path} refusal={refusal} />
        <Refused rows={toMend} path={path} page={page} />
      </div>
      {done.length > 0 && (
        <details class="card">
          <summary>{done.length > LISTED ? `Las primeras ${LISTED} importadas` : 'Las importadas'}</summary>
          <ul class="items">
            {done.slice(0, LISTED).map(({ linea, guia, item }) => (
              <li>
                Fila {linea}: <GuiaLink guia={guia!} /> {item.texts.nombre}
              </li>
            ))}
          </ul>
        </details>
      )}
      {deshacibles > 0 && (
        <form method="post" action={`${path}/deshacer`} class="card row">
          <p class="grow soft">
            Durante una hora se puede deshacer la importación: se cancelan todas sus guías, o ninguna si
            alguna ya va más adelante.
          </p>
          <button type="submit" class="btn">
            {deshacibles === 1
              ? 'Deshacer la importación: cancelar su guía'
              : `Deshacer la importación: cancelar las ${grouped(deshacibles)} guías`}
          </button>
        </form>
      )}
      {ready === 0 && done.length > 0 && (
        <form method="post" action="/panel/etiquetas" class="dock">
          <button type="submit" class="btn main" name="todas" value="hoy">
            <Icon name="print" />
            Etiquetas de hoy
          </button>
        </form>
      )}
      {ready > 0 && (
        <form method="post" action={`${path}/crear`} class="dock">
          <Before review={review} ready={ready} visit={visit} />
          {puntos.length > 0 && (
            <Field
              label="Se recogen en"
              name="recogida"
              value={puntos[0]!.id}
              typed={refusal}
              options={puntos.map(({ id, nombre }) => [id, nombre] as const)}
            />
          )}
          {sinMonto !== undefined && (
            <label class="row">
              <input type="checkbox" name="sin_cobro" value="si" required id="campo-sin_cobro" /> No se cobra
              nada en estas guías
            </label>
          )}
          <button type="submit" class="btn main">
            Importar {grouped(ready)}
            {review.personas > 0 && ` y escribir a ${grouped(review.personas)}`}
            {sinMonto !== undefined && ', sin cobrar nada'}
          </button>
        </form>
      )}
    </PanelPage>,
  );
}

/** Says before the button is pressed what it will do. */
function Before({ review, ready, visit }: { review: Review; ready: number; visit: Visit }) {
  const { monto, personas } = review;
  const { currency, country } = visit.merchant;
  const guias = ready === 1 ? 'Se crea 1 guía' : `Se crean ${grouped(ready)} guías`;
  const people = counted(personas, 'persona');
  return (
    <span class="grow soft" data-resumen>
      {guias}, {monto > 0 ? `por cobrar ${money(monto, currency, country)} en total` : 'y no se cobra nada'}.{' '}
      {personas > 0
        ? `Se escribe a ${people} para que marquen dónde se entrega.`
        : 'No se escribe a nadie: ya se sabe dónde se entrega, o pidieron no recibir mensajes.'}{' '}
      Puede repetirlo: ninguna fila crea dos guías.
    </span>
  );
}

interface StepProps {
  path: string;
  refusal: Refusal | undefined;
}

function Pickup({ path, refusal, visit, tiles }: StepProps & { visit: Visit; tiles: MapTiles | null }) {
  return (
    <form method="post" action={`${path}/recogida`} class="card stack">
      <h2>¿Dónde se recogen?</h2>
      <p>El archivo no lo dice. Queda en sus puntos de recogida, para los siguientes.</p>
      <PuntoFields visit={visit} tiles={tiles} typed={refusal} prefix="recogida." />
      <button type="submit" class="btn">
        Guardar
      </button>
    </form>
  );
}

function Columns({ review, path, refusal }: StepProps & { review: Review }) {
  const { header, rows } = review.archivo.tabla;
  const { columnas } = review.archivo;
  const chosen = new Set(Object.values(columnas));
  const offered = FIELDS.filter(
    (campo) => header.length <= FEW_COLUMNS || chosen.has(campo) || !campo.includes('.'),
  );
  const optionsOf = (own = '') =>
    [...new Set(['', ...offered, own])].map((campo) => [campo, fieldName(campo)] as const);
  const examples = header.map((_, i) => rows.find(({ cells }) => cells[i]?.trim())?.cells[i]);
  return (
    <form method="post" action={`${path}/columnas`} class="card stack">
      <h2>Sus columnas</h2>
      <p class="soft">Cámbielas si hace falta; se recuerdan para el próximo archivo.</p>
      <Table
        label="Sus columnas"
        columns={['En su archivo', 'Es', 'Por ejemplo']}
        rows={header.flatMap((heading, i) => {
          // Shopify's export has dozens of empty columns.
          if (examples[i] === undefined && !columnas[i]) return [];
          const name = heading || `Columna ${i + 1}`;
          return [
            [
              <b>{name}</b>,
              <Field
                label={`${name} es`}
                isBare
                name={`columna.${i}`}
                value={columnas[i]}
                typed={refusal}
                options={optionsOf(columnas[i])}
              />,
              <span class="soft">
                {examples[i]?.slice(0, 60)}
                {!columnas[i] && decidesCharge(heading) && ' · se lee para saber cuánto se cobra'}
              </span>,
            ],
          ];
        })}
      />
      <button type="submit" class="btn">
        Guardar las columnas
      </button>
    </form>
  );
}

function Refused({ rows, path, page }: { rows: Reviewed[]; path: string; page: number }) {
  if (rows.length === 0) return <p class="soft">Ninguna fila por corregir.</p>;
  const pages = Math.ceil(rows.length / ROWS);
  const current = Math.min(page, pages);
  const shown = rows.slice((current - 1) * ROWS, current * ROWS);
  return (
    <form method="post" action={`${path}/filas`} class="card stack">
      <div class="row">
        <h2 class="grow">{rows.length === 1 ? 'Una fila' : `${grouped(rows.length)} filas`} por corregir</h2>
        <a class="btn small" href={`${path}/rechazadas.csv`}>
          <Icon name="download" />
          Descargarlas
        </a>
      </div>
      <Table
        label="Filas por corregir"
        columns={['Fila', 'Nombre', 'Corrija aquí']}
        rows={shown.map((row) => [
          row.linea,
          <b>{row.item.texts.nombre ?? row.item.texts.external_ref ?? ''}</b>,
          <Mending row={row} />,
        ])}
      />
      <div class="row">
        <span class="soft grow">
          {shown.length} de {grouped(rows.length)}
        </span>
        <Pages path={path} page={current} hasMore={current < pages} />
        <button type="submit" class="btn">
          Revisar de nuevo
        </button>
      </div>
    </form>
  );
}

/** The fields of a row that are refused, and what is wrong with it beside them. */
function Mending({ row: { linea, item, faults } }: { row: Reviewed }) {
  const typed = {
    fields: {},
    faults: faults.map((fault) => ({ ...fault, campo: `${linea}.${fault.campo}` })),
  };
  return faults.map(({ campo, mensaje }) => {
    const text = item.texts[campo] ?? '';
    if (FIELDS.includes(campo))
      return (
        <Field
          label={fieldName(campo)}
          name={`${linea}.${campo}`}
          value={text}
          typed={typed}
          isLong={/[\r\n]/.test(text)}
        />
      );
    const said = `${fieldName(campo)}: ${mensaje.replaceAll('`', '')}`;
    return <p class="why">{campo === 'recogida' ? 'Falta dónde se recoge.' : said}</p>;
  });
}
