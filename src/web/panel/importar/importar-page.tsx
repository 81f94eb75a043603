import { Note } from '../../kit/note.js';
import type { ComponentChildren } from 'preact';
import { GUIA } from '../../../guias/lote/csv-header.js';
import { MAX_FILAS } from '../../../guias/lote/lote.dto.js';
import { MAX } from '../../../guias/limits.js';
import { grouped } from '../../kit/elements.js';
import { Field } from '../../kit/field.js';
import { renderPage } from '../../kit/page.js';
import type { Refusal } from '../forms/panel-forms.service.js';
import { GuiaLink } from '../pages/guia-link.js';
import { PanelPage } from '../pages/panel-page.js';
import type { Visit } from '../visit.js';
import { FIELDS, nameOf } from './columns.js';
import { decidesCharge } from './order-charge.js';
import { isReady, type Review, type Reviewed } from './importar.service.js';

const IMPORTAR = '/panel/importar';

/** Refused rows on a page. */
export const ROWS = 20;

/** Imported rows that are listed; more are in the list of guides. */
const LISTED = 50;

/** Columns of a file for which every field is offered; of larger ones the page would be too large. */
const FEW_COLUMNS = 20;

/** The form for a file. */
export function renderUpload(visit: Visit, refusal?: Refusal): string {
  // The faults of a file are of no field.
  const shown = refusal && { ...refusal, notice: refusal.notice || refusal.faults[0]!.mensaje };
  return renderPage(
    <PanelPage title="Importar guías" visit={visit} part={IMPORTAR} refusal={shown}>
      <form method="post" action={IMPORTAR} enctype="multipart/form-data" class="card stack">
        <label class="field">
          Archivo CSV o de Excel (.xlsx)
          <input type="file" name="archivo" accept=".csv,.xlsx,text/csv" required />
        </label>
        <p class="soft">
          Hasta {grouped(MAX_FILAS)} filas y 5 MiB, una por pedido. También la exportación de pedidos de
          Shopify, sin los cancelados. Primero lo revisa; nada se crea todavía.
        </p>
        <button type="submit" class="btn main">
          Subir el archivo
        </button>
      </form>
    </PanelPage>,
  );
}

/**
 * A file: what its columns are, its refused rows, and the button that imports the others.
 * @param refusal of a form of the page.
 */
export function renderReview(visit: Visit, review: Review, page: number, refusal?: Refusal): string {
  const { archivo, rows, needsPickup, pickup, sinMonto } = review;
  const cancelled = rows.filter(({ cancelado }) => cancelado !== undefined);
  const toMend = rows.filter(({ faults }) => faults.length > 0);
  const done = rows.filter(({ guia }) => guia !== undefined);
  const repeated = rows.filter((row) => row.repeated !== undefined);
  const ready = rows.filter(isReady).length;
  const path = `${IMPORTAR}/${archivo.id}`;
  return renderPage(
    <PanelPage title="Importar guías" visit={visit} part={IMPORTAR} refusal={refusal}>
      <p>
        {archivo.nombre} · {rows.length === 1 ? '1 fila' : `${grouped(rows.length)} filas`} ·{' '}
        <a href={IMPORTAR}>Otro archivo</a>
      </p>
      <Where archivo={archivo} />
      <ul class="cols">
        <Tile tone="good" count={ready} text="listas para importar" />
        <Tile tone="off" count={repeated.length} text="ya existían o se repiten: no crean otra" />
        <Tile tone="bad" count={toMend.length} text="por corregir" />
        {cancelled.length > 0 && (
          <Tile tone="off" count={cancelled.length} text="canceladas en el archivo: no se importan" />
        )}
        <Tile tone="way" count={done.length} text="importadas" />
      </ul>
      <NoAmount headings={sinMonto} />
      {needsPickup && <Pickup path={path} refusal={refusal} />}
      <Unmade
        rows={cancelled}
        one="Un pedido está cancelado en el archivo"
        many="pedidos están cancelados en el archivo"
        each={({ cancelado }) => `«${cancelado!.slice(0, 40)}»`}
      >
        No se crea su guía. Si alguno sí se envía, corrija su estado en el archivo y súbalo otra vez.
      </Unmade>
      <Unmade
        rows={repeated.filter((row) => row.repeated!.isCancelled)}
        one="Una fila es de una guía cancelada"
        many="filas son de guías canceladas"
      >
        No se crea otra guía, y la cancelada no vuelve. Si todavía se envía, póngale otro número de pedido y
        suba el archivo otra vez.
      </Unmade>
      <Unmade
        rows={repeated.filter(({ repeated: of }) => of!.differing.length > 0 && !of!.isCancelled)}
        one="Una fila repite un pedido con otros datos"
        many="filas repiten un pedido con otros datos"
        each={differenceOf}
      >
        No se crea otra guía, y la que hay no cambia. Si es otro pedido, póngale su propio número y suba el
        archivo otra vez.
      </Unmade>
      <Unmade
        rows={repeated.filter((row) => row.repeated!.isByData)}
        one="Una fila sin pedido ya se importó"
        many="filas sin pedido ya se importaron"
      >
        Otro archivo de las últimas 24 horas tenía los mismos datos. Si es otro envío igual, póngale un número
        de pedido y suba el archivo otra vez.
      </Unmade>
      <div class="split">
        <Columns review={review} path={path} refusal={refusal} />
        <Refused rows={toMend} path={path} page={page} />
      </div>
      {done.length > 0 && (
        <details class="fold">
          <summary class="btn">
            {done.length > LISTED ? `Las primeras ${LISTED} importadas` : 'Las importadas'}
          </summary>
          <ul class="items">
            {done.slice(0, LISTED).map(({ linea, guia, item }) => (
              <li>
                Fila {linea}: <GuiaLink guia={guia!} /> {item.texts.nombre}
              </li>
            ))}
          </ul>
        </details>
      )}
      {Object.keys(pickup).length > 0 && (
        <p class="soft">
          Se recogen en{' '}
          {pickup['recogida.nombre'] ?? pickup['recogida.direccion'] ?? 'el punto de la última guía'}.
        </p>
      )}
      {ready > 0 && (
        <form method="post" action={`${path}/crear`} class="dock">
          <span class="grow soft">Puede repetirlo: ninguna fila crea dos guías.</span>
          {sinMonto !== undefined && (
            <label class="row">
              <input type="checkbox" name="sin_cobro" value="si" required /> No se cobra nada en estas guías
            </label>
          )}
          <button type="submit" class="btn main">
            {ready === 1 ? 'Importar la fila lista' : `Importar las ${grouped(ready)} listas`}
            {sinMonto !== undefined && ', sin cobrar nada'}
          </button>
        </form>
      )}
    </PanelPage>,
  );
}

