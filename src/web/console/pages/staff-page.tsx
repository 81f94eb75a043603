import { Faults } from '../../kit/faults.js';
import { Note } from '../../kit/note.js';
import type { ComponentChildren } from 'preact';
import { mayAct } from '../../../platform/config/board-users.js';
import { Back, NavLinks } from '../../kit/elements.js';
import { Icon } from '../../kit/icon.js';
import { Menu } from '../../kit/menu.js';
import { Mark } from '../../kit/mark.js';
import { Page } from '../../kit/page.js';
import type { StaffUser } from '../admin-access.js';
import type { Outcome } from '../audit/audit.service.js';
import { assetUrl } from '../../kit/assets.js';

/** The parts of the console, by their paths, and the role that each needs. */
const PARTS = [
  ['/admin', 'Hoy', 'lectura'],
  ['/admin/despacho', 'Despacho', 'despacho'],
  ['/admin/despacho/cierre', 'Cierre', 'despacho'],
  ['/admin/comercios', 'Comercios', 'admin'],
  ['/admin/mensajes', 'Mensajes', 'lectura'],
] as const;

const SYSTEM = [
  ['/admin/operadores', 'Operadores', 'admin'],
  ['/admin/queues', 'Tablero', 'lectura'],
  ['/admin/eventos', 'Eventos apartados', 'lectura'],
  ['/admin/auditoria', 'Auditoría', 'lectura'],
  ['/admin/puesta-en-marcha', 'Puesta en marcha', 'admin'],
] as const;

/** Only in the menu: elsewhere its field stands in the head. */
const SEARCH = ['/admin/buscar', 'Buscar'] as const;

export interface StaffPageProps {
  /** Heading of the page and text of the browser's tab. */
  title: string;
  user: StaffUser;
  /** The page's part of the console. */
  /** The page above it. */
  back?: readonly [path: string, name: string];
  part?: (typeof PARTS | typeof SYSTEM)[number][0];
  /** The text in the search field. */
  q?: string;
  outcome?: Outcome | undefined;
  /** A further script, which the page can do without. */
  script?: string;
  /** Beside the heading: of what day, a search, the way to what belongs to it. */
  beside?: ComponentChildren;
  children: ComponentChildren;
}

/** A page for support: search, the parts of the console, who is signed in. */
export function StaffPage({ title, user, back, part, q, outcome, script, beside, children }: StaffPageProps) {
  const parts = PARTS.filter(([, , role]) => mayAct(user, role));
  const system = SYSTEM.filter(([, , role]) => mayAct(user, role));
  return (
    <Page
      title={`${title} · Guías`}
      bodyClass="staff"
      head={
        <>
          <link rel="stylesheet" href={assetUrl('/admin', 'staff.css')} />
          <script src={assetUrl('/admin', 'soporte.js')} defer />
          {script !== undefined && <script src={assetUrl('/admin', script)} defer />}
        </>
      }
    >
      <a class="skip" href="#contenido">
        Ir al contenido
      </a>
      <header class="top one">
        <a class="brand" href="/admin">
          <Mark />
          Guías
        </a>
        <NavLinks label="Soporte" links={parts} current={part} />
        <form class="search" role="search" method="post" action="/admin/buscar">
          <Icon name="search" />
          <input
            type="search"
            name="q"
            value={q}
            maxLength={120}
            required
            aria-keyshortcuts="/"
            aria-label="Buscar: teléfono, guía, referencia, nombre o X-Request-Id"
            placeholder="Buscar guía, teléfono, nombre…   /"
          />
        </form>
        <Menu name="Sistema" icon="down" links={system} current={part} />
        <span class="soft t2">
          {user.name} · {user.role}
        </span>
        <Menu name="Menú" icon="menu" look="slim" links={[...parts, SEARCH, ...system]} current={part} />
      </header>
      <main id="contenido">
        <div class="row">
          {back && <Back to={back} />}
          <h1>{title}</h1>
          {beside}
        </div>
        {outcome && <Notice {...outcome} />}
        {children}
      </main>
    </Page>
  );
}

function Notice({ resultado, nota, faults }: Outcome) {
  if (faults) return <Faults faults={faults} intro="No se hizo:" />;
  const isGood = resultado === 'hecho';
  if (resultado === 'en_curso')
    return (
      <Note role="status">
        Todavía se está haciendo. La <a href="/admin/auditoria">auditoría</a> dirá cómo termina.
      </Note>
    );
  return (
    <Note tone={isGood ? 'good' : 'bad'} role="status">
      {resultado === 'rechazado' || nota === null ? 'No se hizo: ' : ''}
      {nota ?? 'hubo una falla interna. Vea la auditoría y vuelva a intentar.'}
    </Note>
  );
}
