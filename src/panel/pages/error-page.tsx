import type { FastifyRequest } from 'fastify';
import type { AppError } from '../../errors/app-error.js';
import type { ErrorPage } from '../../errors/problem.filter.js';
import { renderPage } from '../../html/page.js';
import { Frame, PanelPage, renderSignIn } from './panel-page.js';

const TITLES: Record<number, string> = {
  403: 'No está permitido',
  404: 'No se encontró',
  409: 'No se hizo',
  413: 'El archivo es demasiado grande',
  429: 'Espere un momento',
  500: 'Hubo una falla',
  503: 'Vuelva a intentar',
};

/** Why a sign-in was refused: one text for every key that opens nothing. */
const REFUSED_SIGN_IN: Record<number, string> = {
  401: 'Esa clave no abre ningún panel. Cópiela entera, o pida otra.',
  429: 'Hubo demasiados intentos. Espere un minuto y vuelva a intentar.',
};

/** An error as a page, for whoever is on the panel; undefined for every other request. */
export function panelErrorPage({ status, detail }: AppError, request: FastifyRequest): ErrorPage | undefined {
  const { url, visit, routeOptions, method } = request;
  if (!/^\/panel([/?#]|$)/.test(url) || !isForPeople(request)) return undefined;
  const text = detail.replaceAll('`', '');
  if (routeOptions.url === '/panel' && method === 'POST')
    return { html: renderSignIn(REFUSED_SIGN_IN[status] ?? text), headers: {} };
  const title = TITLES[status] ?? 'No se pudo';
  const content = (
    <>
      <p>{text}</p>
      <p class="muted">Solicitud {request.id}</p>
      <p>
        <a href="/panel">Ir al inicio</a>
      </p>
    </>
  );
  const page = visit ? (
    <PanelPage title={title} visit={visit}>
      {content}
    </PanelPage>
  ) : (
    <Frame title={title}>
      <main id="contenido">
        <h1>{title}</h1>
        {content}
      </main>
    </Frame>
  );
  return { html: renderPage(page), headers: {} };
}

/** A page's own routes answer with pages to everybody; unknown paths only to browsers. */
function isForPeople({ routeOptions, headers }: FastifyRequest): boolean {
  return routeOptions.config.panel !== undefined || (headers.accept?.includes('text/html') ?? false);
}
