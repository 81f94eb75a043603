import { mayAct } from '../../../platform/config/board-users.js';
import { groupedPhone } from '../../../platform/validation/phone.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { EstadoBadge } from '../../kit/guia.js';
import { CorreoState } from '../../kit/correo-state.js';
import { renderInTurn } from '../../kit/render-turns.js';
import type { StaffUser } from '../admin-access.js';
import type { Outcome } from '../audit/audit.service.js';
import { atMost, dayName, Facts, grouped, Time } from '../../kit/elements.js';
import { Ask, Press } from '../../kit/post-form.js';
import { Field, type TypedForm } from '../../kit/field.js';
import { MAX } from '../../../guias/guia/limits.js';
import type { Comercio } from '../../../auth/merchants/comercio.entity.js';
import { StaffPage } from '../pages/staff-page.js';
import { COUNTRY_NAMES } from './accounts-page.js';
import { AdjustmentsBox } from './adjustments-box.js';
import { ClosingBox, closedBadge, closedFacts } from './closing-box.js';
import { accountOfMerchant } from './endpoint-account.js';
import { EndpointBox } from './endpoint-box.js';
import { KeysBox, NewKeyNotes } from './keys-box.js';
import type { SentOfAccount } from './accounts.service.js';
import type { MerchantClosing } from './merchant-closing.service.js';
import { MAX_GUIAS } from './merchant-guias.queries.js';
import type { DayUsage, MerchantOverview } from './merchant-overview.service.js';
import { MAX_PER_DAY } from './merchants.queries.js';

/** Keys on the page, the newest. */
const SHOWN_KEYS = 15;

interface MerchantPageProps extends MerchantOverview {
  user: StaffUser;
  outcome: Outcome | undefined;
  /** For who may close it; null where what it means could not be read. */
  closing?: MerchantClosing | null | undefined;
  sent?: SentOfAccount | undefined;
}

export function renderMerchant(props: MerchantPageProps): Promise<string> {
  const { user, outcome, merchant, keys, endpoints, usage, estados, closing, ajustes, masAjustes, sent } =
    props;
  const zone = timeZoneOf(merchant.pais);
  const canSetUp = mayAct(user, 'admin');
  const account = `/admin/comercios/${merchant.id}/cuenta`;
  const typedIn = (form: SentOfAccount['form']) => (sent?.form === form ? sent.done.typed : undefined);
  const guiasPath = `/admin/comercios/${merchant.id}/guias`;
  const unconfirmed = estados.reduce((sum, { sin_confirmar }) => sum + sin_confirmar, 0);
  const some = estados
    .filter(({ guias }) => guias > 0)
    .map(({ estado, guias }) => (
      <span>
        <EstadoBadge estado={estado} /> <a href={`${guiasPath}?ver=${estado}`}>{atMost(guias, MAX_GUIAS)}</a>
      </span>
    ));
  return renderInTurn(
    <StaffPage
      title={merchant.nombre}
      user={user}
      outcome={outcome}
      part="/admin/comercios"
      beside={closedBadge(merchant)}
    >
      {sent?.newKey && <NewKeyNotes newKey={sent.newKey} zone={zone} isMerchant />}
      <section class="card stack">
        <Facts
          facts={[
            ['País y moneda', `${COUNTRY_NAMES.of(merchant.pais)}, ${merchant.moneda}`],
            [
              'WhatsApp',
              merchant.telefono_contacto && groupedPhone(merchant.telefono_contacto, merchant.pais),
            ],
            ['Correo', <CorreoState merchant={merchant} />],
            ['PIN al entregar', merchant.con_pin ? 'Sí' : 'No'],
            ['Guías', some.length === 0 ? 'Todavía no ha creado ninguna.' : <div class="row">{some}</div>],
            [
              'Su puerta',
              unconfirmed > 0 && (
                <a href={`${guiasPath}?ver=sin-confirmar`}>{atMost(unconfirmed, MAX_GUIAS)} sin confirmar</a>
              ),
            ],
            ['Desde', <Time at={merchant.creado_en.toISOString()} zone={zone} />],
            ...closedFacts(merchant, zone),
            ['Id', merchant.id],
          ]}
        />
        <div class="row">
          {canSetUp && <Edit merchant={merchant} path={account} typed={typedIn('cuenta')} />}
          {unconfirmed > 0 && mayAct(user, 'soporte') && (
            <Press
              action="/admin/causas/sin-confirmar"
              fields={{ accion: 'pedir', comercio: merchant.id }}
              icon="send"
            >
              Pedir de nuevo a las de más de 24 horas
            </Press>
          )}
        </div>
      </section>
      <KeysBox
        keys={canSetUp ? keys : keys.slice(0, SHOWN_KEYS)}
        zone={zone}
        merchant={merchant}
        path={canSetUp ? account : undefined}
        typed={typedIn('clave')}
      />
      {!canSetUp && keys.length > SHOWN_KEYS && (
        <p class="soft">Y {keys.length - SHOWN_KEYS} claves más antiguas.</p>
      )}
      <EndpointBox
        account={accountOfMerchant(merchant)}
        endpoints={endpoints}
        canAct={mayAct(user, 'soporte')}
      />
      <AdjustmentsBox
        user={user}
        merchant={merchant}
        ajustes={ajustes}
        more={masAjustes}
        typed={typedIn('ajuste')}
      />
      <Usage usage={usage} />
      {closing !== undefined && <ClosingBox merchant={merchant} closing={closing} />}
      <p class="soft">Horas de {zone}; la hora UTC aparece al señalarlas.</p>
    </StaffPage>,
  );
}

const PIN_OPTIONS = [
  ['no', 'No'],
  ['si', 'Sí: la entrega pide los cuatro dígitos que ve el destinatario'],
] as const;

interface EditProps {
  merchant: Comercio;
  path: string;
  typed: TypedForm | undefined;
}

function Edit({ merchant, path, typed }: EditProps) {
  return (
    <Ask label="Editar" icon="pen" confirm="Guardar los cambios" action={path} isOpen={typed !== undefined}>
      <Field
        label="Nombre"
        name="nombre"
        value={merchant.nombre}
        typed={typed}
        required
        maxLength={MAX.nombre}
      />
      <Field
        label="WhatsApp, donde lo encuentran los destinatarios (vacío: ninguno)"
        name="telefono_contacto"
        value={merchant.telefono_contacto ?? undefined}
        typed={typed}
      />
      <Field
        label="Correo, para avisarle y para que entre (vacío: ninguno)"
        name="correo"
        value={merchant.correo ?? undefined}
        typed={typed}
      />
      <Field
        label="PIN al entregar"
        name="con_pin"
        value={merchant.con_pin ? 'si' : 'no'}
        typed={typed}
        options={PIN_OPTIONS}
      />
    </Ask>
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
