import { endOf } from '../../../auth/keys/clave-api.entity.js';
import { prefixOf } from '../../../auth/keys/api-key.js';
import { keyModeOf, type KeyWithMerchant } from '../../../auth/keys/api-keys.service.js';
import { mayAct } from '../../../config/board-users.js';
import { ESTADOS } from '../../../guias/guia-estado.js';
import { groupedPhone } from '../../../validation/phone.js';
import { timeZoneOf } from '../../../validation/time-zone.js';
import { renderInTurn } from '../../kit/render-turns.js';
import { GIVE_UP_DAYS } from '../../../webhooks/deliveries/delivery-schedule.js';
import type { EntregaEstado } from '../../../webhooks/deliveries/webhook-entrega.entity.js';
import { DESACTIVADO_POR, type Webhook } from '../../../webhooks/endpoints/webhook.entity.js';
import type { StaffUser } from '../admin-access.js';
import type { Outcome } from '../audit/audit.service.js';
import { Ask, atMost, Badge, dayName, Facts, grouped, Table, Time } from '../../kit/elements.js';
import type { TypedForm } from '../../kit/field.js';
import { endpointAnswer } from '../pages/endpoint-answer.js';
import { shownUrl } from '../../kit/shown-link.js';
import { StaffPage } from '../pages/staff-page.js';
import { AdjustmentsBox } from './adjustments-box.js';
import { MAX_DELIVERIES, type EndpointHealth } from './endpoint-health.queries.js';
import { MAX_GUIAS, type EstadoCount } from './merchant-guias.queries.js';
import type { DayUsage, MerchantOverview } from './merchant-overview.service.js';
import { MAX_PER_DAY } from './merchants.queries.js';

/** Keys on the page, the newest. */
const SHOWN_KEYS = 15;

/** Characters of an endpoint's last answer. */
const SHOWN_ANSWER = 200;

interface MerchantPageProps extends MerchantOverview {
  user: StaffUser;
  outcome: Outcome | undefined;
  /** The adjustment that was refused. */
  typed?: TypedForm | undefined;
}

/** Everything about a merchant, and the actions on its endpoints. */
export function renderMerchant({
  user,
  outcome,
  merchant,
  keys,
  endpoints,
  usage,
  estados,
  ajustes,
  typed,
}: MerchantPageProps): Promise<string> {
  const zone = timeZoneOf(merchant.pais);
  return renderInTurn(
    <StaffPage
      title={merchant.nombre}
      user={user}
      outcome={outcome}
      search={{ q: '', comercio: merchant.nombre }}
    >
      <section class="card stack">
        <Facts
          facts={[
            ['País y moneda', `${merchant.pais}, ${merchant.moneda}`],
            [
              'Teléfono de contacto',
              merchant.telefono_contacto && groupedPhone(merchant.telefono_contacto, merchant.pais),
            ],
            ['Desde', <Time at={merchant.creado_en.toISOString()} zone={zone} />],
            ['Id', merchant.id],
            [
              'Cuenta',
              mayAct(user, 'admin') && (
                <a href={`/admin/comercios/${merchant.id}/cuenta`}>Sus datos y claves</a>
              ),
            ],
          ]}
        />
      </section>
      <Guias comercio={merchant.id} estados={estados} />
      <AdjustmentsBox user={user} merchant={merchant} ajustes={ajustes} typed={typed} />
      <section class="card stack">
        <h2>Endpoints</h2>
        {endpoints.length === 0 && <p class="soft">No tiene ninguno: no recibe avisos.</p>}
        {endpoints.map(({ webhook, health }) => (
          <Endpoint webhook={webhook} health={health} zone={zone} canAct={mayAct(user, 'soporte')} />
        ))}
      </section>
      <Usage usage={usage} />
      <section class="card stack">
        <h2>Claves de API</h2>
        <Keys keys={keys} zone={zone} />
      </section>
      <p class="soft">Horas de {zone}; la hora UTC aparece al señalarlas.</p>
    </StaffPage>,
  );
}

interface EndpointProps {
  webhook: Webhook;
  health: EndpointHealth | undefined;
  zone: string;
  canAct: boolean;
}

function Endpoint({ webhook, health, zone, canAct }: EndpointProps) {
  const { id, activo, falla_desde, desactivado_en, desactivado_por, descripcion } = webhook;
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
                <Time at={desactivado_en.toISOString()} zone={zone} />: {DESACTIVADO_POR[desactivado_por]}
              </>
            ),
          ],
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
            health && <Deliveries webhook={webhook} estado="pendiente" count={health.pendientes} />,
          ],
          [
            'Avisos que fallaron',
            health && <Deliveries webhook={webhook} estado="fallida" count={health.fallidas} />,
          ],
          [
            'Avisos entregados',
            <a href={`/admin/comercios/${webhook.comercio_id}/webhooks/${id}/avisos?estado=entregada`}>
              Ver la lista
            </a>,
          ],
        ]}
      />
      {canAct && <EndpointActions {...webhook} />}
    </div>
  );
}

interface DeliveriesProps {
  webhook: Webhook;
  estado: EntregaEstado;
  count: number;
}

/** How many deliveries are in a state, with a link to their list. */
function Deliveries({ webhook: { id, comercio_id }, estado, count }: DeliveriesProps) {
  const shown = atMost(count, MAX_DELIVERIES);
  if (count === 0) return <>{shown}</>;
  return <a href={`/admin/comercios/${comercio_id}/webhooks/${id}/avisos?estado=${estado}`}>{shown}</a>;
}

