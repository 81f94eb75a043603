import type { ComponentChildren } from 'preact';
import { mayAct } from '../../../config/board-users.js';
import { NavLinks } from '../../kit/elements.js';
import { Page } from '../../kit/page.js';
import type { StaffUser } from '../admin-access.js';
import type { Outcome } from '../audit/audit.service.js';
import { assetUrl } from '../../kit/assets.js';

/** The parts of the console, by their paths, and the role that each needs. */
const PARTS = [
  ['/admin', 'Hoy', 'lectura'],
  ['/admin/despacho', 'Despacho', 'despacho'],
  ['/admin/mensajes', 'Mensajes que fallaron', 'lectura'],
  ['/admin/queues', 'Tablero de colas', 'lectura'],
  ['/admin/eventos', 'Eventos apartados', 'lectura'],
  ['/admin/auditoria', 'Auditoría', 'lectura'],
  ['/admin/comercios', 'Comercios', 'admin'],
  ['/admin/operadores', 'Operadores', 'admin'],
  ['/admin/puesta-en-marcha', 'Puesta en marcha', 'admin'],
] as const;

export interface StaffPageProps {
  /** Heading of the page and text of the browser's tab. */
  title: string;
  user: StaffUser;
  /** Which part of the console the page is. */
  part?: (typeof PARTS)[number][0];
  /** The text in the search field. */
  search?: { q: string; comercio: string };
  /** The outcome of the action that led here. */
  outcome?: Outcome | undefined;
  /** A further script, which the page can do without. */
  script?: string;
  children: ComponentChildren;
}

/** A page for support: search, the parts of the console, who is signed in. */
export function StaffPage({ title, user, part, search, outcome, script, children }: StaffPageProps) {
  const parts = PARTS.filter(([, , role]) => mayAct(user, role));
  return (
    <Page
      title={`${title} · Guías`}
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
      <header>
        <div>
          <NavLinks label="Soporte" links={parts} current={part} />
          <span class="who">
            {user.name} ({user.role})
          </span>
          <form class="search" role="search" method="post" action="/admin/buscar">
            <input
              type="search"
              name="q"
              value={search?.q}
              maxLength={120}
              required
              aria-keyshortcuts="/"
              aria-label="Buscar: teléfono, guía, referencia, nombre o X-Request-Id"
              placeholder="Teléfono, guía, referencia, nombre, X-Request-Id"
            />
            <input
              type="search"
              name="comercio"
              value={search?.comercio}
              maxLength={120}
              aria-label="Solo de este comercio (opcional)"
              placeholder="Comercio (opcional)"
            />
            <button type="submit">Buscar</button>
          </form>
        </div>
      </header>
      <main id="contenido">
        <h1>{title}</h1>
        {outcome && <Notice {...outcome} />}
        {children}
      </main>
    </Page>
  );
}

function Notice({ resultado, nota }: Outcome) {
  const isGood = resultado === 'hecho';
  if (resultado === 'en_curso')
    return (
      <p class="notice" role="status">
        Todavía se está haciendo. La <a href="/admin/auditoria">auditoría</a> dirá cómo termina.
      </p>
    );
  return (
    <p class={isGood ? 'notice' : 'notice bad'} role="status">
      {resultado === 'rechazado' || nota === null ? 'No se hizo: ' : ''}
      {nota ?? 'hubo una falla interna. Vea la auditoría y vuelva a intentar.'}
    </p>
  );
}
