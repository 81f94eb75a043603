import type { FastifyRequest } from 'fastify';
import type { AppError } from '../../platform/errors/app-error.js';
import { ERRORS, type ErrorCode } from '../../platform/errors/error-codes.js';
import type { ErrorPage } from '../../platform/errors/problem.filter.js';
import { renderPage } from '../kit/page.js';
import { textsFor } from './languages.js';
import { pageHeaders } from './page-headers.js';
import { RecipientPage } from './page-layout.js';
import { isJson } from './page-request.js';
import type { PageTexts } from './texts.js';

/** A page in place of the parcel's: the link is unknown or has expired, or the service cannot answer now. */
export function renderErrorPage(texts: PageTexts, why: 'missing' | 'busy' | 'away'): string {
  const { heading, paragraphs } = texts[why];
  return renderPage(
    <RecipientPage title={heading} texts={texts}>
      <header>
        <h1>{heading}</h1>
      </header>
      {paragraphs.map((text) => (
        <p>{text}</p>
      ))}
    </RecipientPage>,
  );
}

/** Error pages, by the code of the error. */
const ERROR_PAGES: Partial<Record<ErrorCode, 'missing' | 'busy' | 'away'>> = {
  no_encontrado: 'missing',
  demasiadas_solicitudes: 'busy',
  no_disponible: 'away',
};

/** Page in place of a problem, also for a link with additions that no route matches. */
export function recipientErrorPage({ codigo }: AppError, request: FastifyRequest): ErrorPage | undefined {
  const { method } = request;
  const isBrowser = ['GET', 'HEAD'].includes(method) || (method === 'POST' && !isJson(request));
  const why = isLink(request) && isBrowser ? ERROR_PAGES[codigo] : undefined;
  return why && { html: renderErrorPage(textsFor(request), why), headers: pageHeaders(null) };
}

/** Their details for programs, in place of those for merchants' programs: a recipient reads them. */
const DETAILS: Partial<Record<ErrorCode, string>> = {
  tipo_no_soportado:
    'Envía la respuesta como JSON (`application/json`) o como formulario (`application/x-www-form-urlencoded`).',
  demasiadas_solicitudes: 'Espera los segundos que indica `Retry-After` e inténtalo de nuevo.',
  no_disponible: 'Inténtalo de nuevo después de los segundos que indica `Retry-After`.',
};

/** Undefined for other paths, and for an error with a text of its own. */
export function recipientDetail({ codigo, detail }: AppError, request: FastifyRequest): string | undefined {
  return isLink(request) && detail === ERRORS[codigo].detail ? DETAILS[codigo] : undefined;
}

const isLink = ({ url }: FastifyRequest) => url.startsWith('/c/') && !url.startsWith('/c/assets/');
