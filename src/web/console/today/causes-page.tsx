import { mayAct } from '../../../platform/config/board-users.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { renderInTurn } from '../../kit/render-turns.js';
import { ESTADOS_DE_MENSAJE, type MensajeEstado } from '../../../notifications/messages/mensaje-estado.js';
import type { StaffUser } from '../admin-access.js';
import type { Outcome } from '../audit/audit.service.js';
import type { MasivaProgress } from '../../../support/bulk/bulk.queries.js';
import type { MasivaAccion } from '../../../support/bulk/masiva.entity.js';
import { inFours } from '../../../guias/guia/guia-digits.js';
import { failedJobIds, NOTIFICACIONES } from '../../../notifications/notifications.queue.js';
import { MENSAJE_TIPO_NAMES } from '../../../notifications/providers/messaging-provider.js';
import { BoardLink } from '../pages/board-link.js';
import type { Tone } from '../../../guias/guia/tone.js';
import { Ago, Badge, counted, Disc, grouped, NextPage, Table, Time, When } from '../../kit/elements.js';
import { Hidden, PostForm, Press } from '../../kit/post-form.js';
import { Field } from '../../kit/field.js';
import { Icon, type IconName } from '../../kit/icon.js';
import { GuiaLink } from '../pages/guia-link.js';
import { StaffPage } from '../pages/staff-page.js';
import type { CausaGroup, CausaGuia, Clase } from '../../../support/causes/causes.queries.js';
import type { CausaPage } from '../causes/causes.service.js';
import { causesOf, causeTitle, countedTitle, explanationOf, MAIN, type Cause } from './cause.js';

const SHOWN = 8;

/** Different answers of the bridge that a cause shows. */
const SHOWN_WORDS = 3;

/** Merchants on the cause's own page, beside the list of all its guides. */
const SHOWN_ON_PAGE = 100;

/** Address and hidden fields of an action with all guides of a cause, or those of one merchant. */
const actOf = (causa: string, comercioId: string | null, accion: MasivaAccion) => ({
  action: `/admin/causas/${causa}`,
  fields: { accion, comercio: comercioId },
});

interface ActionsProps {
  cause: Cause;
  comercioId: string | null;
  guias: number;
  /** Name of the merchant, for screen readers. */
  of: string;
  look?: 'main' | 'small' | false;
  /** A note that was refused: it stays in its field. */
  refused?: string | undefined;
}

function Main({ cause: { clave, clase }, comercioId, guias, of, look = false }: ActionsProps) {
  const main = MAIN[clase];
  if (!main) return null;
  return (
    <Press {...actOf(clave, comercioId, main.accion)} look={look} icon={look !== 'small' && 'send'}>
      {guias === 1 ? main.one : `${main.many} ${grouped(guias)}`}
      <span class="vh"> ({of})</span>
    </Press>
  );
}

function PutOff({ cause: { clave }, comercioId, of }: ActionsProps) {
  return (
    <Press {...actOf(clave, comercioId, 'atender')} look="small text">
      Atendida hasta mañana<span class="vh"> ({of})</span>
    </Press>
  );
}

function Note({ cause: { clave }, comercioId, guias, of, refused }: ActionsProps) {
  const { action, fields } = actOf(clave, comercioId, 'anotar');
  return (
    <details class="fold" open={refused !== undefined}>
      <summary class="btn small">
        <Icon name="note" />
        Nota para todas<span class="vh"> ({of})</span>
      </summary>
      <PostForm action={action}>
        <Hidden fields={fields} />
        <Field
          label="Nota (la ve solo soporte)"
          name="texto"
          value={refused}
          isLong
          required
          maxLength={1_000}
        />
        <button type="submit" class="btn">
          {guias === 1 ? 'Guardar la nota' : `Guardar en ${grouped(guias)}`}
        </button>
      </PostForm>
    </details>
  );
}

