import { PostForm } from '../../kit/post-form.js';
import { Field } from '../../kit/field.js';
import { Note } from '../../kit/note.js';
import { renderPage } from '../../kit/page.js';
import type { Refusal } from '../forms/panel-forms.service.js';
import { PanelPage } from '../pages/panel-page.js';
import { may, type Visit } from '../visit.js';

/** Shops with a bridge, by the name of its page in the documentation; with the variables that are the shop's own. */
export const TIENDAS: readonly [codigo: string, name: string, own: readonly string[]][] = [
  ['shopify', 'Shopify', ['SHOPIFY_SECRETO', 'SHOPIFY_TIENDA', 'SHOPIFY_TOKEN']],
  ['woocommerce', 'WooCommerce', ['WOO_URL', 'WOO_CLAVE', 'WOO_SECRETA', 'WOO_SECRETO']],
];

/** A connection that was made now. */
export interface Connection {
  tienda: string;
  apiKey: string;
  /** Undefined where nothing comes back into the shop. */
  secreto: string | undefined;
}

export interface TiendaPageProps {
  visit: Visit;
  /** Of the service, as the bridge reaches it. */
  origin: string;
  /** Shown on this page alone. */
  connection?: Connection | undefined;
  done?: string | undefined;
  refusal?: Refusal;
}

/** The page that connects a shop: the environment of its bridge is made here, and shown once. */
export function renderTienda({ visit, origin, connection, done, refusal }: TiendaPageProps): string {
  return renderPage(
    <PanelPage title="Conectar mi tienda" visit={visit} done={done} refusal={refusal}>
      {connection && <Environment origin={origin} connection={connection} />}
      <p>
        Cada pedido de su tienda en línea crea su guía, y el seguimiento vuelve al pedido. Lo hace un programa
        corto, el puente, que alguien instala una vez en su servidor.
      </p>
      <PostForm action="/panel/tienda" class="card stack">
        <Field
          label="Su tienda"
          name="tienda"
          typed={refusal}
          options={TIENDAS.map(([codigo, name]) => [codigo, name])}
        />
        {may(visit, 'webhooks') ? (
          <Field
            label="Dirección del puente, si el seguimiento ha de volver al pedido (opcional)"
            name="url"
            typed={refusal}
            inputMode="url"
            maxLength={2_048}
          />
        ) : (
          <p class="soft t2">
            El puente creará las guías. Para que además vuelva el seguimiento, entre con una clave que
            administre webhooks: pídala a la mensajería.
          </p>
        )}
        <button type="submit" class="btn main">
          Crear la clave del puente
        </button>
      </PostForm>
      <p class="soft">
        Cómo se instala:{' '}
        {TIENDAS.map(([codigo, name], n) => [n > 0 && ' · ', <Guide codigo={codigo} name={name} />])}
      </p>
    </PanelPage>,
  );
}

const Guide = ({ codigo, name }: { codigo: string; name: string }) => (
  <a href={`/api/docs/guias/${codigo}`}>{name}</a>
);

function Environment({ origin, connection }: { origin: string; connection: Connection }) {
  const { tienda, apiKey, secreto } = connection;
  const own = TIENDAS.find(([codigo]) => codigo === tienda)?.[2] ?? [];
  const lines = [
    `GUIAS_URL=${origin}`,
    `GUIAS_CLAVE=${apiKey}`,
    ...(secreto === undefined ? [] : [`GUIAS_SECRETO=${secreto}`]),
    ...own.map((name) => `${name}=`),
  ];
  return (
    <Note role="status">
      <p>
        La clave y el secreto se muestran una sola vez: copie ahora estas variables y complete las de su
        tienda.
      </p>
      <pre data-entorno>{lines.join('\n')}</pre>
    </Note>
  );
}
