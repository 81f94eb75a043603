import { MAX } from '../../../guias/guia/limits.js';
import { Note } from '../../kit/note.js';
import type { NewKey } from '../../../auth/keys/api-keys.service.js';
import { msOfId } from '../../../platform/database/row-id.js';
import type { AnsweredRequest } from '../../../auth/solicitudes/request-log.queries.js';
import { renderInTurn } from '../../kit/render-turns.js';
import { groupedPhone } from '../../../platform/validation/phone.js';
import { mayAct } from '../../../platform/config/board-users.js';
import type { StaffUser } from '../admin-access.js';
import { Ask, Facts, Table, Time } from '../../kit/elements.js';
import type { Done, Outcome } from '../audit/audit.service.js';
import { ClosingBox, closedBadge, closedFacts } from '../merchant/closing-box.js';
import { CorreoState } from '../../kit/correo-state.js';
import { EndpointBox } from '../merchant/endpoint-box.js';
import { KeysTable } from '../merchant/keys-table.js';
import { answerText, requestText } from '../pages/request-text.js';
import { StaffPage } from '../pages/staff-page.js';
import { SCOPES } from './account.forms.js';
import { MAX_SHOWN, type AccountOverview } from './accounts.service.js';
import { Field, type TypedForm } from '../../kit/field.js';

interface AccountPageProps extends AccountOverview {
  user: StaffUser;
  /** The form that led here. */
  sent?: { form: 'cuenta' | 'clave' | 'rotar' | 'revocar'; done: Done<unknown> } | undefined;
  /** Of an action that led here by a redirect. */
  outcome?: Outcome | undefined;
  /** Shown on this page alone. */
  newKey?: RotatedKey | undefined;
}

/** A new key, and what the one before it did, if it leaked; null where that could not be read. */
export type RotatedKey = NewKey & { did?: AnsweredRequest[] | null };

const PIN_OPTIONS = [
  ['no', 'No'],
  ['si', 'Sí: la entrega pide los cuatro dígitos que ve el destinatario'],
] as const;

const MODE_OPTIONS = [
  ['real', 'Real'],
  ['prueba', 'De prueba: sus guías no se entregan'],
] as const;

/** A merchant or an operator: its data and its keys, which are made, rotated and revoked here. */
export function renderAccount({
  user,
  merchant,
  operator,
  zone,
  keys,
  closing,
  endpoints,
  sent,
  outcome = sent?.done.outcome,
  newKey,
}: AccountPageProps): Promise<string> {
  const path = merchant ? `/admin/comercios/${merchant.id}/cuenta` : `/admin/operadores/${operator!.id}`;
  const part = merchant ? '/admin/comercios' : '/admin/operadores';
  const typedIn = (form: 'cuenta' | 'clave') => (sent?.form === form ? sent.done.typed : undefined);
  const typed = typedIn('cuenta');
  const newTyped = typedIn('clave');
  const canSetUp = mayAct(user, 'admin');
  return renderInTurn(
    <StaffPage
      title={merchant?.nombre ?? operator!.nombre}
      user={user}
      part={part}
      outcome={outcome}
      beside={merchant && closedBadge(merchant)}
    >
      {newKey && (
        <Note role="status">
          <p>La clave se muestra una sola vez: cópiela ahora.</p>
          <pre data-clave>{newKey.apiKey}</pre>
          {merchant && (
            <p>
              Con ella el comercio entra también en <a href="/panel">su panel</a>.
            </p>
          )}
        </Note>
      )}
      {newKey?.did === null && (
        <Note tone="care" role="status">
          No se pudo leer lo que hizo la clave que se filtró. La clave nueva funciona, y la anterior ya no.
        </Note>
      )}
      {newKey?.did && (
        <section class="card stack">
          <h2>Lo que hizo la clave que se filtró, en 30 días</h2>
          <Table
            label="Lo que hizo la clave que se filtró"
            columns={['Cuándo', 'Solicitud', 'Respuesta', 'X-Request-Id']}
            empty="Nada que se guarde: ni cambios ni rechazos."
            rows={newKey.did.map((request) => [
              <Time at={new Date(msOfId(request.id)).toISOString()} zone={zone} />,
              requestText(request),
              answerText(request),
              request.peticion,
            ])}
          />
          {newKey.did.length >= MAX_SHOWN && <p class="soft">Se muestran las {MAX_SHOWN} más recientes.</p>}
        </section>
      )}
      {merchant && (
        <section class="card stack">
          <Facts
            facts={[
              ['País y moneda', `${merchant.pais}, ${merchant.moneda}`],
              [
                'WhatsApp',
                merchant.telefono_contacto && groupedPhone(merchant.telefono_contacto, merchant.pais),
              ],
              ['Correo', <CorreoState merchant={merchant} />],
              ['PIN al entregar', merchant.con_pin ? 'Sí' : 'No'],
              ...closedFacts(merchant, zone),
              ['Id', merchant.id],
              ['Soporte', <a href={`/admin/comercios/${merchant.id}`}>Sus guías, webhooks y avisos</a>],
            ]}
          />
          <Ask
            label="Editar"
            icon="pen"
            confirm="Guardar los cambios"
            action={path}
            isOpen={typed !== undefined}
          >
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
        </section>
      )}
      <section class="card stack">
        <h2>Claves de API</h2>
        {merchant && merchant.cerrado_en !== null ? (
          <p class="soft">El comercio está cerrado: no se hacen claves nuevas, y las que hay solo leen.</p>
        ) : (
          canSetUp && (
            <Ask
              label="Nueva clave"
              icon="key"
              confirm="Crear la clave"
              action={`${path}/claves`}
              isOpen={newTyped !== undefined}
            >
              <NewKeyFields isMerchant={merchant !== undefined} typed={newTyped} />
            </Ask>
          )
        )}
        <KeysTable keys={keys} zone={zone} path={canSetUp ? path : undefined} />
      </section>
      {endpoints && <EndpointBox {...endpoints} canAct={mayAct(user, 'soporte')} />}
      {merchant && closing !== undefined && <ClosingBox merchant={merchant} closing={closing} />}
    </StaffPage>,
  );
}

function NewKeyFields({ isMerchant, typed }: { isMerchant: boolean; typed: TypedForm | undefined }) {
  const scopes = isMerchant ? SCOPES.comercio : SCOPES.operador;
  return (
    <>
      <Field label="Para qué es (opcional)" name="etiqueta" typed={typed} maxLength={120} />
      {isMerchant && <Field label="Modo" name="modo" typed={typed} options={MODE_OPTIONS} />}
      <Field label="Qué puede" name="alcances" typed={typed} options={Object.entries(scopes)} />
      <Field label="Último día en que funciona (vacío: no vence)" name="vence" type="date" typed={typed} />
    </>
  );
}
