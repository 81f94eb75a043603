import { MAX } from '../../guias/limits.js';
import { html, type Html } from './html.js';
import { assetUrl } from './page-assets.js';
import { tileSource } from './tile-source.js';

/** All that the page knows: nothing in it may tell more than the message that led here. */
export interface PageModel {
  /** The merchant's name. */
  comercio: string;
  /** The guide's number. */
  guia: string;
  municipio: string;
  /**
   * Until when (ISO 8601) what the recipient confirmed may be corrected, and whether it is far from the
   * merchant's country; null while nothing is confirmed.
   */
  confirmada: { corregibleHasta: string; isFar: boolean } | null;
  /** What was wrong with what was just posted, in Spanish, and the field to mend. */
  error: { mensaje: string; campo: Field | null } | null;
  /** What was just posted, shown again after an error and only then. */
  valores: Partial<Record<Field, string>>;
  /** Map tiles, as Leaflet takes them; null for a plain grid. The attribution may hold links. */
  tiles: { url: string; attribution: string } | null;
  /** Whether somebody reads the chat that the link came in, so that a location can be sent there. */
  hasChat: boolean;
}

/** The fields a person fills in. */
export type Field = 'maps_url' | 'lat' | 'lng' | 'referencia';

/** More than any link may have, so that a cut one is refused for its length, never read as another place. */
const MAX_PASTED = 4_500;

const PIN_ICON = html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
  <path
    d="M12 2a7 7 0 0 0-7 7c0 5.2 7 13 7 13s7-7.8 7-13a7 7 0 0 0-7-7Zm0 9.5a2.5 2.5 0 1 1 0-5 2.5 2.5 0 0 1 0 5Z"
  />
</svg>`;

const CHECK_ICON = html`<svg class="check" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
  <circle cx="24" cy="24" r="24" />
  <path d="m14 24.5 7 7 13-14" />
</svg>`;

const FAVICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Cpath fill='%230b6655' d='M12 2a7 7 0 0 0-7 7c0 5.2 7 13 7 13s7-7.8 7-13a7 7 0 0 0-7-7Zm0 9.5a2.5 2.5 0 1 1 0-5 2.5 2.5 0 0 1 0 5Z'/%3E%3C/svg%3E";

/** The page in the state that the model describes: open, with an error, or confirmed. */
export function renderConfirmationPage(model: PageModel): string {
  const { confirmada, error } = model;
  const done = confirmada !== null && error === null;
  const heading = done
    ? 'Listo, gracias'
    : confirmada
      ? 'Corrige la ubicación'
      : '¿Dónde entregamos tu paquete?';
  const title = done ? 'Listo: ubicación confirmada' : `${error ? 'Error: ' : ''}Confirma dónde entregar`;
  const body = html`
    <header>
      <p class="merchant">${PIN_ICON}<bdi>${model.comercio}</bdi></p>
      ${done && CHECK_ICON}
      <h1>${heading}</h1>
    </header>
    ${error && renderError(error)}
    ${
      done &&
      html`<p class="lead">
        Guardamos la ubicación de entrega.${!confirmada?.isFar && ' Ya puedes cerrar esta página.'}
      </p>`
    }
    ${
      done &&
      confirmada?.isFar &&
      html`<p class="alert" role="alert">
        Ese punto queda lejos del país del envío. Si falta un signo o no es tu ubicación, corrígela abajo.
      </p>`
    }
    <dl class="label">
      <div>
        <dt>Guía</dt>
        <dd class="number">${model.guia}</dd>
      </div>
      <div>
        <dt>Municipio</dt>
        <dd><bdi>${model.municipio}</bdi></dd>
      </div>
    </dl>
    ${done && confirmada ? renderCorrection(model, confirmada.corregibleHasta) : renderForm(model)}
  `;
  return document(title, body, html`<script src="${assetUrl('page.js')}"></script>`);
}

/** Unknown, expired and closed links alike: what it says must be true of each. */
export function renderMissingPage(): string {
  return document(
    'Este enlace no está disponible',
    html`
      <header><h1>Este enlace no está disponible</h1></header>
      <p>Puede que haya vencido, que ya se haya usado o que se haya copiado incompleto.</p>
      <p>
        Ábrelo de nuevo desde el mensaje que recibiste. Si sigue sin abrir, escríbele al comercio que te envía
        el paquete.
      </p>
    `,
  );
}

/** Too many requests. */
export function renderBusyPage(): string {
  return document(
    'Espera un momento',
    html`
      <header><h1>Espera un momento</h1></header>
      <p>Recibimos demasiados intentos seguidos. Vuelve a abrir el enlace dentro de un minuto.</p>
    `,
  );
}

/** The service cannot answer now; the link is as good as before. */
export function renderAwayPage(): string {
  return document(
    'Inténtalo en un minuto',
    html`
      <header><h1>No pudimos abrir esta página</h1></header>
      <p>Inténtalo de nuevo en un minuto. Tu enlace sigue sirviendo.</p>
    `,
  );
}

/** Headers of every page: nothing from elsewhere runs or loads, nothing is kept, nobody learns the address. */
export function pageHeaders(tiles: PageModel['tiles']): Record<string, string> {
  const source = tiles && tileSource(tiles.url);
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data:${source ? ` ${source}` : ''}`,
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'Permissions-Policy': 'geolocation=(self)',
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex, nofollow',
    // Tile services want to know who asks; the origin alone does not show the token.
    'Referrer-Policy': source ? 'strict-origin' : 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
}

