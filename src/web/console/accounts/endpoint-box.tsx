import { atMost, Badge, Facts, Time } from '../../kit/elements.js';
import { Ask } from '../../kit/post-form.js';
import { shownUrl } from '../../kit/shown-link.js';
import { GIVE_UP_DAYS } from '../../../webhooks/deliveries/delivery-schedule.js';
import type { EntregaEstado } from '../../../webhooks/deliveries/webhook-entrega.entity.js';
import {
  DESACTIVADO_POR,
  type DesactivadoPor,
  type Webhook,
} from '../../../webhooks/endpoints/webhook.entity.js';
import { endpointAnswer } from '../pages/endpoint-answer.js';
import type { EndpointAccount } from './endpoint-account.js';
import { MAX_DELIVERIES, type EndpointHealth } from './endpoint-health.queries.js';

/** Characters of an endpoint's last answer. */
const SHOWN_ANSWER = 200;

export interface WatchedEndpoint {
  webhook: Webhook;
  health: EndpointHealth | undefined;
}

interface EndpointBoxProps {
  account: EndpointAccount;
  /** Oldest first. */
  endpoints: WatchedEndpoint[];
  canAct: boolean;
}

/** The endpoints of a merchant or an operator, and what support can do with each. */
export function EndpointBox({ account, endpoints, canAct }: EndpointBoxProps) {
  return (
    <section class="card stack">
      <h2>Endpoints</h2>
      {endpoints.length === 0 && <p class="soft">No tiene ninguno: no recibe avisos.</p>}
      {endpoints.map((endpoint) => (
        <Endpoint {...endpoint} account={account} canAct={canAct} />
      ))}
    </section>
  );
}

type EndpointProps = WatchedEndpoint & Omit<EndpointBoxProps, 'endpoints'>;

function Endpoint({ webhook, health, account, canAct }: EndpointProps) {
  const { zone } = account;
  const path = `${account.path}/webhooks/${webhook.id}`;
  const { id, activo, falla_desde, desactivado_en, desactivado_por, descripcion, termina_en } = webhook;
  const causa = (falla_desde !== null || !activo) && health?.causa;
  return (
    <div class="stack" id={`w-${id}`}>
      <h3>
        {shownUrl(webhook.url)} {healthBadge(webhook)}
      </h3>
      <Facts
        facts={[
          ['Id', id],
          ['Descripción', descripcion],
          [
            'Desactivado',
            !activo && desactivado_en && desactivado_por && (
              <>
                <Time at={desactivado_en.toISOString()} zone={zone} />: {reasonOf(webhook, desactivado_por)}
              </>
            ),
          ],
          ['Termina', activo && termina_en && 'cuando no quede nada por enviar: el comercio cerró'],
          ['Falla desde', falla_desde && <Time at={falla_desde.toISOString()} zone={zone} />],
          [
            'Se desactiva',
            activo && falla_desde && (
              <>
                si sigue fallando después del <Time at={givenUpAt(falla_desde)} zone={zone} />
              </>
            ),
          ],
          [
            'Última respuesta',
            health?.en ? (
              <LastAnswer {...health} en={health.en} zone={zone} />
            ) : (
              'ninguna a los últimos avisos'
            ),
          ],
          ['Causa', causa],
          [
            'Avisos por enviar',
            health && <Deliveries path={path} estado="pendiente" count={health.pendientes} />,
          ],
          [
            'Avisos que fallaron',
            health && <Deliveries path={path} estado="fallida" count={health.fallidas} />,
          ],
          ['Avisos entregados', <a href={`${path}/avisos?estado=entregada`}>Ver la lista</a>],
        ]}
      />
      {canAct && <EndpointActions path={path} {...webhook} />}
    </div>
  );
}

/** Why it is disabled. A merchant that closed has ended its own. */
const reasonOf = ({ termina_en }: Webhook, por: DesactivadoPor) =>
  termina_en !== null && por === 'comercio' ? 'el comercio cerró' : DESACTIVADO_POR[por];

interface DeliveriesProps {
  path: string;
  estado: EntregaEstado;
  count: number;
}

/** How many deliveries are in a state, with a link to their list. */
function Deliveries({ path, estado, count }: DeliveriesProps) {
  const shown = atMost(count, MAX_DELIVERIES);
  if (count === 0) return <>{shown}</>;
  return <a href={`${path}/avisos?estado=${estado}`}>{shown}</a>;
}

/** ISO 8601. */
const givenUpAt = (failsSince: Date) =>
  new Date(failsSince.getTime() + GIVE_UP_DAYS * 86_400_000).toISOString();

function healthBadge({ activo, falla_desde }: Webhook) {
  if (!activo) return <Badge tone="bad">desactivado</Badge>;
  return falla_desde === null ? <Badge tone="good">activo</Badge> : <Badge tone="bad">falla</Badge>;
}

function LastAnswer({ en, respuesta, zone, ...answer }: EndpointHealth & { en: string; zone: string }) {
  return (
    <>
      {endpointAnswer(answer)}, <Time at={en} zone={zone} />
      {respuesta && <pre>{respuesta.slice(0, SHOWN_ANSWER)}</pre>}
    </>
  );
}

function EndpointActions({ path, activo, desactivado_por }: Webhook & { path: string }) {
  const release = activo ? 'Enviar todo lo que falta' : 'Activar y enviar todo lo que falta';
  return (
    <div class="row">
      <Ask label="Probar ahora" icon="send" confirm="Enviar la prueba" action={`${path}/probar`}>
        <p>El endpoint recibe un aviso de prueba, que no es de ninguna guía.</p>
      </Ask>
      <Ask
        label={release}
        confirm={activo ? 'Sí, enviar' : 'Sí, activar y enviar'}
        action={`${path}/liberar`}
      >
        {!activo && (desactivado_por === 'comercio' || desactivado_por === 'operador') && (
          <p>Lo desactivó el {desactivado_por}: actívelo solo si él se lo pide.</p>
        )}
        <p>Salen ahora los avisos por enviar y los que fallaron, con el mismo webhook-id.</p>
      </Ask>
      <a class="btn" href={`${path}/reenviar`}>
        Reenviar un período
      </a>
    </div>
  );
}
