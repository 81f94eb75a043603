import type { FastifyRequest } from 'fastify';
import type { AppError } from '../../errors/app-error.js';
import type { ErrorPage } from '../../errors/problem.filter.js';
import { renderPage } from '../../html/page.js';
import { StaffPage } from './staff-page.js';

/** An error as a page, for a browser on support's pages; undefined for every other request. */
export function staffErrorPage({ status, detail }: AppError, request: FastifyRequest): ErrorPage | undefined {
  const { adminUser, url, headers, id } = request;
  const wantsPage = headers.accept?.includes('text/html') ?? false;
  if (adminUser === undefined || !wantsPage || url.startsWith('/admin/queues')) return undefined;
  const html = renderPage(
    <StaffPage title={TITLES[status] ?? 'No se pudo'} user={adminUser}>
      <p>{detail.replaceAll('`', '')}</p>
      <p class="muted">Solicitud {id}</p>
    </StaffPage>,
  );
  return { html, headers: {} };
}

const TITLES: Record<number, string> = {
  403: 'No está permitido',
  404: 'No se encontró',
  500: 'Hubo una falla',
  503: 'Vuelva a intentar',
};
