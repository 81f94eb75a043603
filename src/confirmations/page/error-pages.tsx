import type { FastifyRequest } from 'fastify';
import type { AppError } from '../../errors/app-error.js';
import { renderPage } from '../../html/page.js';
import { RecipientPage } from './page-layout.js';
import { ES, type PageTexts } from './texts.es.js';

/** A page in place of the parcel's: the link is unknown or has expired, or the service cannot answer now. */
export function renderErrorPage(texts: PageTexts, why: 'missing' | 'busy' | 'away'): string {
  const { title, heading, paragraphs } = texts[why];
  return renderPage(
    <RecipientPage title={title} texts={texts}>
      <header>
        <h1>{heading}</h1>
      </header>
      {paragraphs.map((text) => (
        <p>{text}</p>
      ))}
    </RecipientPage>,
  );
}

/** For a link with additions that no route matches; undefined for every other request. */
export function recipientErrorPage(
  { codigo }: AppError,
  { method, url }: FastifyRequest,
): string | undefined {
  const isLink = method === 'GET' && url.startsWith('/c/') && !url.startsWith('/c/assets/');
  return isLink && codigo === 'no_encontrado' ? renderErrorPage(ES, 'missing') : undefined;
}
