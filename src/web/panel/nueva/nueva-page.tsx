import type { MapTiles } from '../../../platform/config/map-tiles.js';
import { currencySymbol } from '../../../guias/guia/local-format.js';
import { TEXTS, textosBut } from '../../../guias/guia/guia-fields.js';
import { MAX } from '../../../guias/guia/limits.js';
import { PostForm } from '../../kit/post-form.js';
import { Check, Field } from '../../kit/field.js';
import { Icon } from '../../kit/icon.js';
import { renderPage } from '../../kit/page.js';
import { PlaceMap } from '../../kit/place-map.js';
import { coordinatesText, MapPoint } from '../../kit/shown-link.js';
import type { Coordinates } from '../../../locations/reading.js';
import type { Refusal } from '../forms/panel-forms.service.js';
import { PanelPage } from '../pages/panel-page.js';
import { PUNTO_SCRIPT, PuntoFields } from '../recogidas/punto-fields.js';
import { hasPickup } from '../recogidas/recogidas.service.js';
import type { Visit } from '../visit.js';
import { REGRESO } from './regreso.js';
import { MAX_CHAT } from './chat/chat-text.js';
import { COMERCIO, OTRA_IGUAL, type NuevaView } from './nueva.service.js';

const NUEVA = '/panel/guias/nueva';

interface NuevaPageProps {
  visit: Visit;
  view: NuevaView;
  tiles: MapTiles | null;
  refusal?: Refusal | undefined;
}

/** The form of a new guide, after the form for what the customer wrote. */
export function renderNueva(props: NuevaPageProps): string {
  const { visit, view, refusal } = props;
  return renderPage(
    <PanelPage
      title="Nueva guía"
      visit={visit}
      part={NUEVA}
      done={filledNotice(view)}
      isDoubtful={Object.keys(view.notes).length > 0}
      refusal={refusal}
      scripts={asksPickup(view) ? ['nueva.js', PUNTO_SCRIPT] : ['nueva.js']}
      isWide
    >
      <div class="split">
        <form method="post" action={`${NUEVA}/texto`} class="card">
          <details class="stack" open={view.texto !== '' || !refusal}>
            <summary>
              <b>Pegue lo que escribió su cliente</b>
            </summary>
            <label class="field">
              <span class="vh">Lo que escribió su cliente</span>
              <textarea name="texto" rows={5} maxLength={MAX_CHAT} required>
                {view.texto}
              </textarea>
            </label>
            <button type="submit" class="btn">
              <Icon name="pen" />
              Llenar los campos
            </button>
          </details>
        </form>
        <PostForm action={NUEVA} class="stack" id="f">
          <input type="hidden" name={COMERCIO} value={visit.merchant.id} />
          <input type="hidden" name={REGRESO} value={refusal?.fields[REGRESO]} />
          <EqualGuia typed={refusal} />
          <Fields {...props} />
        </PostForm>
      </div>
      <div class="dock">
        <button type="submit" class="btn main big" form="f">
          <Icon name="check" />
          Crear la guía
        </button>
      </div>
    </PanelPage>,
  );
}

function filledNotice({ filled, notes, isGone }: NuevaView): string | undefined {
  if (isGone) return 'Lo que pegó ya no está: se guarda una hora. Péguelo otra vez.';
  if (filled === undefined) return undefined;
  if (filled === 0) return 'No reconocimos ningún dato en el texto. Llene los campos.';
  const doubts = Object.keys(notes).length;
  const review =
    doubts === 0 ? 'Revíselos.' : doubts === 1 ? 'Revise el marcado.' : `Revise los ${doubts} marcados.`;
  return `Llenamos ${filled} ${filled === 1 ? 'campo' : 'campos'}. ${review}`;
}

/** Asks whether a second equal guide is wanted; shown where it was asked about. */
function EqualGuia({ typed }: { typed: Refusal | undefined }) {
  const isAsked = typed?.faults.some(({ campo }) => campo === OTRA_IGUAL);
  if (!isAsked && typed?.fields[OTRA_IGUAL] !== 'si') return null;
  return <Check label="Es otro envío igual" name={OTRA_IGUAL} typed={typed} />;
}

/** Texts that few shops write. */
const NOTES = textosBut('referencia', 'contenido');