/** The preview in a chat is made from this head: it says what the link is for, and of whom nothing. */
function document(title: string, body: Html, script: Html | null = null): string {
  return html`<!doctype html>
    <html lang="es">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f6f4ee" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#121614" media="(prefers-color-scheme: dark)" />
        <meta name="format-detection" content="telephone=no" />
        <meta property="og:type" content="website" />
        <meta property="og:locale" content="es_ES" />
        <meta property="og:title" content="Confirma dónde entregar" />
        <meta property="og:description" content="Indica el punto exacto donde quieres recibir tu paquete." />
        <link rel="icon" href="${FAVICON}" />
        <link rel="stylesheet" href="${assetUrl('page.css')}" />
        ${script}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html> `.markup;
}

/** How the link from an error to its field reads. */
const MEND: Record<Field, string> = {
  maps_url: 'Corregir el enlace',
  lat: 'Corregir la latitud',
  lng: 'Corregir la longitud',
  referencia: 'Corregir la referencia',
};

function renderError({ mensaje, campo }: NonNullable<PageModel['error']>): Html {
  return html`<div class="alert" role="alert" id="error" tabindex="-1" autofocus>
    <p id="error-text">${mensaje}</p>
    ${campo && html`<a href="#${campo}">${MEND[campo]}</a>`}
  </div>`;
}

function renderCorrection(model: PageModel, until: string): Html {
  return html`
    <p>
      Puedes corregirla
      <time datetime="${until}" id="until">durante los 15 minutos que siguen a tu confirmación</time> si algo
      no quedó bien.
    </p>
    <details class="correction">
      <summary class="button quiet">Corregir la ubicación</summary>
      <p class="hint">La ubicación que enviaste sigue guardada hasta que confirmes otra.</p>
      ${renderForm(model)}
    </details>
  `;
}

function renderForm({ error, valores, tiles, hasChat }: PageModel): Html {
  const tilesData = tiles && html` data-tiles="${tiles.url}" data-attribution="${tiles.attribution}"`;
  const attributes = (name: Field, ...descriptions: string[]): Html => {
    const faulty = error?.campo === name;
    const describedBy = [...descriptions, ...(faulty ? ['error-text'] : [])].join(' ');
    return html`id="${name}"
    name="${name}"${describedBy !== '' && html` aria-describedby="${describedBy}"`}${faulty && html` aria-invalid="true"`}`;
  };
  const value = (name: Field): string => (error && valores[name]) ?? '';
  // The minus sign of western longitudes is missing on the decimal keypads of many phones.
  const number = (name: 'lat' | 'lng', label: string): Html =>
    html`<div class="field">
      <label for="${name}">${label}</label>
      <input
        ${attributes(name, 'numbers-hint')}
        type="text"
        value="${value(name)}"
        autocomplete="off"
        spellcheck="false"
      />
    </div>`;
  return html`<form
    method="post"
    id="form"
    data-leaflet-js="${assetUrl('leaflet.js')}"
    data-leaflet-css="${assetUrl('leaflet.css')}"
    data-map-js="${assetUrl('map.js')}"
    ${tilesData}${hasChat && html` data-chat`}
  >
    <section id="here" hidden>
      <button type="button" id="locate" class="button">
        ${PIN_ICON}<span id="locate-text">Usar mi ubicación</span>
      </button>
      <p class="hint" id="locate-hint">Tu teléfono te pedirá permiso. Solo la usamos para esta entrega.</p>
      <div id="help" class="alert" role="alert" hidden></div>
      <p id="status" class="status" role="status"></p>
      <div id="place" hidden>
        <div id="map" class="map" role="group" aria-label="Mapa con el pin de entrega" hidden></div>
        <p class="hint" id="map-hint"></p>
        <p class="coordinates">
          <span class="hint">Coordenadas</span> <output id="coordinates" for="lat lng"></output>
        </p>
      </div>
    </section>
    <details id="other" class="other" open>
      <summary>Pegar un enlace o coordenadas</summary>
      <div class="field">
        <label for="maps_url">Enlace de mapa</label>
        <p class="hint" id="maps_url-hint">
          En tu app de mapas, mantén presionado el punto, toca «Compartir» y copia el enlace. Sirven Google
          Maps, Waze y Apple Maps.
        </p>
        <input
          ${attributes('maps_url', 'maps_url-hint')}
          type="text"
          inputmode="url"
          value="${value('maps_url')}"
          maxlength="${String(MAX_PASTED)}"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
        />
      </div>
      <fieldset>
        <legend>O las coordenadas</legend>
        <p class="hint" id="numbers-hint">Con su signo: 14.6407 y -90.5133.</p>
        <div class="pair">${number('lat', 'Latitud')} ${number('lng', 'Longitud')}</div>
      </fieldset>
    </details>
    <div class="field">
      <label for="referencia">Referencia <span class="optional">(opcional)</span></label>
      <p class="hint" id="referencia-hint">Lo que ayude a encontrarte: «Casa azul frente a la iglesia».</p>
      <textarea
        ${attributes('referencia', 'referencia-hint')}
        rows="2"
        maxlength="${String(MAX.referencia)}"
        autocomplete="off"
      >
${value('referencia')}</textarea>
    </div>
    <input type="hidden" name="precision" id="precision" />
    <button type="submit" id="confirm" class="button">Confirmar</button>
  </form>`;
}
