import { mayAct } from '../../../platform/config/board-users.js';
import { renderInTurn } from '../../kit/render-turns.js';
import type { Webhook } from '../../../webhooks/endpoints/webhook.entity.js';
import type { StaffUser } from '../admin-access.js';
import { Field } from '../../kit/field.js';
import { PostForm } from '../../kit/post-form.js';
import { shownUrl } from '../../kit/shown-link.js';
import { StaffPage } from '../pages/staff-page.js';
import type { Done } from '../audit/audit.service.js';
import type { EndpointAccount } from './endpoint-account.js';

interface ReplayPageProps extends Partial<Pick<Done<unknown>, 'outcome' | 'typed'>> {
  user: StaffUser;
  account: EndpointAccount;
  webhook: Webhook;
}

/** Asks for the span of time whose deliveries are sent again. */
export function renderReplay({ user, account, webhook, outcome, typed }: ReplayPageProps): Promise<string> {
  const { path, nombre, zone } = account;
  return renderInTurn(
    <StaffPage title="Reenviar un período" user={user} back={[path, nombre]} outcome={outcome}>
      <p>
        A {shownUrl(webhook.url)}. Los avisos llevan el mismo webhook-id y el mismo cuerpo que antes. Se
        guardan al menos 90 días.
      </p>
      {mayAct(user, 'soporte') ? (
        <PostForm action={`${path}/webhooks/${webhook.id}/reenviar`}>
          <Field
            label={`Desde (hora de ${zone})`}
            name="desde"
            type="datetime-local"
            required
            typed={typed}
          />
          <Field label="Hasta (si lo deja vacío, ahora)" name="hasta" type="datetime-local" typed={typed} />
          <Field
            label="Cuáles"
            name="cuales"
            typed={typed}
            options={[
              ['fallidas', 'Los que fallaron'],
              ['todas', 'Todos, también los que ya recibió'],
            ]}
          />
          <button type="submit" class="btn main">
            Sí, reenviar
          </button>
        </PostForm>
      ) : (
        <p>Su usuario solo puede mirar.</p>
      )}
    </StaffPage>,
  );
}
