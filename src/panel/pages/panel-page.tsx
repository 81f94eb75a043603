import type { ComponentChildren } from 'preact';
import type { Scope } from '../../auth/keys/scopes.js';
import { Badge } from '../../html/elements.js';
import { Page, renderPage } from '../../html/page.js';
import { may, type Visit } from '../visit.js';
import { panelAssetUrl } from './assets.js';

/** The parts of the panel, by their paths, and the scope that each needs. */
const PARTS = [
  ['/panel', 'Hoy', 'guias:leer'],
  ['/panel/guias', 'Guías', 'guias:leer'],
  ['/panel/guias/nueva', 'Nueva', 'guias:escribir'],
  ['/panel/importar', 'Importar', 'guias:escribir'],
  ['/panel/cobros', 'Cobros', 'guias:leer'],
  ['/panel/liquidaciones', 'Liquidaciones', 'guias:leer'],
  ['/panel/claves', 'Claves', 'claves'],
] as const satisfies [string, string, Scope][];

export type PanelPart = (typeof PARTS)[number][0];

interface PanelPageProps {
  /** Heading of the page and text of the browser's tab. */
  title: string;
  visit: Visit;
  /** Which part of the panel the page is. */
  part?: PanelPart;
  /** Said above the page: what was done, or why it was not. */
  notice?: { text: string; isBad?: boolean } | undefined;
  /** Further scripts, which the page can do without. */
  scripts?: readonly string[];
  children: ComponentChildren;
}

/** A page of the panel for a merchant. */
export function PanelPage({ title, visit, part, notice, scripts = [], children }: PanelPageProps) {
  const { merchant } = visit;
  return (
    <Frame title={`${title} · ${merchant.name}`} scripts={[panelAssetUrl('panel.js'), ...scripts]}>
      <a class="skip" href="#contenido">
        Ir al contenido
      </a>
      <header>
        <div>
          <a class="brand" href="/panel">
            <span class="disc" aria-hidden="true">
              {initialsOf(merchant.name)}
            </span>
            {merchant.name}
          </a>
          {merchant.isTest && <Badge tone="care">Modo de prueba</Badge>}
          <form method="post" action="/panel/salir">
            <button type="submit" class="plain-button">
              Salir
            </button>
          </form>
          <nav class="parts" aria-label="Panel">
            {PARTS.filter(([, , scope]) => may(visit, scope)).map(([path, name]) => (
              <a href={path} {...(path === part && { 'aria-current': 'page' as const })}>
                {name}
              </a>
            ))}
          </nav>
        </div>
      </header>
      <main id="contenido">
        <h1>{title}</h1>
        {notice && (
          <p class={`notice${notice.isBad ? ' bad' : ''}`} role={notice.isBad ? 'alert' : 'status'}>
            {notice.text}
          </p>
        )}
        {children}
      </main>
    </Frame>
  );
}

/** The frame of the panel's pages, also of those before a session. */
export function Frame({
  title,
  scripts = [],
  children,
}: {
  title: string;
  scripts?: readonly string[];
  children: ComponentChildren;
}) {
  return (
    <Page
      title={title}
      bodyClass="shop"
      head={
        <>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href={panelAssetUrl('panel.css')} />
          {scripts.map((src) => (
            <script src={src} defer />
          ))}
        </>
      }
    >
      {children}
    </Page>
  );
}

/** Of the first two words. */
function initialsOf(name: string): string {
  return name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}

/** The sign-in form. @param fault why the last try opened nothing. */
export function renderSignIn(fault?: string): string {
  const id = 'falta-api_key';
  return renderPage(
    <Frame title="Entrar · Guías">
      <main id="contenido" class="narrow">
        <h1>Entre a su panel</h1>
        <form method="post" action="/panel">
          <label>
            Clave de API
            <input
              type="password"
              name="api_key"
              class="long"
              required
              maxLength={200}
              autocomplete="current-password"
              {...(fault !== undefined && { 'aria-invalid': true as const, 'aria-describedby': id })}
            />
            {fault !== undefined && (
              <span id={id} class="fault" role="alert">
                {fault}
              </span>
            )}
          </label>
          <p class="muted">Empieza con gk_live_. Se la da quien administra el servicio.</p>
          <button type="submit" class="main">
            Entrar
          </button>
        </form>
      </main>
    </Frame>,
  );
}
