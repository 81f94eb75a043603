import { renderPage } from '../../html/page.js';
import { RecipientPage } from './page-layout.js';
import type { PageTexts } from './texts.es.js';

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
