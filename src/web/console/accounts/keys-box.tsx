import { prefixOf } from '../../../auth/keys/api-key.js';
import { keyModeOf, type KeyWithMerchant } from '../../../auth/keys/api-keys.service.js';
import { endOf, isWorking } from '../../../auth/keys/clave-api.entity.js';
import type { Comercio } from '../../../auth/merchants/comercio.entity.js';
import { msOfId } from '../../../platform/database/row-id.js';
import { Badge, Table, Time } from '../../kit/elements.js';
import { Ask } from '../../kit/post-form.js';
import { Check, Field, type TypedForm } from '../../kit/field.js';
import { Note } from '../../kit/note.js';
import { answerText, requestText } from '../pages/request-text.js';
import { SCOPE_NAMES, SCOPES } from './account.forms.js';
import { MAX_SHOWN, type RotatedKey } from './accounts.service.js';

const OVERLAPS = [
  ['24', '24 horas'],
  ['0', 'Nada: termina ya'],
  ['1', '1 hora'],
  ['168', '7 días'],
] as const;

const MODE_OPTIONS = [
  ['real', 'Real'],
  ['prueba', 'De prueba: sus guías no se entregan'],
] as const;

interface KeysBoxProps {
  /** Newest first. */
  keys: KeyWithMerchant[];
  zone: string;
  /** Whose they are; an operator where absent. */
  merchant?: Comercio;
  /** Below which keys are made, rotated and revoked, for who may. */
  path: string | undefined;
  typed: TypedForm | undefined;
}

/** The keys of a merchant or an operator, which are made, rotated and revoked here. */
export function KeysBox({ keys, zone, merchant, path, typed }: KeysBoxProps) {
  return (
    <section class="card stack">
      <h2>Claves de API</h2>
      {merchant && merchant.cerrado_en !== null ? (
        <p class="soft">El comercio está cerrado: no se hacen claves nuevas, y las que hay solo leen.</p>
      ) : (
        path !== undefined && (
          <Ask
            label="Nueva clave"
            icon="key"
            confirm="Crear la clave"
            action={`${path}/claves`}
            isOpen={typed !== undefined}
          >
            <Field label="Para qué es (opcional)" name="etiqueta" typed={typed} maxLength={120} />
            {merchant && <Field label="Modo" name="modo" typed={typed} options={MODE_OPTIONS} />}
            <Field
              label="Qué puede"
              name="alcances"
              typed={typed}
              options={Object.entries(merchant ? SCOPES.comercio : SCOPES.operador)}
            />
            <Field
              label="Último día en que funciona (vacío: no vence)"
              name="vence"
              type="date"
              typed={typed}
            />
          </Ask>
        )
      )}
      <Table
        label="Claves de API"
        columns={['Clave', 'Para', 'Puede', 'Último uso', 'Estado', ['Qué hacer', 'acts']]}
        empty="Todavía no tiene ninguna."
        rows={keys.map((key) => [
          <>
            <b>{prefixOf(key.identificador, keyModeOf(key))}</b>{' '}
            {keyModeOf(key) === 'test' && <Badge tone="care">prueba</Badge>}
            <div class="soft t2">
              creada <Time at={key.creada_en.toISOString()} zone={zone} />
            </div>
          </>,
          key.etiqueta ?? '–',
          key.alcances.map((scope) => SCOPE_NAMES[scope]).join(', '),
          key.ultimo_uso_en ? <Time at={key.ultimo_uso_en.toISOString()} zone={zone} /> : 'nunca',
          <KeyState clave={key} zone={zone} />,
          path !== undefined && isWorking(key) && (
            <KeyActions clave={key} path={`${path}/claves/${key.id}`} />
          ),
        ])}
      />
    </section>
  );
}

/** Whether a key works, and until when it does or did. */
function KeyState({ clave, zone }: { clave: KeyWithMerchant; zone: string }) {
  const end = clave.revocada_en ?? endOf(clave);
  if (end === null) return <Badge tone="good">funciona</Badge>;
  const isWorkingYet = isWorking(clave);
  const name = clave.revocada_en !== null ? 'revocada' : isWorkingYet ? 'termina' : 'terminó';
  return (
    <>
      <Badge tone={isWorkingYet ? 'care' : 'off'}>{name}</Badge> <Time at={end.toISOString()} zone={zone} />
    </>
  );
}

function KeyActions({ clave, path }: { clave: KeyWithMerchant; path: string }) {
  const prefix = prefixOf(clave.identificador, keyModeOf(clave));
  return (
    <>
      <Ask label="Rotar" icon="again" confirm="Hacer la clave nueva" action={`${path}/rotar`}>
        <Field label={`Cuánto funciona todavía ${prefix}`} name="horas" options={OVERLAPS} />
        <Check
          label="¿Se filtró? Termina ya, con sus sesiones del panel, y aparece lo que hizo."
          name="filtrada"
        />
      </Ask>
      <Ask label="Revocar" isRisk confirm="Sí, revocarla" action={`${path}/revocar`}>
        <p>Quien usa {prefix} recibe 401 desde ahora, y no se puede deshacer.</p>
      </Ask>
    </>
  );
}

/** A new key, shown once; of one that leaked, what it did. */
export function NewKeyNotes(props: { newKey: RotatedKey; zone: string; isMerchant: boolean }) {
  const { zone, isMerchant } = props;
  const { apiKey, did } = props.newKey;
  return (
    <>
      <Note role="status">
        <p>La clave se muestra una sola vez: cópiela ahora.</p>
        <pre data-clave>{apiKey}</pre>
        {isMerchant && (
          <p>
            Con ella el comercio entra también en <a href="/panel">su panel</a>.
          </p>
        )}
      </Note>
      {did === null && (
        <Note tone="care" role="status">
          No se pudo leer lo que hizo la clave que se filtró. La clave nueva funciona, y la anterior ya no.
        </Note>
      )}
      {did && (
        <section class="card stack">
          <h2>Lo que hizo la clave que se filtró, en 30 días</h2>
          <Table
            label="Lo que hizo la clave que se filtró"
            columns={['Cuándo', 'Solicitud', 'Respuesta', 'X-Request-Id']}
            empty="Nada que se guarde: ni cambios ni rechazos."
            rows={did.map((request) => [
              <Time at={new Date(msOfId(request.id)).toISOString()} zone={zone} />,
              requestText(request),
              answerText(request),
              request.peticion,
            ])}
          />
          {did.length >= MAX_SHOWN && <p class="soft">Se muestran las {MAX_SHOWN} más recientes.</p>}
        </section>
      )}
    </>
  );
}
