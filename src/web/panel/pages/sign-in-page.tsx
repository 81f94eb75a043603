import type { Config, Courier } from '../../../platform/config/env.js';
import type { FieldError } from '../../../platform/errors/app-error.js';
import { chatLink } from '../../../platform/validation/phone.js';
import { Field } from '../../kit/field.js';
import { Icon } from '../../kit/icon.js';
import { renderPage } from '../../kit/page.js';
import { PanelPage } from './panel-page.js';

export interface SignInProps {
  /** Whose installation it is, and whether it sends mails. */
  config: Pick<Config, 'courier' | 'mail'>;
  /** Whether staff has pages, too. */
  hasConsole: boolean;
  /** Why the last try opened nothing, and the address that was typed, if any. */
  fault?: (FieldError & { typed?: string | undefined }) | undefined;
}

/** The two ways in: an address of mail, and a key. */
export function renderSignIn({ config, hasConsole, fault }: SignInProps): string {
  const { courier, mail } = config;
  // Where no mail is sent, the key is the way in.
  const isKeyFirst = mail === undefined || fault?.campo === 'api_key';
  const typed = { fields: { correo: fault?.typed }, faults: fault ? [fault] : [] };
  return renderPage(
    <PanelPage
      title="Entre al panel de su tienda"
      visit={undefined}
      sub={
        <>
          Aquí crea sus guías, ve por dónde van y cuánto le deben.
          {courier && (
            <>
              {' '}
              Es de <b>{courier.name}</b>, que lleva sus paquetes.
            </>
          )}
        </>
      }
    >
      <form method="post" action="/panel" class="card stack">
        <Field label="Su correo" name="correo" type="email" typed={typed} required>
          <span class="soft t2">
            El que le dio a {courier?.name ?? 'quien administra el servicio'}. No hay contraseña: le mandamos
            un enlace.
          </span>
        </Field>
        <div class="stack">
          <button type="submit" class="btn main big">
            <Icon name="send" />
            Mándenme el enlace
          </button>
        </div>
      </form>
      <details class="card stack" open={isKeyFirst}>
        <summary>
          <b>Tengo una clave</b>
        </summary>
        <form method="post" action="/panel" class="stack">
          <Field label="Clave de API" name="api_key" type="password" typed={typed} required maxLength={200}>
            <span class="soft t2">
              Empieza con gk_live_ o gk_test_. La sesión dura 12 horas.
              {hasConsole && (
                <>
                  {' '}
                  Quien administra el servicio <a href="/admin">entra por aquí</a>.
                </>
              )}
            </span>
          </Field>
          <button type="submit" class="btn">
            <Icon name="key" />
            Entrar con la clave
          </button>
        </form>
      </details>
      {courier?.phone !== undefined && (
        <div class="stack">
          <p class="soft">¿Su tienda todavía no está?</p>
          <WriteTo courier={courier} />
        </div>
      )}
    </PanelPage>,
  );
}

/** Leads to a chat with the courier, where it named a phone. */
export function WriteTo({ courier }: { courier: Courier | undefined }) {
  if (courier?.phone === undefined) return null;
  return (
    <a class="btn wa" href={chatLink(courier.phone)} rel="noreferrer noopener">
      <Icon name="speech" />
      Escribir a {courier.name}
    </a>
  );
}
