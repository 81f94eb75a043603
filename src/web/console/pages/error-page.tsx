import type { FastifyRequest } from 'fastify';
import type { AppError } from '../../../platform/errors/app-error.js';
import type { ErrorPage } from '../../../platform/errors/problem.filter.js';
import { ErrorText, errorTitle } from '../../kit/error-text.js';
import { renderPage } from '../../kit/page.js';
import { StaffPage } from './staff-page.js';

/** An error as a page, for a browser on support's pages; undefined for every other request. */
export function staffErrorPage({ status, detail }: AppError, request: FastifyRequest): ErrorPage | undefined {
  const { adminUser, url, headers, id } = request;
  const wantsPage = headers.accept?.includes('text/html') ?? false;
  if (adminUser === undefined || !wantsPage || url.startsWith('/admin/queues')) return undefined;
  const html = renderPage(
    <StaffPage title={errorTitle(status)} user={adminUser}>
      <ErrorText detail={detail} request={id} />
    </StaffPage>,
  );
  return { html, headers: {} };
}
