import type { ComponentChildren } from 'preact';
import type { Courier } from '../../../platform/config/env.js';
import { Facts } from '../../kit/elements.js';
import { Icon } from '../../kit/icon.js';
import { renderPage } from '../../kit/page.js';
import { Picture } from '../../kit/pictures.js';
import { PanelPage } from '../pages/panel-page.js';
import { WriteTo } from '../pages/sign-in-page.js';
import type { Shop } from './enlaces.service.js';

/** Answer to everybody who asks for a link, whether the address is known or not. */
export function renderSent(correo: string, courier: Courier | undefined): string {
  const title = 'Le escribimos';
  const band = (
    <section class="band ask" role="status">
      <Picture mood="letter" />
      <div class="grow">
        <h1>{title}</h1>
        <p>Abra su correo y toque el enlace.</p>
      </div>
    </section>
  );
  return renderPage(
    <PanelPage title={title} visit={undefined} band={band}>
      <div class="card">
        <Facts
          facts={[
            ['A', <b>{correo}</b>],
            ['Dura', '15 minutos, y sirve una vez'],
          ]}
        />
      </div>
      <p>Puede abrirlo en este teléfono o en otro: entra donde lo abra.</p>
      <div class="stack">
        <h2>¿No llega en 2 minutos?</h2>
        <p class="soft">Mire en «no deseado». Si no está, tal vez su tienda tiene otro correo.</p>
        <a class="btn" href="/panel">
          <Icon name="pen" />
          Probar otro correo
        </a>
        <WriteTo courier={courier} />
      </div>
    </PanelPage>,
  );
}

/** A page before a session, with one thing to do. */
const renderEntry = (title: string, sub: string, children: ComponentChildren): string =>
  renderPage(
    <PanelPage title={title} visit={undefined} sub={sub}>
      {children}
    </PanelPage>,
  );

/** The page of a link: one button. @param action its own path. @param correo the address that it confirms, if any. */
export function renderLink(action: string, correo?: string): string {
  const [title, sub, button] =
    correo === undefined
      ? ['Entre al panel', 'El enlace sirve una vez, y la sesión dura 30 días en este aparato.', 'Entrar']
      : ['Confirme su correo', `Los avisos llegarán a ${correo}, y con él se entrará al panel.`, 'Confirmar'];
  return renderEntry(
    title,
    sub,
    <form method="post" action={action} class="card">
      <div class="stack">
        <button type="submit" class="btn main big">
          {button}
        </button>
      </div>
    </form>,
  );
}

/** Asks which of its shops an address enters. @param action path of the link that takes the choice. */
export const renderChoice = (action: string, shops: readonly Shop[]): string =>
  renderEntry(
    '¿A qué tienda entra?',
    'Su correo es el de varias.',
    <form method="post" action={action} class="card">
      <div class="stack">
        {shops.map(({ id, nombre }) => (
          <button type="submit" name="comercio" value={id} class="btn big">
            {nombre}
          </button>
        ))}
      </div>
    </form>,
  );

const ToPanel = ({ children }: { children: string }) => (
  <p>
    <a class="btn main" href="/panel">
      {children}
    </a>
  </p>
);

export const renderConfirmed = ({ correo, nombre }: { correo: string; nombre: string }): string =>
  renderEntry(
    'Correo confirmado',
    `Los avisos de ${nombre} llegan ahora a ${correo}. Las sesiones que empezaron por correo terminaron.`,
    <ToPanel>Ir al panel</ToPanel>,
  );

/** A link that was used, has ended, or never was. */
export const renderDeadLink = (): string =>
  renderEntry(
    'Ese enlace ya no sirve',
    'Cada enlace sirve una vez y por poco tiempo. Si ya lo usó aquí, su panel está abierto; si no, pida otro.',
    <ToPanel>Pedir otro enlace</ToPanel>,
  );
