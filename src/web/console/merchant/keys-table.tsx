import { prefixOf } from '../../../auth/keys/api-key.js';
import { keyModeOf, type KeyWithMerchant } from '../../../auth/keys/api-keys.service.js';
import { endOf, isWorking } from '../../../auth/keys/clave-api.entity.js';
import { Ask, Badge, Table, Time } from '../../kit/elements.js';
import { Field } from '../../kit/field.js';

/** Hours of the overlap of a rotated key. */
const OVERLAPS = [
  ['24', '24 horas'],
  ['0', 'Nada: termina ya'],
  ['1', '1 hora'],
  ['168', '7 días'],
] as const;

interface KeysTableProps {
  /** Newest first. */
  keys: KeyWithMerchant[];
  zone: string;
  /** Of the account's page, for who may rotate and revoke them. */
  path: string | undefined;
}

/** The keys of a merchant or an operator. */
export function KeysTable({ keys, zone, path }: KeysTableProps) {
  return (
    <Table
      label="Claves de API"
      columns={['Clave', 'Para', 'Puede', 'Último uso', 'Estado', ['Qué hacer', 'acts']]}
      empty="Todavía no tiene ninguna."
      rows={keys.map((key) => [
        <>
          <b>{prefixOf(key.identificador, keyModeOf(key))}</b>
          <div class="soft t2">
            creada <Time at={key.creada_en.toISOString()} zone={zone} />
          </div>
        </>,
        key.etiqueta ?? '–',
        key.alcances.join(', '),
        key.ultimo_uso_en ? <Time at={key.ultimo_uso_en.toISOString()} zone={zone} /> : 'nunca',
        <KeyState clave={key} zone={zone} />,
        path !== undefined && isWorking(key) && <KeyActions clave={key} path={`${path}/claves/${key.id}`} />,
      ])}
    />
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
        <label class="row">
          <input type="checkbox" name="filtrada" value="si" /> ¿Se filtró? Termina ya, con sus sesiones del
          panel, y aparece lo que hizo.
        </label>
      </Ask>
      <Ask label="Revocar" isRisk confirm="Sí, revocarla" action={`${path}/revocar`}>
        <p>Quien usa {prefix} recibe 401 desde ahora, y no se puede deshacer.</p>
      </Ask>
    </>
  );
}