/** Where the headings were found in the file. */
function Where({ archivo: { tabla, columnas } }: Pick<Review, 'archivo'>) {
  const { header, hoja, encabezado = 1 } = tabla;
  const hasPhone = Object.values(columnas).some((campo) => campo === 'telefono' || campo === GUIA);
  return (
    <>
      {hoja && hoja.de > 1 && (
        <p class="soft">
          El libro tiene {hoja.de} hojas. Se lee la primera que está a la vista: «{hoja.nombre}».
        </p>
      )}
      {encabezado > 1 && (
        <p class="soft">Los encabezados están en la fila {encabezado}; lo de arriba no se lee.</p>
      )}
      {!hasPhone && (
        <Note tone="bad">
          Ninguna columna es la del teléfono. Como encabezados se leyó la primera fila: «
          {header
            .filter((one) => one !== '')
            .slice(0, 4)
            .join(', ')
            .slice(0, 80)}
          ». Si están en otra fila, borre las de arriba y suba el archivo otra vez; si no, elija abajo la
          columna del teléfono.
        </Note>
      )}
    </>
  );
}

/** Says that no column is taken as the amount, and which ones could be it. */
function NoAmount({ headings }: { headings: string[] | undefined }) {
  if (headings === undefined) return null;
  const named = headings
    .slice(0, 5)
    .map((one) => `«${one.slice(0, 40)}»`)
    .join(', ');
  return (
    <Note tone="bad">
      Ninguna columna trae el monto: no se cobra nada al entregar estas guías.{' '}
      {headings.length > 0
        ? `¿Es el monto alguna de estas: ${named}? Elija abajo «Por cobrar» en ella; si no se cobra nada, márquelo antes de importar.`
        : 'Si se cobra, elija abajo la columna que es «Por cobrar»; si no, márquelo antes de importar.'}
    </Note>
  );
}

interface UnmadeProps {
  rows: Reviewed[];
  /** Heads one row. */
  one: string;
  /** Heads several, after their number. */
  many: string;
  /** What is said of each; default: the guide that it repeats. */
  each?: (row: Reviewed) => ComponentChildren;
  /** Why no guide is made of them, and how to make one. */
  children: ComponentChildren;
}

