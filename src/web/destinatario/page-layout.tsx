import type { ComponentChildren } from 'preact';
import { Page } from '../kit/page.js';
import { assetUrl } from '../kit/assets.js';
import type { PageTexts } from './texts.js';

const FAVICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Cpath fill='%232c3a85' d='M12 2a7 7 0 0 0-7 7c0 5.2 7 13 7 13s7-7.8 7-13a7 7 0 0 0-7-7Zm0 9.5a2.5 2.5 0 1 1 0-5 2.5 2.5 0 0 1 0 5Z'/%3E%3C/svg%3E";

interface RecipientPageProps {
  title: string;
  texts: PageTexts;
  /** Preview of a link to the page in chats. */
  preview?: PageTexts['preview']['asks'];
  /** Whether the page has parts that use `page.js`. */
  hasScript?: boolean;
  children: ComponentChildren;
}

/** A page for recipients. Chats make their link preview from its head, so the head names nobody. */
export function RecipientPage({
  title,
  texts,
  preview = texts.preview.asks,
  hasScript = false,
  children,
}: RecipientPageProps) {
  const head = (
    <>
      <meta name="theme-color" content="#f8f4ec" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#15161c" media="(prefers-color-scheme: dark)" />
      <meta name="format-detection" content="telephone=no" />
      <meta property="og:type" content="website" />
      <meta property="og:locale" content={texts.preview.locale} />
      <meta property="og:title" content={preview.title} />
      <meta property="og:description" content={preview.description} />
      <link rel="icon" href={FAVICON} />
      <link rel="stylesheet" href={assetUrl('/c', 'page.css')} />
      {hasScript && (
        <script defer src={assetUrl('/c', 'page.js')} data-texts={JSON.stringify(scriptTexts(texts))} />
      )}
    </>
  );
  return (
    <Page title={title} head={head} lang={texts.lang}>
      <main>{children}</main>
    </Page>
  );
}

/** Texts for `page.js`, whose file is the same in every language. */
const scriptTexts = ({ lang, script }: PageTexts) => ({ lang, ...script });

export function PinIcon() {
  return (
    <svg class="icon" width="24" height="24" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M12 2a7 7 0 0 0-7 7c0 5.2 7 13 7 13s7-7.8 7-13a7 7 0 0 0-7-7Zm0 9.5a2.5 2.5 0 1 1 0-5 2.5 2.5 0 0 1 0 5Z" />
    </svg>
  );
}
