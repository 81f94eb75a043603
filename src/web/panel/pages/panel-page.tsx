import type { ComponentChildren } from 'preact';
import type { Scope } from '../../../auth/keys/scopes.js';
import type { Tone } from '../../../guias/guia/tone.js';
import { GuiaNumber } from '../../kit/guia.js';
import { Back, Badge, NavLinks } from '../../kit/elements.js';
import { Press } from '../../kit/post-form.js';
import { Faults } from '../../kit/faults.js';
import { initialsOf } from '../../kit/initials.js';
import { Menu } from '../../kit/menu.js';
import { Mark } from '../../kit/mark.js';
import { Note } from '../../kit/note.js';
import { Page } from '../../kit/page.js';
import type { Refusal } from '../forms/panel-forms.service.js';
import { may, type Visit } from '../visit.js';
import { assetUrl } from '../../kit/assets.js';

/** The parts of the panel, by their paths, and the scope that each needs. */
const PARTS = [
  ['/panel', 'Hoy', 'guias:leer'],
  ['/panel/guias', 'Guías', 'guias:leer'],
  ['/panel/guias/nueva', 'Nueva', 'guias:escribir'],
  ['/panel/importar', 'Importar', 'guias:escribir'],
  ['/panel/cobros', 'Dinero', 'guias:leer'],
] as const satisfies [string, string, Scope][];

/** In the menu, as `PARTS`. */
const SETTINGS = [
  ['/panel/recogidas', 'Puntos de recogida', 'guias:leer'],
  ['/panel/ajustes', 'Correo y avisos', 'guias:leer'],
  ['/panel/claves', 'Claves', 'claves'],
  ['/panel/tienda', 'Conectar mi tienda', 'claves'],
] as const satisfies [string, string, Scope][];

export type PanelPart = (typeof PARTS)[number][0];

interface PanelPageProps {
  /** Heading of the page and text of the browser's tab. */
  title: string;
  /** Undefined before a session. */
  visit: Visit | undefined;
  /** The page's part of the panel. */
  part?: PanelPart;
  /** The page above it. */
  back?: readonly [path: string, name: string];
  /** In place of the heading's text. */
  band?: ComponentChildren;
  /** Beside the heading. */
  aside?: ComponentChildren;
  /** Below the heading. */
  sub?: ComponentChildren;
  /** Notice above the page after a form. */
  done?: string | undefined;
  /** Whether what was done is to be looked at. */
  isDoubtful?: boolean;
  /** The form that was refused; why, is said above the page. */
  refusal?: Refusal | undefined;
  /** Further scripts, which the page can do without. */
  scripts?: readonly string[];
  /** Whether it takes the whole screen: a list, or two columns. */
  isWide?: boolean;
  children: ComponentChildren;
}

export function PanelPage(props: PanelPageProps) {
  const { title, visit, part, back, band, aside, sub, done, refusal, scripts = [], children } = props;
  return (
    <Page
      title={`${title} · ${visit?.merchant.name ?? 'Guías'}`}
      {...(props.isWide && { bodyClass: 'staff' })}
      head={
        <>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href={assetUrl('/panel', 'staff.css')} />
          <script src={assetUrl('/panel', 'panel.js')} defer />
          {scripts.map((script) => (
            <script src={assetUrl('/panel', script)} defer />
          ))}
        </>
      }
    >
      {visit ? (
        <Header visit={visit} part={part} />
      ) : (
        <header class="top">
          <a class="brand" href="/panel">
            <Mark />
            Guías
          </a>
        </header>
      )}
      <main id="contenido" data-quedan={visit?.secondsLeft}>
        {band ?? (
          <div class={back ? 'stack' : 'stack tight'}>
            <div class="row">
              {back ? <Back to={back} /> : <h1>{title}</h1>}
              {aside}
            </div>
            {back && <h1>{title}</h1>}
            {sub !== undefined && <p class="soft">{sub}</p>}
          </div>
        )}
        {visit?.isClosed && (
          <Note tone="care">
            El comercio está cerrado: aquí solo se mira. Si vuelve a trabajar, pida a la mensajería que lo
            reabra.
          </Note>
        )}
        {refusal ? (
          <Faults {...refusal} />
        ) : (
          done !== undefined && (
            <Note role="status" tone={props.isDoubtful ? 'care' : 'good'}>
              {done}
            </Note>
          )
        )}
        {children}
      </main>
    </Page>
  );
}

function Header({ visit, part }: { visit: Visit; part: PanelPart | undefined }) {
  const { merchant } = visit;
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
        <NavLinks label="Panel" links={PARTS.filter(([, , scope]) => may(visit, scope))} current={part} />
        <Menu name="Ajustes" icon="down" links={SETTINGS.filter(([, , scope]) => may(visit, scope))}>
          <form method="post" action="/panel/salir">
            <button type="submit" class="btn text">
              Salir
            </button>
          </form>
        </Menu>
      </header>
    </>
  );
}

/** Notice after a form, by its word in the address. */
export const noticeOf = (notices: Record<string, string>, hecho = ''): string | undefined =>
  Object.hasOwn(notices, hecho) ? notices[hecho] : undefined;

/** The number of a guide, which leads to its page. */
export function GuiaLink({ guia }: { guia: string }) {
  return (
    <a href={`/panel/guias/${guia}`}>
      <GuiaNumber guia={guia} />
    </a>
  );
}

interface SeenFormProps {
  codigo: string;
  /** Names it for screen readers. */
  of: string;
  /** Of one guide; else of all that were counted, and when the last of these had changed. */
  guia?: string;
  hasta?: string;
}

/** Takes a warning out of the first page. */
export function SeenForm({ codigo, of, guia, hasta }: SeenFormProps) {
  return (
    <Press action="/panel/vistas" fields={{ codigo, guia, hasta }} look="text">
      {hasta === undefined ? 'Ya lo vi' : 'Ya las vi'}
      <span class="vh"> ({of})</span>
    </Press>
  );
}

interface StepsProps {
  label: string;
  names: readonly string[];
  /** From 0. */
  current: number;
  tone: Tone;
}

export function Steps({ label, names, current, tone }: StepsProps) {
  return (
    <ol class={`steps ${tone}`} aria-label={label}>
      {names.map((name, n) => (
        <li class={n < current ? 'done' : undefined} aria-current={n === current ? 'step' : undefined}>
          {name}
        </li>
      ))}
    </ol>
  );
}