/** Whether the form asks where the guide is picked up: of a shop without points, or where it was typed. */
const asksPickup = ({ puntos, fields }: NuevaView): boolean => puntos.length === 0 || hasPickup(fields);

function Fields({ visit, view, tiles, refusal }: NuevaPageProps) {
  const { merchant } = visit;
  const { faults = [] } = refusal ?? {};
  const { fields, notes, point, puntos, departamentos, municipios } = view;
  const of = (name: string) => ({ name, typed: { fields, faults }, note: notes[name] });
  const isOpen = (names: string[]) =>
    names.some((name) => fields[name] || faults.some(({ campo }) => campo === name));
  return (
    <>
      <Field label="Nombre" {...of('nombre')} maxLength={MAX.nombre} />
      <Field label="Teléfono" {...of('telefono')} type="tel" />
      <Field label="Lugar de entrega (enlace del mapa o coordenadas)" {...of('maps_url')} inputMode="url" />
      <details open={isOpen(['lat', 'lng'])}>
        <summary>Escribir coordenadas</summary>
        <div class="cols">
          <Field label="Latitud de entrega" {...of('lat')} inputMode="decimal" />
          <Field label="Longitud de entrega" {...of('lng')} inputMode="decimal" />
        </div>
      </details>
      <div data-point>{point && <Point at={point} tiles={tiles} />}</div>
      <div class="cols">
        <Field label="Departamento" {...of('departamento')} maxLength={MAX.nombre} list="departamentos" />
        <Field label="Municipio" {...of('municipio')} maxLength={MAX.nombre} list="municipios" />
      </div>
      <Suggestions id="departamentos" names={departamentos} />
      <Suggestions id="municipios" names={municipios} />
      <noscript>
        <button type="submit" class="btn" formaction={`${NUEVA}/revisar`}>
          Ver el mapa y los municipios
        </button>
      </noscript>
      <Field label="Dirección" {...of('direccion')} isLong maxLength={MAX.direccion} />
      <Field label="Referencia" {...of('referencia')} maxLength={MAX.referencia} />
      <Field
        label={`Por cobrar, en ${currencySymbol(merchant.currency, merchant.country)}`}
        {...of('cod_amount')}
        inputMode="decimal"
      />
      <Field label="Contenido (opcional)" {...of('contenido')} maxLength={MAX.contenido} />
      <details open={isOpen(['external_ref', ...NOTES])}>
        <summary>Pedido y notas</summary>
        <Field label="Su número de pedido" {...of('external_ref')} maxLength={MAX.external_ref} />
        {NOTES.map((texto) => (
          <Field label={TEXTS[texto].label} {...of(texto)} isLong maxLength={TEXTS[texto].max} />
        ))}
      </details>
      {asksPickup(view) ? (
        <section class="card stack" aria-labelledby="recogida">
          <h2 id="recogida">Dónde se recoge</h2>
          {puntos.length === 0 && (
            <p class="soft t2">
              Se pregunta una vez: queda en <a href="/panel/recogidas">Puntos de recogida</a>, con los demás
              que agregue.
            </p>
          )}
          <PuntoFields visit={visit} tiles={tiles} typed={{ fields, faults }} prefix="recogida." />
        </section>
      ) : (
        <Field
          label="Dónde se recoge"
          {...of('recogida')}
          value={puntos[0]!.id}
          options={puntos.map(({ id, nombre }) => [id, nombre] as const)}
        >
          <span class="t2">
            <a href="/panel/recogidas">Puntos de recogida</a>
          </span>
        </Field>
      )}
    </>
  );
}

function Suggestions({ id, names }: { id: string; names: string[] }) {
  return (
    <datalist id={id}>
      {names.map((name) => (
        <option value={name} />
      ))}
    </datalist>
  );
}

/** Where a pasted link leads, also as part of a page. */
function Point({ at, tiles }: { at: Coordinates; tiles: MapTiles | null }) {
  if (!tiles) return <MapPoint {...at} />;
  const label = `Mapa: el lugar de entrega, ${coordinatesText(at.lat, at.lng)}`;
  return <PlaceMap label={label} tiles={tiles} at={at} tried={null} />;
}

/** The map of a point, for the page that asks by script; empty without one. */
export function renderPoint(at: Coordinates | undefined, tiles: MapTiles | null): string {
  return at ? renderPage(<Point at={at} tiles={tiles} />).replace('<!doctype html>', '') : '';
}
