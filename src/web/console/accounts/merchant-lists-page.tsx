import type { Comercio } from '../../../auth/merchants/comercio.entity.js';
import type { GuiaEstado } from '../../../guias/guia/guia-estado.js';
import { ESTADOS } from '../../../guias/guia/guia-estado.js';
import type { GuiaRow } from '../../../guias/guia/guia-row.js';
import { money } from '../../../guias/guia/local-format.js';
import { EstadoBadge } from '../../kit/guia.js';
import { renderInTurn } from '../../kit/render-turns.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import type { EntregaDto } from '../../../webhooks/deliveries/entrega.dto.js';
import {
  ESTADOS_DE_ENTREGA,
  type EntregaEstado,
} from '../../../webhooks/deliveries/webhook-entrega.entity.js';
import { avisoName } from '../../../webhooks/endpoints/webhook-evento.js';
import type { Webhook } from '../../../webhooks/endpoints/webhook.entity.js';
import type { StaffUser } from '../admin-access.js';
import { asSum, Badge, NextPage, Table, Time } from '../../kit/elements.js';
import { GuiaLink } from '../pages/guia-link.js';
import { shownUrl } from '../../kit/shown-link.js';
import { StaffPage } from '../pages/staff-page.js';
import type { EndpointAccount } from './endpoint-account.js';
import { capitalised } from '../../../platform/validation/text.js';

/** A list of a merchant's guides: of one state, or all that are open and not confirmed. */
export type GuiasVista = GuiaEstado | 'sin-confirmar';

interface ListProps {
  user: StaffUser;
  merchant: Comercio;
  /** Where the next page begins; null on the last one. */
  next: string | null;
}

interface GuiasProps extends ListProps {
  vista: GuiasVista;
  guias: GuiaRow[];
}

/** The guides of a merchant in a state, or without a confirmed destination, the newest first. */
export function renderMerchantGuias({ user, merchant, vista, guias, next }: GuiasProps): Promise<string> {
  const zone = timeZoneOf(merchant.pais);
  const path = `/admin/comercios/${merchant.id}`;
  const isUnconfirmed = vista === 'sin-confirmar';
  const title = isUnconfirmed ? 'Sin confirmar' : ESTADOS[vista].name;
  return renderInTurn(
    <StaffPage title={title} user={user} back={[path, merchant.nombre]} part="/admin/comercios">
      {isUnconfirmed && (
        <a href={`/admin/causas/sin-confirmar?comercio=${merchant.id}`}>
          Las de más de 24 horas, para pedirlas de nuevo
        </a>
      )}
      <Table
        label={title}
        empty="Ninguna."
        columns={['Guía', 'Referencia', 'Destinatario', 'Estado', 'Dirección', asSum('Por cobrar'), 'Creada']}
        rows={guias.map((guia) => [
          <GuiaLink guia={guia.guia} />,
          guia.external_ref,
          guia.destinatario,
          <EstadoBadge estado={guia.estado} />,
          <Badge tone={guia.direccion_confirmada ? 'good' : 'ask'}>
            {guia.direccion_confirmada ? 'confirmada' : 'sin confirmar'}
          </Badge>,
          guia.cod_amount > 0 && money(guia.cod_amount, merchant.moneda, merchant.pais),
          <Time at={guia.creada_en} zone={zone} />,
        ])}
      />
      <NextPage path={`${path}/guias`} query={{ ver: vista }} cursor={next} />
    </StaffPage>,
  );
}

interface DeliveriesProps extends Omit<ListProps, 'merchant'> {
  account: EndpointAccount;
  webhook: Webhook;
  estado: EntregaEstado;
  entregas: EntregaDto[];
}

/** The deliveries of an endpoint in a state, the newest first. */
export function renderDeliveries(props: DeliveriesProps): Promise<string> {
  const { user, account, webhook, estado, entregas, next } = props;
  const { path, nombre, zone } = account;
  return renderInTurn(
    <StaffPage title={`Avisos ${PLURALS[estado]}`} user={user} back={[`${path}#w-${webhook.id}`, nombre]}>
      <p>{shownUrl(webhook.url)}</p>
      <Table
        label={`Avisos ${PLURALS[estado]}`}
        empty="Ninguno."
        columns={['Creado', 'Aviso', 'Guía', 'Estado', 'Intentos', 'Causa', 'Próximo intento']}
        rows={entregas.map((entrega) => {
          const name = capitalised(avisoName(entrega.evento));
          const { guia, proximo_intento_en: again } = entrega;
          return [
            <Time at={entrega.creada_en} zone={zone} />,
            guia === null || !account.isMerchant ? (
              name
            ) : (
              <a href={`/admin/guias/${guia}/avisos/${webhook.id}/${entrega.id}`}>{name}</a>
            ),
            guia && <GuiaLink guia={guia} />,
            <Badge tone={ESTADOS_DE_ENTREGA[entrega.estado].tone}>
              {ESTADOS_DE_ENTREGA[entrega.estado].name}
            </Badge>,
            entrega.intentos,
            entrega.causa,
            again && <Time at={again} zone={zone} />,
          ];
        })}
      />
      <NextPage path={`${path}/webhooks/${webhook.id}/avisos`} query={{ estado }} cursor={next} />
    </StaffPage>,
  );
}

const PLURALS: Record<EntregaEstado, string> = {
  pendiente: 'por entregar',
  entregada: 'entregados',
  fallida: 'que fallaron',
};
