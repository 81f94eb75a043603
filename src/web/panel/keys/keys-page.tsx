import { prefixOf } from '../../../auth/keys/api-key.js';
import { keyModeOf, type KeyWithMerchant, type NewKey } from '../../../auth/keys/api-keys.service.js';
import { endOf, isWorking } from '../../../auth/keys/clave-api.entity.js';
import { Ago, Badge, Pages, Table, Time } from '../../kit/elements.js';
import { Ask } from '../../kit/post-form.js';
import { Choices, Field } from '../../kit/field.js';
import { Note } from '../../kit/note.js';
import { renderPage } from '../../kit/page.js';
import { valuesIn } from '../../../platform/http/form-texts.js';
import { SCOPE_NAMES } from '../forms/panel-words.js';
import type { Refusal } from '../forms/panel-forms.service.js';
import { PanelPage } from '../pages/panel-page.js';
import { scopesToGive, type Visit } from '../visit.js';

const CLAVES = '/panel/claves';

/** Keys on a page, the working ones first. */
const PAGE = 25;

export interface KeysPageProps {
  visit: Visit;
  keys: KeyWithMerchant[];
  /** From 1. */
  page?: number;
  /** Shown on this page alone. */
  newKey?: NewKey | undefined;
  done?: string | undefined;
  refusal?: Refusal;
  /** Whether the refused form is the one of a new key. */
  isMaking?: boolean;
}

/** A merchant's keys: which there are, when each was last used, a new one, the end of one. */
export function renderKeys(props: KeysPageProps): string {
  const { visit, keys, page = 1, newKey, done, refusal, isMaking = false } = props;
  const typed = isMaking ? refusal : undefined;
  const scopes = scopesToGive(visit);
  const working = keys.toSorted((one, other) => Number(isWorking(other)) - Number(isWorking(one)));
  return renderPage(
    <PanelPage title="Claves" visit={visit} done={done} refusal={refusal} isWide>
      {newKey && (
        <Note role="status">
          <p>La clave se muestra una sola vez: cópiela ahora.</p>
          <pre data-clave>{newKey.apiKey}</pre>
        </Note>
      )}
      <p>Haga una clave para cada persona o programa: así puede terminar una sin estorbar a las demás.</p>
      <Ask label="Nueva clave" confirm="Crear la clave" action={CLAVES} isOpen={isMaking}>
        <Field label="Para quién o para qué es (opcional)" name="etiqueta" typed={typed} maxLength={120} />
        <Choices
          label="Qué puede"
          name="alcances"
          type="checkbox"
          options={scopes.map((scope) => [scope, SCOPE_NAMES[scope] ?? scope])}
          chosen={typed ? valuesIn(typed.fields.alcances) : scopes}
          typed={typed}
        />
        <Field label="Último día en que funciona (vacío: no vence)" name="vence" type="date" typed={typed} />
      </Ask>
      <Table
        label="Claves"
        columns={['Clave', 'Para', 'Puede', 'Último uso', 'Estado', ['Qué hacer', 'acts']]}
        rows={working
          .slice((page - 1) * PAGE, page * PAGE)
          .map((key) => [
            <b class="num">{prefixOf(key.identificador, keyModeOf(key))}</b>,
            key.etiqueta ?? '–',
            key.alcances.map((scope) => SCOPE_NAMES[scope] ?? scope).join('; '),
            <LastUse clave={key} zone={visit.zone} />,
            <KeyState clave={key} zone={visit.zone} />,
            isWorking(key) && <EndKey clave={key} visit={visit} />,
          ])}
      />
      <Pages path={CLAVES} page={page} hasMore={keys.length > page * PAGE} />
    </PanelPage>,
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
