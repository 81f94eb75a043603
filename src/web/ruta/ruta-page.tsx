import type { ComponentChildren } from 'preact';
import type { FastifyRequest } from 'fastify';
import type { AppError } from '../../platform/errors/app-error.js';
import type { ErrorCode } from '../../platform/errors/error-codes.js';
import type { ErrorPage } from '../../platform/errors/problem.filter.js';
import { linkPageHeaders } from '../kit/link-page-headers.js';
import { renderPage, Page } from '../kit/page.js';
import { assetUrl } from '../kit/assets.js';
import { RutaIcons } from './ruta-icons.js';
import type { Ruta } from './ruta.service.js';
import { PERDIDA, type Perdida } from './words.js';
import { rutaView } from './ruta-view.js';

export const RUTA_HEADERS = linkPageHeaders({
  permissions: 'geolocation=(self), camera=(self)',
  // The reader of codes, where the browser has none.
  scripts: ["'wasm-unsafe-eval'"],
});

/** Values that only the phone knows: its time, and actions on it. */
const OF_THE_PHONE = { leida: false, acciones: [], enLinea: true, aqui: null, dia: '', hora: () => '' };

/** The first view of a driver's page; the phone draws all others by the same views. */
export function renderRuta(ruta: Ruta): string {
  const vista = { ...OF_THE_PHONE, datos: ruta, ahora: Date.parse(ruta.ahora) };
  return renderPage(
    <RutaPage>
      <div id="app">{rutaView(vista)}</div>
      <div id="datos" hidden data-ruta={JSON.stringify(ruta)} />
      <Scripts />
    </RutaPage>,
  );
}

/** A page without anybody's data, which shows what the phone has stored. */
export function renderShell(): string {
  return renderPage(
    <RutaPage>
      <div id="app">
        <main>
          <p>Abriendo su ruta…</p>
        </main>
      </div>
      <Scripts />
    </RutaPage>,
  );
}

const ERROR_PAGES: Partial<Record<ErrorCode, Perdida>> = {
  no_encontrado: 'enlace',
  demasiadas_solicitudes: 'ocupado',
  no_disponible: 'caido',
};

/** Page in place of a problem. That of a link that has ended makes the phone forget its data. */
export function rutaErrorPage({ codigo }: AppError, { method, url }: FastifyRequest): ErrorPage | undefined {
  const isPage = /^\/r\/[^/?#]*\/?([?#]|$)/.test(url) && ['GET', 'HEAD'].includes(method);
  const why = isPage ? ERROR_PAGES[codigo] : undefined;
  if (!why) return undefined;
  const lost = rutaView({ ...OF_THE_PHONE, datos: null, ahora: 0, perdida: PERDIDA[why] });
  const page = (
    <RutaPage>
      <div id="app" data-fin={why === 'enlace' ? '' : undefined}>
        {lost}
      </div>
      {why === 'enlace' && <Scripts />}
    </RutaPage>
  );
  return { html: renderPage(page), headers: RUTA_HEADERS };
}

function RutaPage({ children }: { children: ComponentChildren }) {
  const head = (
    <>
      <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#000000" media="(prefers-color-scheme: dark)" />
      <meta name="format-detection" content="telephone=no" />
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href={assetUrl('/r', 'ruta.css')} />
    </>
  );
  return (
    <Page title="Su ruta" head={head}>
      <RutaIcons />
      {children}
    </Page>
  );
}

/** At the end of the page, so that they are asked for once the list has arrived. */
function Scripts() {
  return (
    <>
      <noscript>
        <p class="note care">Para registrar entregas, active JavaScript en su navegador.</p>
      </noscript>
      <script
        defer
        src={assetUrl('/r', 'app.js')}
        data-zxing-js={assetUrl('/r', 'zxing.js')}
        data-zxing-wasm={assetUrl('/r', 'zxing.wasm')}
      />
    </>
  );
}