/** Rows of which nothing is made, though nothing is wrong with them. */
function Unmade({ rows, one, many, each = repeatedBy, children }: UnmadeProps) {
  if (rows.length === 0) return null;
  return (
    <section class="card stack">
      <h2>{rows.length === 1 ? one : `${grouped(rows.length)} ${many}`}</h2>
      <p class="soft">{children}</p>
      <ul class="items">
        {rows.slice(0, LISTED).map((row) => (
          <li>
            Fila {row.linea} ·{' '}
            {row.item.texts.external_ref ?? row.item.texts.nombre ?? row.item.texts.telefono}: {each(row)}
          </li>
        ))}
      </ul>
      {rows.length > LISTED && <p class="soft">Y {grouped(rows.length - LISTED)} más.</p>}
    </section>
  );
}

const repeatedBy = ({ repeated }: Reviewed): ComponentChildren =>
  'guia' in repeated!.of && <GuiaLink guia={repeated!.of.guia} />;

const differenceOf = ({ repeated }: Reviewed): ComponentChildren => (
  <>
    es{' '}
    {'guia' in repeated!.of ? (
      <>
        la guía <GuiaLink guia={repeated!.of.guia} />
      </>
    ) : (
      <>la fila {repeated!.of.linea}</>
    )}{' '}
    con otro dato en {repeated!.differing.map(nameOf).join(', ')}.
  </>
);

function Tile({ tone, count, text }: { tone: string; count: number; text: string }) {
  return (
    <li class={`card tile ${tone}`}>
      <b>{grouped(count)}</b>
      <span>{text}</span>
    </li>
  );
}

interface StepProps {
  path: string;
  refusal: Refusal | undefined;
}

function Pickup({ path, refusal }: StepProps) {
  return (
    <form method="post" action={`${path}/recogida`} class="card stack">
      <h2>¿Dónde se recogen?</h2>
      <p>El archivo no lo dice. Se recuerda para los siguientes.</p>
      <Field
        label="Enlace del mapa, o coordenadas"
        name="recogida.maps_url"
        typed={refusal}
        inputMode="url"
        required
      />
      <Field label="Nombre del lugar" name="recogida.nombre" typed={refusal} maxLength={MAX.nombre} />
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
    [...new Set(['', ...offered, own])].map((campo) => [campo, nameOf(campo)] as const);
  const examples = header.map((_, i) => rows.find(({ cells }) => cells[i]?.trim())?.cells[i]);
  return (
    <form method="post" action={`${path}/columnas`} class="card stack">
      <h2>Sus columnas</h2>
      <p class="soft">Cámbielas si hace falta; se recuerdan para el próximo archivo.</p>
      {header.map(
        (heading, i) =>
          // Shopify's export has dozens of empty columns.
          (examples[i] !== undefined || columnas[i]) && (
            <Field
              label={heading || `Columna ${i + 1}`}
              name={`columna.${i}`}
              value={columnas[i]}
              typed={refusal}
              options={optionsOf(columnas[i])}
            >
              <span class="soft t2">
                {examples[i]?.slice(0, 60)}
                {!columnas[i] && decidesCharge(heading) && ' · se lee para saber cuánto se cobra'}
              </span>
            </Field>
          ),
      )}
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
      <h2>{rows.length === 1 ? 'Una fila' : `${grouped(rows.length)} filas`} por corregir</h2>
      <p>
        <a href={`${path}/rechazadas.csv`}>Descargarlas</a>
      </p>
      {shown.map((row) => (
        <RefusedRow row={row} />
      ))}
      <div class="row">
        <button type="submit" class="btn">
          Revisar de nuevo
        </button>
        {current < pages && <a href={`${path}?pagina=${current + 1}`}>Las siguientes</a>}
        {current > 1 && <a href={`${path}?pagina=${current - 1}`}>Las anteriores</a>}
      </div>
    </form>
  );
}

function RefusedRow({ row: { linea, item, faults } }: { row: Reviewed }) {
  const { texts } = item;
  const editable = faults.filter(({ campo }) => FIELDS.includes(campo));
  const others = faults.filter(({ campo }) => !FIELDS.includes(campo) && campo !== 'recogida');
  const named = editable.map((fault) => ({ ...fault, campo: `${linea}.${fault.campo}` }));
  const typed = { fields: {}, faults: named };
  return (
    <fieldset>
      <legend>
        Fila {linea} · {texts.nombre ?? texts.external_ref ?? ''}
      </legend>
      {editable.map(({ campo }) => (
        <Field
          label={nameOf(campo)}
          name={`${linea}.${campo}`}
          value={texts[campo] ?? ''}
          typed={typed}
          isLong={/[\r\n]/.test(texts[campo] ?? '')}
        />
      ))}
      {others.map(({ campo, mensaje }) => (
        <p class="why">
          {nameOf(campo)}: {mensaje.replaceAll('`', '')}
        </p>
      ))}
      {faults.some(({ campo }) => campo === 'recogida') && <p class="why">Falta dónde se recoge.</p>}
    </fieldset>
  );
}