interface CauseSectionProps {
  cause: Cause;
  user: StaffUser;
  running: MasivaProgress[];
  shown?: number;
  /** Whether its action is the page's most sensible one. */
  isMain?: boolean;
  isWhole?: boolean;
  /** A note that was refused. */
  refused?: string | undefined;
}

/** A cause: how many guides of which merchants since when, and what can be done with all of them. */
export function CauseSection(props: CauseSectionProps) {
  const { cause, user, running, shown = SHOWN, isMain = false, isWhole, refused } = props;
  const { clave, groups, guias } = cause;
  const canAct = mayAct(user, 'soporte');
  const isRunning = (comercioId: string | null) =>
    running.some(
      ({ causa, comercio_id, terminado_en }) =>
        causa === clave && terminado_en === null && (comercio_id === null || comercio_id === comercioId),
    );
  const rest = groups.slice(shown);
  const palabras = [...new Set(groups.flatMap((group) => group.palabras ?? []))].slice(0, SHOWN_WORDS);
  const [icon, tone] = PICTURES[cause.clase];
  const [only] = groups.length === 1 ? groups : [];
  const all = {
    cause,
    comercioId: only?.comercio_id ?? null,
    guias,
    of: only?.comercio ?? 'todos los comercios',
    refused,
  };
  const actionsOf = ({ comercio_id: comercioId, comercio: of, guias: count }: CausaGroup) => {
    if (isRunning(comercioId))
      return (
        <Badge tone="ask" icon="clock">
          En curso
        </Badge>
      );
    const own = { cause, comercioId, guias: count, of };
    return (
      <>
        {!only && <Main {...own} look="small" />}
        <PutOff {...own} />
      </>
    );
  };
  return (
    <section class="card stack even" id={clave}>
      <div class="row">
        <Disc tone={tone} icon={icon} />
        <span class="grow">
          {!isWhole && (
            <h2>
              <a href={`/admin/causas/${clave}`}>{countedTitle(cause)}</a>
            </h2>
          )}
          <span class="soft">{explanationOf(cause)}</span>
          {palabras.map((text) => (
            <p class="soft">
              El puente respondió: «<bdi>{text}</bdi>»
            </p>
          ))}
        </span>
        {canAct && !isRunning(all.comercioId) && <Main {...all} look={isMain && 'main'} />}
        {canAct && !isRunning(all.comercioId) && (
          <details class="fold" open={refused !== undefined}>
            <summary class="btn">
              <Icon name="more" />
              Más<span class="vh"> ({all.of})</span>
            </summary>
            <div class="row">
              <Note {...all} />
              {!only && <PutOff {...all} />}
            </div>
          </details>
        )}
      </div>
      <Table
        label={causeTitle(cause)}
        columns={['Comercio', 'Guías', 'Desde', 'La más antigua', ...(canAct ? [ACTS] : [])]}
        rows={groups.slice(0, shown).map((group) => {
          const zone = timeZoneOf(group.pais);
          return [
            <a href={`/admin/causas/${clave}?comercio=${group.comercio_id}`}>
              <b>{group.comercio}</b>
            </a>,
            grouped(group.guias),
            <When at={group.primera} zone={zone} />,
            <Ago at={group.primera} zone={zone} />,
            ...(canAct ? [actionsOf(group)] : []),
          ];
        })}
      />
      {rest.length > 0 && !isWhole && (
        <p>
          <a href={`/admin/causas/${clave}`}>y {counted(rest.length, 'comercio')} más</a>, con{' '}
          {grouped(rest.reduce((sum, group) => sum + group.guias, 0))} guías
        </p>
      )}
    </section>
  );
}

const ACTS = ['Qué hacer', 'acts'] as const;

const PICTURES: Record<Clase, [IconName, Tone]> = {
  mensajes: ['phone', 'bad'],
  'sin-confirmar': ['pin', 'care'],
  intentos: ['house', 'care'],
  advertencias: ['alert', 'care'],
};

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
