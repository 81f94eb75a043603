import type { ComponentChildren } from 'preact';
import type { ProviderName } from '../../../platform/config/messaging-providers.js';
import { Badge, Table } from '../../kit/elements.js';
import { PostForm } from '../../kit/post-form.js';
import { Field } from '../../kit/field.js';
import { renderInTurn } from '../../kit/render-turns.js';
import type { StaffUser } from '../admin-access.js';
import type { Done } from '../audit/audit.service.js';
import { StaffPage } from '../pages/staff-page.js';
import { PROVEEDOR_NAMES } from '../texts.js';
import type { Setup } from './setup.service.js';

const SETUP = '/admin/puesta-en-marcha';

/** Variables of each way to send messages. */
const NEEDS: Record<ProviderName, ComponentChildren> = {
  sandbox: 'Nada. Guarda los mensajes y no envía ninguno: para probar.',
  webhook: (
    <>
      Un programa suyo que reciba cada mensaje y lo envíe: por SMS, por Telegram, por el WhatsApp que ya usa.
      Variables: <code>MESSAGING_WEBHOOK_URL</code>, <code>MESSAGING_WEBHOOK_SECRET</code>.
    </>
  ),
  whatsapp: (
    <>
      Un número en la API de WhatsApp Cloud de Meta, y la plantilla aprobada. Variables:{' '}
      <code>WHATSAPP_TOKEN</code>, <code>WHATSAPP_PHONE_NUMBER_ID</code>, <code>WHATSAPP_APP_SECRET</code>,{' '}
      <code>WHATSAPP_VERIFY_TOKEN</code>.
    </>
  ),
};

interface SetupPageProps extends Setup {
  user: StaffUser;
  sent?: Done<undefined>;
}

/** From a new service to the first real guide: what is done, what is missing, and where it is changed. */
export function renderSetup(props: SetupPageProps): Promise<string> {
  const { user, sent, merchants, provider, origin, isPublic, isEmbedded } = props;
  const withKey = merchants.filter(({ claves }) => claves > 0);
  return renderInTurn(
    <StaffPage title="Puesta en marcha" user={user} part={SETUP} outcome={sent?.outcome}>
      <p>
        De un servicio nuevo a la primera guía real, en cuatro pasos. Lo que decide el entorno se ve aquí y se
        cambia allá.
      </p>
      <Step n={1} title="El primer comercio" isDone={withKey.length > 0}>
        {merchants.length === 0 ? (
          <p>Todavía no hay ninguno, aparte del de demostración.</p>
        ) : (
          <ul>
            {merchants.slice(0, 5).map(({ id, nombre, claves }) => (
              <li>
                <a href={`/admin/comercios/${id}/cuenta`}>{nombre}</a>{' '}
                {claves === 0 && <Badge tone="care">sin clave</Badge>}
              </li>
            ))}
          </ul>
        )}
        <p>
          Cree el comercio en <a href="/admin/comercios">Comercios</a>, y en su página una clave. Con ella
          entra en <a href="/panel">su panel</a>, o conecta su tienda en línea.
        </p>
      </Step>
      <Step n={2} title="Los mensajes a los destinatarios" isDone={provider !== 'sandbox'}>
        <p>
          Ahora: <b>{PROVEEDOR_NAMES[provider]}</b>. Lo decide <code>MESSAGING_PROVIDER</code>; después de
          cambiarlo, reinicie el servicio.
        </p>
        <Ways {...props} />
        {provider === 'sandbox' ? (
          <p class="soft">Cuando salgan mensajes, aquí podrá enviarse uno de prueba.</p>
        ) : (
          <Sample sent={sent} />
        )}
      </Step>
      <Step n={3} title="La dirección que abren los destinatarios" isDone={isPublic}>
        <p>
          Los enlaces empiezan con <code>{origin}</code>.
        </p>
        {!isPublic && (
          <p>
            Solo esta máquina los abre. Ponga en <code>PUBLIC_URL</code> la dirección pública, como{' '}
            <code>https://guias.example.com</code>, y reinicie.
          </p>
        )}
      </Step>
      <Step n={4} title="La copia de seguridad">
        <p>
          Cada día, y guardada en otra máquina. Sin <code>APP_SECRET</code> una copia no sirve: guárdelo
          también
          {isEmbedded && ' (la orden lo copia, si usted no lo puso)'}.
        </p>
        <pre>{isEmbedded ? 'npm run -s guias -- backup CARPETA' : BACKUP}</pre>
        <p class="soft">Cómo se restaura está en docs/backup.md.</p>
      </Step>
      <p>
        Después: quien reparte trabaja en <a href="/admin/despacho">Despacho</a>, y lo que necesita atención
        está en <a href="/admin">Hoy</a>.
      </p>
    </StaffPage>,
  );
}

const BACKUP = 'pg_dump --format=custom --exclude-schema=bullmq --file=guias.dump DATABASE_URL';

interface StepProps {
  n: number;
  title: string;
  /** Absent: it cannot be told. */
  isDone?: boolean;
  children: ComponentChildren;
}

function Step({ n, title, isDone, children }: StepProps) {
  const id = `paso-${n}`;
  return (
    <section class="card stack" aria-labelledby={id}>
      <h2 id={id}>
        {n}. {title}{' '}
        {isDone !== undefined && <Badge tone={isDone ? 'good' : 'care'}>{isDone ? 'listo' : 'falta'}</Badge>}
      </h2>
      {children}
    </section>
  );
}

function Ways({ provider, ready }: Setup) {
  return (
    <Table
      label="Maneras de enviar mensajes"
      columns={['MESSAGING_PROVIDER', 'Qué necesita', 'Estado']}
      rows={(['webhook', 'whatsapp', 'sandbox'] as const).map((name) => [
        <>
          <code>{name}</code> · {PROVEEDOR_NAMES[name]}
        </>,
        NEEDS[name],
        <WayState isChosen={name === provider} isReady={ready.includes(name)} />,
      ])}
    />
  );
}

function WayState({ isChosen, isReady }: { isChosen: boolean; isReady: boolean }) {
  if (isChosen) return <Badge tone="good">en uso</Badge>;
  return <Badge tone="off">{isReady ? 'se puede elegir' : 'faltan variables'}</Badge>;
}

function Sample({ sent }: Pick<SetupPageProps, 'sent'>) {
  return (
    <PostForm action={`${SETUP}/mensaje`}>
      <Field label="Su teléfono" name="telefono" type="tel" typed={sent?.typed} required />
      <button type="submit" class="btn">
        Enviarme un mensaje de prueba
      </button>
      <p class="soft">
        Llega como a un destinatario. Su enlace abre una página que dice que no existe: si la ve, también la
        dirección del paso 3 funciona.
      </p>
    </PostForm>
  );
}
