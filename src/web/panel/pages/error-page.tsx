import type { FastifyRequest } from 'fastify';
import type { AppError } from '../../../platform/errors/app-error.js';
import type { ErrorPage } from '../../../platform/errors/problem.filter.js';
import { ErrorText, errorTitle } from '../../kit/error-text.js';
import { renderPage } from '../../kit/page.js';
import type { Config } from '../../../platform/config/env.js';
import { hasConsole } from '../../../platform/http/console.js';
import { textsOf } from '../../../platform/http/form-texts.js';
import { detailOf } from '../forms/panel-words.js';
import { PanelPage } from './panel-page.js';
import { renderSignIn } from './sign-in-page.js';

/** Why a sign-in was refused: one text for every key that opens nothing. */
const REFUSED_SIGN_IN: Record<number, string> = {
  401: 'Esa clave no abre ningún panel. Cópiela entera, o pida otra.',
  429: 'Hubo demasiados intentos. Espere un minuto y vuelva a intentar.',
};

/** An error as a page, for whoever is on the panel; undefined for every other request. */
export function panelErrorPage(
  error: AppError,
  request: FastifyRequest,
  config: Pick<Config, 'courier' | 'mail'>,
): ErrorPage | undefined {
  const { status } = error;
  const { url, visit, routeOptions, method } = request;
  if (!/^\/panel([/?#]|$)/.test(url) || !isForPeople(request)) return undefined;
  if (routeOptions.url === '/panel' && method === 'POST') {
    const { correo } = textsOf(request.body);
    const fault = {
      campo: correo === undefined ? 'api_key' : 'correo',
      codigo: 'formato' as const,
      mensaje: REFUSED_SIGN_IN[status] ?? detailOf(error),
      typed: correo,
    };
    return { html: renderSignIn({ config, hasConsole: hasConsole(request.server), fault }), headers: {} };
  }
  const page = (
    <PanelPage title={errorTitle(status)} visit={visit}>
      <ErrorText detail={detailOf(error)} request={request.id} />
      <p>
        <a href="/panel">Ir al inicio</a>
      </p>
    </PanelPage>
  );
  return { html: renderPage(page), headers: {} };
}

/** A page's own routes answer with pages to everybody; unknown paths only to browsers. */
function isForPeople({ routeOptions, headers }: FastifyRequest): boolean {
  return routeOptions.config.page !== undefined || (headers.accept?.includes('text/html') ?? false);
}
