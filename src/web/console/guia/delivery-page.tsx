import type { Merchant } from '../../../auth/merchants/merchant.js';
import { mayAct } from '../../../platform/config/board-users.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { renderInTurn } from '../../kit/render-turns.js';
import { ESTADOS_DE_ENTREGA } from '../../../webhooks/deliveries/webhook-entrega.entity.js';
import type { EntregaDetalleDto } from '../../../webhooks/deliveries/entrega.dto.js';
import { avisoName } from '../../../webhooks/endpoints/webhook-evento.js';
import type { StaffUser } from '../admin-access.js';
import { Badge, Facts, Table, Time } from '../../kit/elements.js';
import { Ask } from '../../kit/post-form.js';
import { GuiaLink } from '../pages/guia-link.js';
import { endpointAnswer } from '../pages/endpoint-answer.js';
import { StaffPage } from '../pages/staff-page.js';

/** Tries on the page, the last ones. */
const SHOWN = 20;

interface DeliveryPageProps {
  user: StaffUser;
  guia: string;
  webhookId: string;
  merchant: Merchant;
  entrega: EntregaDetalleDto;
  /** Host and path, without parts that may be secret. */
  endpoint: string;
}

export function renderDelivery(props: DeliveryPageProps): Promise<string> {
  const { user, guia, webhookId, merchant, entrega, endpoint } = props;
  const zone = timeZoneOf(merchant.country);
  const { name, tone } = ESTADOS_DE_ENTREGA[entrega.estado];
  const next = entrega.proximo_intento_en;
  return renderInTurn(
    <StaffPage title={`Aviso: ${avisoName(entrega.evento)}`} user={user}>
      <p>
        <Badge tone={tone}>{name}</Badge>
      </p>
      <Facts
        facts={[
          ['Guía', <GuiaLink guia={guia} />],
          [
            'Comercio',
            // A test twin has no page of its own.
            merchant.isTest ? (
              merchant.name
            ) : (
              <a href={`/admin/comercios/${merchant.id}#w-${webhookId}`}>{merchant.name}</a>
            ),
          ],
          ['Endpoint', endpoint],
          ['Causa', entrega.causa],
          ['Creado', <Time at={entrega.creada_en} zone={zone} />],
          ['Próximo intento', next && <Time at={next} zone={zone} />],
          ['webhook-id', entrega.id],
        ]}
      />
      {mayAct(user, 'soporte') && (
        <div class="row">
          <Ask
            label="Reenviar este aviso"
            confirm="Sí, reenviar"
            action={`/admin/guias/${guia}/avisos/${webhookId}/${entrega.id}`}
          >
            <p>
              Sale ahora, con el mismo webhook-id y el mismo cuerpo
              {entrega.estado === 'entregada' && ', aunque el comercio ya lo recibió'}.
            </p>
          </Ask>
        </div>
      )}
      <section>
        <h2>Intentos</h2>
        <Table
          label="Intentos"
          columns={['Cuándo', 'Respuesta', 'Tardó', 'Comienzo de la respuesta']}
          empty="Todavía no se ha intentado."
          rows={entrega.historial
            .slice(-SHOWN)
            .map((intento) => [
              <Time at={intento.en} zone={zone} />,
              endpointAnswer(intento),
              `${intento.ms} ms`,
              intento.respuesta && <pre>{intento.respuesta}</pre>,
            ])}
        />
      </section>
    </StaffPage>,
  );
}
