import { mayAct } from '../../../platform/config/board-users.js';
import { renderInTurn } from '../../kit/render-turns.js';
import type { Webhook } from '../../../webhooks/endpoints/webhook.entity.js';
import type { StaffUser } from '../admin-access.js';
import { Clave } from '../../kit/elements.js';
import { shownUrl } from '../../kit/shown-link.js';
import { StaffPage } from '../pages/staff-page.js';
import type { EndpointAccount } from './endpoint-account.js';

interface ReplayPageProps {
  user: StaffUser;
  account: EndpointAccount;
  webhook: Webhook;
}

/** Asks for the span of time whose deliveries are sent again. */
export function renderReplay({ user, account, webhook }: ReplayPageProps): Promise<string> {
  const { path, nombre, zone } = account;
  return renderInTurn(
    <StaffPage title="Reenviar un período" user={user}>
      <p>
        De <a href={path}>{nombre}</a>, a {shownUrl(webhook.url)}. Los avisos llevan el mismo webhook-id y el
        mismo cuerpo que antes. Se guardan al menos 90 días.
      </p>
      {mayAct(user, 'soporte') ? (
        <form method="post" action={`${path}/webhooks/${webhook.id}/reenviar`}>
          <Clave />
          <label class="field">
            Desde (hora de {zone})
            <input type="datetime-local" name="desde" required />
          </label>
          <label class="field">
            Hasta (si lo deja vacío, ahora)
            <input type="datetime-local" name="hasta" />
          </label>
          <label class="field">
            Cuáles
            <select name="cuales">
              <option value="fallidas">Los que fallaron</option>
              <option value="todas">Todos, también los que ya recibió</option>
            </select>
          </label>
          <button type="submit" class="btn main">
            Sí, reenviar
          </button>
        </form>
      ) : (
        <p>Su usuario solo puede mirar.</p>
      )}
    </StaffPage>,
  );
}
