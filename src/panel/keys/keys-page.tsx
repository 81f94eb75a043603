import { prefixOf } from '../../auth/keys/api-key.js';
import { keyModeOf, type KeyWithMerchant, type NewKey } from '../../auth/keys/api-keys.service.js';
import { endOf, isWorking } from '../../auth/keys/clave-api.entity.js';
import type { Scope } from '../../auth/keys/scopes.js';
import { Ago, Ask, Badge, Table, Time } from '../../html/elements.js';
import { Field } from '../../html/field.js';
import { renderPage } from '../../html/page.js';
import type { Form } from '../../http/form-texts.js';
import type { Refusal } from '../forms/panel-forms.service.js';
import { PanelPage } from '../pages/panel-page.js';
import type { Visit } from '../visit.js';
import { scopesToGive } from './panel-keys.service.js';

const CLAVES = '/panel/claves';

/** What a scope allows, for people. */
const SCOPE_NAMES: Partial<Record<Scope, string>> = {
  'guias:leer': 'ver guías, cobros y etiquetas',
  'guias:escribir': 'crear, cambiar y cancelar guías',
  webhooks: 'administrar webhooks',
  claves: 'hacer claves',
};

interface KeysPageProps {
  visit: Visit;
  keys: KeyWithMerchant[];
  /** Shown on this page alone. */
  newKey?: NewKey | undefined;
  notice?: { text: string; isBad?: boolean } | undefined;
  /** The refused form of a new key, with its texts. */
  refused?: (Refusal & { fields: Form }) | undefined;
}

/** A merchant's keys: which there are, when each was last used, a new one, the end of one. */
export function renderKeys({ visit, keys, newKey, notice, refused }: KeysPageProps): string {
  const { fields = {}, faults = [] } = refused ?? {};
  const scopes = scopesToGive(visit);
  const chosen = refused ? (fields.alcances?.split(',') ?? []) : scopes;
  return renderPage(
    <PanelPage title="Claves" visit={visit} part={CLAVES} notice={notice}>
      {newKey && (
        <div class="notice" role="status">
          <p>La clave se muestra una sola vez: cópiela ahora.</p>
          <pre data-clave>{newKey.apiKey}</pre>
        </div>
      )}
      <p>Haga una clave para cada persona o programa: así puede terminar una sin estorbar a las demás.</p>
      <Ask label="Nueva clave" confirm="Crear la clave" action={CLAVES} isOpen={refused !== undefined}>
        <Field
          label="Para quién o para qué es (opcional)"
          name="etiqueta"
          value={fields.etiqueta}
          faults={faults}
          maxLength={120}
        />
        <ScopeFields scopes={scopes} chosen={chosen} faults={faults} />
        <Field
          label="Último día en que funciona (vacío: no vence)"
          name="vence"
          type="date"
          value={fields.vence}
          faults={faults}
        />
      </Ask>
      <Table
        label="Claves"
        columns={['Clave', 'Para', 'Puede', 'Último uso', 'Estado', 'Qué hacer']}
        rows={keys.map((key) => [
          <b class="num">{prefixOf(key.identificador, keyModeOf(key))}</b>,
          key.etiqueta ?? '–',
          key.alcances.map((scope) => SCOPE_NAMES[scope] ?? scope).join('; '),
          <LastUse clave={key} zone={visit.zone} />,
          <KeyState clave={key} zone={visit.zone} />,
          isWorking(key) && <EndKey clave={key} visit={visit} />,
        ])}
      />
    </PanelPage>,
  );
}

interface ScopeFieldsProps {
  scopes: Scope[];
  chosen: readonly string[];
  faults: Refusal['faults'];
}

function ScopeFields({ scopes, chosen, faults }: ScopeFieldsProps) {
  const fault = faults.find(({ campo }) => campo === 'alcances');
  const id = 'falta-alcances';
  return (
    <fieldset {...(fault && { 'aria-describedby': id })}>
      <legend>Qué puede</legend>
      {scopes.map((scope) => (
        <label class="pick">
          <input
            type="checkbox"
            name="alcances"
            value={scope}
            checked={chosen.includes(scope)}
            {...(fault && { 'aria-invalid': true as const, 'aria-describedby': id })}
          />{' '}
          {SCOPE_NAMES[scope]}
        </label>
      ))}
      {fault && (
        <span id={id} class="fault">
          {fault.mensaje}
        </span>
      )}
    </fieldset>
  );
}

interface KeyProps {
  clave: KeyWithMerchant;
  zone: string;
}

function LastUse({ clave: { ultimo_uso_en }, zone }: KeyProps) {
  return ultimo_uso_en === null ? <>nunca</> : <Ago at={ultimo_uso_en.toISOString()} zone={zone} />;
}

function KeyState({ clave, zone }: KeyProps) {
  const end = clave.revocada_en ?? endOf(clave);
  if (end === null) return <Badge tone="good">funciona</Badge>;
  return (
    <>
      <Badge tone={isWorking(clave) ? 'care' : 'off'}>{isWorking(clave) ? 'termina' : 'terminó'}</Badge>{' '}
      <Time at={end.toISOString()} zone={zone} />
    </>
  );
}

function EndKey({ clave, visit }: { clave: KeyWithMerchant; visit: Visit }) {
  const prefix = prefixOf(clave.identificador, keyModeOf(clave));
  return (
    <Ask label="Terminar" confirm="Sí, terminarla" action={`${CLAVES}/${clave.id}/terminar`}>
      <p>
        Deja de funcionar en 5 segundos todo lo que usa {prefix}: programas, su tienda en línea y los paneles
        abiertos con ella. Se usó <LastUse clave={clave} zone={visit.zone} />. No se puede deshacer.
      </p>
      {clave.id === visit.keyId && <p class="risk">Usted entró con esta clave: su sesión también termina.</p>}
    </Ask>
  );
}