/** How many guides are in each state, and how many wait for a confirmation. */
function Guias({ comercio, estados }: { comercio: string; estados: EstadoCount[] }) {
  const path = `/admin/comercios/${comercio}/guias`;
  const some = estados.filter(({ guias }) => guias > 0);
  const unconfirmed = estados.reduce((sum, { sin_confirmar }) => sum + sin_confirmar, 0);
  return (
    <section class="card stack">
      <h2>Guías por estado</h2>
      <p>
        {unconfirmed > 0 ? (
          <a href={`${path}?ver=sin-confirmar`}>{atMost(unconfirmed, MAX_GUIAS)} sin confirmar</a>
        ) : (
          'Ninguna espera que la confirmen.'
        )}
      </p>
      <Table
        label="Guías por estado"
        empty="Todavía no ha creado ninguna."
        columns={['Estado', 'Guías', 'Sin confirmar']}
        rows={some.map(({ estado, guias, sin_confirmar }) => [
          <Badge tone={ESTADOS[estado].tone}>{ESTADOS[estado].name}</Badge>,
          <a href={`${path}?ver=${estado}`}>{atMost(guias, MAX_GUIAS)}</a>,
          sin_confirmar > 0 && atMost(sin_confirmar, MAX_GUIAS),
        ])}
      />
    </section>
  );
}

/** ISO 8601. */
const givenUpAt = (failsSince: Date) =>
  new Date(failsSince.getTime() + GIVE_UP_DAYS * 86_400_000).toISOString();

function healthBadge({ activo, falla_desde }: Webhook) {
  if (!activo) return <Badge tone="bad">desactivado</Badge>;
  return falla_desde === null ? <Badge tone="good">activo</Badge> : <Badge tone="bad">falla</Badge>;
}

function LastAnswer({
  en,
  estado_http,
  error,
  respuesta,
  zone,
}: EndpointHealth & { en: string; zone: string }) {
  return (
    <>
      {endpointAnswer({ estado_http, error })}, <Time at={en} zone={zone} />
      {respuesta && <pre>{respuesta.slice(0, SHOWN_ANSWER)}</pre>}
    </>
  );
}

function EndpointActions({ id, comercio_id, activo, desactivado_por }: Webhook) {
  const path = `/admin/comercios/${comercio_id}/webhooks/${id}`;
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
        {!activo && desactivado_por === 'comercio' && (
          <p>Lo desactivó el comercio: actívelo solo si él se lo pide.</p>
        )}
        <p>Salen ahora los avisos por enviar y los que fallaron, con el mismo webhook-id.</p>
      </Ask>
      <a class="btn" href={`${path}/reenviar`}>
        Reenviar un período
      </a>
    </div>
  );
}

function Usage({ usage }: { usage: DayUsage[] }) {
  const most = Math.max(...usage.map(({ guias }) => guias));
  const total = usage.reduce((sum, { guias }) => sum + Math.min(guias, MAX_PER_DAY), 0);
  const last = usage.at(-1)!;
  return (
    <section class="card stack">
      <h2>Guías por día</h2>
      <p>
        {most > MAX_PER_DAY && 'más de '}
        {grouped(total)} en {usage.length} días; hoy {atMost(last.guias, MAX_PER_DAY)}.
      </p>
      <ol class="bars" aria-label="Guías por día, del más antiguo al de hoy">
        {usage.map(({ dia, guias }) => (
          <li
            style={{ height: `${(100 * guias) / Math.max(1, most)}%` }}
            title={`${dayName(dia)}: ${atMost(guias, MAX_PER_DAY)}`}
          >
            <span class="vh">
              {dayName(dia)}: {atMost(guias, MAX_PER_DAY)}
            </span>
          </li>
        ))}
      </ol>
      <p class="soft">
        Del {dayName(usage[0]!.dia)} al {dayName(last.dia)}; el día de más guías, {atMost(most, MAX_PER_DAY)}.
      </p>
    </section>
  );
}

function Keys({ keys, zone }: { keys: KeyWithMerchant[]; zone: string }) {
  return (
    <>
      <Table
        label="Claves de API"
        columns={['Clave', 'Etiqueta', 'Alcances', 'Creada', 'Último uso', 'Estado']}
        rows={keys.slice(0, SHOWN_KEYS).map((key) => {
          return [
            <>
              {prefixOf(key.identificador, keyModeOf(key))}…{' '}
              {keyModeOf(key) === 'test' && <Badge tone="care">prueba</Badge>}
            </>,
            key.etiqueta,
            key.alcances.join(', '),
            <Time at={key.creada_en.toISOString()} zone={zone} />,
            key.ultimo_uso_en === null ? 'nunca' : <Time at={key.ultimo_uso_en.toISOString()} zone={zone} />,
            <KeyState clave={key} zone={zone} />,
          ];
        })}
      />
      {keys.length > SHOWN_KEYS && <p class="soft">Y {keys.length - SHOWN_KEYS} más antiguas.</p>}
    </>
  );
}

/** Whether a key works, and until when it does or did. */
function KeyState({ clave, zone }: { clave: KeyWithMerchant; zone: string }) {
  const { revocada_en } = clave;
  const end = endOf(clave);
  const until = (date: Date) => <Time at={date.toISOString()} zone={zone} />;
  if (revocada_en !== null)
    return (
      <>
        <Badge tone="bad">revocada</Badge> {until(revocada_en)}
      </>
    );
  if (end === null) return <Badge tone="good">sirve</Badge>;
  const isOver = end <= new Date();
  return (
    <>
      {isOver ? <Badge tone="bad">venció</Badge> : <Badge tone="good">sirve hasta</Badge>} {until(end)}
    </>
  );
}
