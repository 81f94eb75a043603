import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

interface PageProps {
  /** Text of the browser's tab. */
  title: string;
  /** BCP 47; Spanish by default. */
  lang?: string;
  /** More elements for the head: stylesheets, scripts, previews. */
  head?: ComponentChildren;
  /** Class of the body. */
  bodyClass?: string;
  /** Content of the body. */
  children: ComponentChildren;
}

/** The frame of every page: UTF-8, as wide as the screen, light and dark. */
export function Page({ title, lang = 'es', head, bodyClass, children }: PageProps) {
  return (
    <html lang={lang}>
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {head}
      </head>
      <body class={bodyClass}>{children}</body>
    </html>
  );
}

/** A whole page as it is sent. Values are escaped; `dangerouslySetInnerHTML` has no place here. */
export function renderPage(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`;
}
