import { mayAct } from '../../../platform/config/board-users.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { renderInTurn } from '../../kit/render-turns.js';
import { ESTADOS_DE_MENSAJE, type MensajeEstado } from '../../../notifications/messages/mensaje-estado.js';
import type { StaffUser } from '../admin-access.js';
import type { Outcome } from '../audit/audit.service.js';
import type { MasivaProgress } from '../../../support/bulk/bulk.queries.js';
import { inFours } from '../../../guias/guia/guia-digits.js';
import { failedJobIds, NOTIFICACIONES } from '../../../notifications/notifications.queue.js';
import { MENSAJE_TIPO_NAMES } from '../../../notifications/providers/messaging-provider.js';
import { BoardLink } from '../pages/board-link.js';
import { NextPage, Table, Time } from '../../kit/elements.js';
import { Hidden, PostForm } from '../../kit/post-form.js';
import { GuiaLink } from '../pages/guia-link.js';
import { StaffPage } from '../pages/staff-page.js';
import type { CausaGroup, CausaGuia } from '../../../support/causes/causes.queries.js';
import type { CausaPage } from '../causes/causes.service.js';
import { causesOf, causeTitle, countedTitle } from './cause.js';
import { actOf, CauseSection } from './cause-section.js';

/** Merchants on the cause's own page, beside the list of all its guides. */
const SHOWN_ON_PAGE = 100;

/** Begins the name of a box that selects a message; its id follows. */
export const SELECTED = 'm-';

interface FailedMessagesProps {
  user: StaffUser;
  causa: string;
  comercioId: string | null;
  guias: CausaGuia[];
}

/** The messages of a cause, to be selected and retried; each leads to its job on the board. */
function FailedMessages({ user, causa, comercioId, guias }: FailedMessagesProps) {
  const canAct = mayAct(user, 'soporte');
  const table = (
    <Table
      label="Mensajes que fallaron"
      empty="Ninguno: ya no hay mensajes con esta causa."
      columns={['Guía', 'Comercio', 'Mensaje', 'Falló', ['Intentos', 'sum'], 'Tablero']}
      rows={guias.map(({ guia, mensaje, comercio_id, comercio, desde, pais }) => [
        <GuiaLink guia={guia} />,
        <a href={`/admin/comercios/${comercio_id}`}>{comercio}</a>,
        mensaje && MENSAJE_TIPO_NAMES[mensaje.tipo],
        <Time at={desde} zone={timeZoneOf(pais)} />,
        mensaje?.intentos,
        mensaje && <BoardLink job={failedJobIds(mensaje)[0]!} />,
      ])}
      {...(canAct && {
        pick: {
          of: (n: number) => (
            <input
              type="checkbox"
              name={`${SELECTED}${guias[n]!.mensaje?.id ?? ''}`}
              aria-label={`Guía ${inFours(guias[n]!.guia)}`}
            />
          ),
        },
      })}
    />
  );
  if (!canAct || guias.length === 0) return table;
  const { action, fields } = actOf(causa, comercioId, 'reenviar');
  return (
    <PostForm action={action}>
      <Hidden fields={{ ...fields, seleccion: 'si' }} />
      {table}
      <p>
        <button type="submit" class="btn">
          Reintentar los marcados
        </button>
      </p>
    </PostForm>
  );
}

interface FailedMessagesPageProps {
  user: StaffUser;
  groups: CausaGroup[];
  recent: MasivaProgress[];
}

export function renderFailedMessages({ user, groups, recent }: FailedMessagesPageProps): Promise<string> {
  const causes = causesOf(groups);
  return renderInTurn(
    <StaffPage title="Mensajes que fallaron" user={user} part="/admin/mensajes">
      <p>
        {causes.length === 0 && 'Ninguno. '}
        Los de guías abiertas que nadie ha confirmado, y los PIN de guías en ruta, de los últimos 30 días.
        Cada tarea, también la de una respuesta, está en el{' '}
        <a href={`/admin/queues/queue/${NOTIFICACIONES}?status=failed`}>tablero de colas</a>: reintentar ahí o
        aquí es lo mismo.
      </p>
      {causes.map((cause, n) => (
        <CauseSection cause={cause} user={user} running={recent} isMain={n === 0} />
      ))}
    </StaffPage>,
  );
}

interface CausaPageProps {
  user: StaffUser;
  page: CausaPage;
  recent: MasivaProgress[];
  outcome: Outcome | undefined;
  /** A note that was refused. */
  refused?: string | undefined;
}

export function renderCausa({ user, page, recent, outcome, refused }: CausaPageProps): Promise<string> {
  const { clave, clase, comercioId, groups, guias, next } = page;
  const causa = groups[0]?.causa ?? (clase === 'advertencias' ? clave.slice(clase.length + 1) : null);
  const [cause] = causesOf(groups);
  return renderInTurn(
    <StaffPage
      title={cause ? countedTitle(cause) : causeTitle({ clase, causa })}
      user={user}
      back={clase === 'mensajes' ? ['/admin/mensajes', 'Mensajes'] : ['/admin', 'Hoy']}
      part="/admin"
      outcome={outcome}
    >
      {comercioId !== null && (
        <p>
          <a href={`/admin/causas/${clave}`}>De todos los comercios</a>
          {' · '}
          <a href={`/admin/comercios/${comercioId}`}>{groups[0]?.comercio ?? 'El comercio'}</a>
        </p>
      )}
      {cause && (
        <CauseSection {...{ cause, user, refused }} running={recent} shown={SHOWN_ON_PAGE} isMain isWhole />
      )}
      <section>
        <h2>Guías</h2>
        {clase === 'mensajes' ? (
          <FailedMessages user={user} causa={clave} comercioId={comercioId} guias={guias} />
        ) : (
          <Table
            label="Guías"
            empty="Ninguna: ya no hay guías con esta causa."
            columns={['Guía', 'Comercio', 'Desde', 'Último mensaje']}
            rows={guias.map((row) => [
              <GuiaLink guia={row.guia} />,
              <a href={`/admin/comercios/${row.comercio_id}`}>{row.comercio}</a>,
              <Time at={row.desde} zone={timeZoneOf(row.pais)} />,
              row.ultimo_mensaje === null
                ? 'No se le ha enviado un mensaje.'
                : ESTADOS_DE_MENSAJE[row.ultimo_mensaje as MensajeEstado].name,
            ])}
          />
        )}
        <NextPage
          path={`/admin/causas/${clave}`}
          query={{ comercio: comercioId ?? '' }}
          cursor={next}
          name="desde"
        />
      </section>
    </StaffPage>,
  );
}
