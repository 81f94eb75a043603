import { Note } from '../../kit/note.js';
import type { ComponentChildren } from 'preact';
import type { Scope } from '../../../auth/keys/scopes.js';
import { Badge, NavLinks } from '../../kit/elements.js';
import { initialsOf } from '../../kit/initials.js';
import { Page, renderPage } from '../../kit/page.js';
import type { Refusal } from '../forms/panel-forms.service.js';
import { may, type Visit } from '../visit.js';
import { assetUrl } from '../../kit/assets.js';

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
  /** Undefined before a session. */
  visit: Visit | undefined;
  /** Which part of the panel the page is. */
  part?: PanelPart;
  /** What was done, said above the page. */
  done?: string | undefined;
  /** The form that was refused; why, is said above the page. */
  refusal?: Refusal | undefined;
  /** A further script, which the page can do without. */
  script?: string;
  /** Class of its content. */
  look?: string;
  children: ComponentChildren;
}

/** A page of the panel. */
export function PanelPage(props: PanelPageProps) {
  const { title, visit, part, done, refusal, script, look, children } = props;
  return (
    <Page
      title={`${title} · ${visit?.merchant.name ?? 'Guías'}`}
      head={
        <>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href={assetUrl('/panel', 'staff.css')} />
          <script src={assetUrl('/panel', 'panel.js')} defer />
          {script !== undefined && <script src={assetUrl('/panel', script)} defer />}
        </>
      }
    >
      {visit && <Header visit={visit} part={part} />}
      <main id="contenido" class={look} data-quedan={visit?.secondsLeft}>
        <h1>{title}</h1>
        {refusal ? (
          <Note tone="bad" role="alert">
            {refusal.notice || faultsNotice(refusal.faults.length)}
          </Note>
        ) : (
          done !== undefined && <Note role="status">{done}</Note>
        )}
        {children}
      </main>
    </Page>
  );
}

const faultsNotice = (count: number) =>
  count === 1 ? 'Corrija el campo marcado.' : `Corrija los ${count} campos marcados.`;

function Header({ visit, part }: { visit: Visit; part: PanelPart | undefined }) {
  const { merchant } = visit;
  const parts = PARTS.filter(([, , scope]) => may(visit, scope));
  return (
    <>
      <a class="skip" href="#contenido">
        Ir al contenido
      </a>
      <header class="top">
        <a class="brand" href="/panel">
          <span class="disc" aria-hidden="true">
            {initialsOf(merchant.name)}
          </span>
          {merchant.name}
        </a>
        {merchant.isTest && <Badge tone="care">Modo de prueba</Badge>}
        <form class="end" method="post" action="/panel/salir">
          <button type="submit" class="btn text">
            Salir
          </button>
        </form>
        <NavLinks label="Panel" links={parts} current={part} />
      </header>
    </>
  );
}

/** The sign-in form. @param hasConsole whether staff has pages, too. @param fault why the last try opened nothing. */
export function renderSignIn(hasConsole: boolean, fault?: string): string {
  const id = 'falta-api_key';
  return renderPage(
    <PanelPage title="Entre a su panel" visit={undefined} look="narrow">
      <form method="post" action="/panel">
        <label class="field">
          Clave de API
          <input
            type="password"
            name="api_key"

            required
            maxLength={200}
            autocomplete="current-password"
            {...(fault !== undefined && { 'aria-invalid': true as const, 'aria-describedby': id })}
          />
          {fault !== undefined && (
            <span id={id} class="why" role="alert">
              {fault}
            </span>
          )}
        </label>
        <p class="soft">
          Empieza con gk_live_. Se la da quien administra el servicio
          {hasConsole && (
            <>
              {' '}
              (<a href="/admin">entra por aquí</a>)
            </>
          )}
          .
        </p>
        <button type="submit" class="btn main">
          Entrar
        </button>
      </form>
    </PanelPage>,
  );
}
