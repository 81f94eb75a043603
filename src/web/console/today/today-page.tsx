import { Note } from '../../kit/note.js';
import type { ComponentChildren } from 'preact';
import { GuiaLink } from '../pages/guia-link.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { renderInTurn } from '../../kit/render-turns.js';
import { mayAct } from '../../../platform/config/board-users.js';
import { CLOSING } from '../closing-paths.js';
import type { StaffUser } from '../admin-access.js';
import type { Outcome } from '../audit/audit.service.js';
import { BulkProgress, bulkTitle } from '../bulk/bulk-page.js';
import type { MasivaProgress } from '../../../support/bulk/bulk.queries.js';
import { MAX_DELIVERIES } from '../accounts/endpoint-health.queries.js';
import type { Tone } from '../../../guias/guia/tone.js';
import { atMost, grouped, NavLinks, Table, Tile, Time, weekday } from '../../kit/elements.js';
import { Icon } from '../../kit/icon.js';
import { withQuery } from '../../kit/with-query.js';
import { StaffPage } from '../pages/staff-page.js';
import { GOING_LIVE_TEXTS, QUEUE_NAMES } from '../texts.js';
import { causesOf, countedTitle, NOT_RECEIVED } from './cause.js';
import { CauseSection } from './cause-section.js';
import type { CausaGroup, Clase } from '../../../support/causes/causes.queries.js';
import { MAX_ROWS, type FailingEndpoint } from './today.queries.js';
import { LAG_S, type Today } from './today.service.js';

/** Merchants that are listed and offered as a filter, those with most guides; others are found by the search. */
const MAX_OPTIONS = 200;

/** Lines of a section on the first page; the section's own page has all that are counted. */
const SHOWN = 8;

/** Views of the page, by their name in `?ver=`. */
const VIEWS = ['causas', 'comercios', 'atendidas', 'endpoints'] as const;
type View = (typeof VIEWS)[number];

export const viewOf = (name: string | undefined): View => VIEWS.find((view) => view === name) ?? 'causas';

interface TodayPageProps {
  user: StaffUser;
  today: Today;
  /** IANA time zone of times that belong to no merchant. */
  zone: string;
  view: View;
  /** Id of the one merchant to show; empty for all. */
  comercio: string;
  /** Actions with many guides that run now. */
  recent: MasivaProgress[];
  outcome: Outcome | undefined;
}

export function renderToday(props: TodayPageProps): Promise<string> {
  const { user, today, zone, view, comercio, recent, outcome } = props;
  const { missing, endpoints, refusals, messages, attempts, unconfirmed, warned, day, queues, outbox } =
    today;
  const lists = [messages, attempts, unconfirmed, warned];
  const unread = lists.includes(undefined) || day === undefined;
  const groups = lists.flatMap((list) => list ?? []);
  const attended = groups.filter(({ atendida }) => atendida);
  const shownGroups = (view === 'atendidas' ? attended : groups.filter(({ atendida }) => !atendida)).filter(
    ({ comercio_id }) => comercio === '' || comercio_id === comercio,
  );
  const isCalm =
    outbox === null &&
    [missing, endpoints, refusals, queues].every((list) => list?.length === 0) &&
    !unread &&
    groups.every(({ atendida }) => atendida);
  const whole = view === 'endpoints';
  const shown = <Row,>(rows: Row[] | undefined) => (rows ?? []).slice(0, whole ? MAX_ROWS : SHOWN);
  const causes = causesOf(shownGroups);
  // What a recipient says that they did not get comes before all else.
  const urgent = causes[0]?.causa === NOT_RECEIVED ? 1 : 0;
  const sections = causes.map((cause, n) => (
    <CauseSection cause={cause} user={user} running={recent} isMain={n === 0} />
  ));
  return renderInTurn(
    <StaffPage
      title="Hoy"
      user={user}
      {...(whole && { back: ['/admin', 'Todo lo de hoy'] })}
      part="/admin"
      script="hoy.js"
      outcome={outcome}
      beside={
        <>
          <span class="soft">{weekday(Date.now(), zone)}</span>
          <a class="btn small end" href="/admin">
            <Icon name="again" />
            Actualizar
          </a>
        </>
      }
    >
      {isCalm && <Note>Nada necesita atención.</Note>}
      {!whole && (
        <Section title="Los destinatarios no reciben nada" rows={missing}>
          <Note tone="bad">
            <ul>
              {missing?.map((name) => (
                <li>{GOING_LIVE_TEXTS[name]}</li>
              ))}
            </ul>
          </Note>
        </Section>
      )}
      {!whole && (
        <>
          <Counts groups={groups.filter(({ atendida }) => !atendida)} day={day} user={user} />
          <Running masivas={recent} />
          <Filters view={view} comercio={comercio} groups={groups} attended={attended.length} />
          {unread && <Note tone="bad">No se pudo consultar todo. Vuelva a cargar la página.</Note>}
          {view === 'comercios' ? <Merchants groups={shownGroups} /> : sections.slice(0, urgent)}
        </>
      )}
      {view !== 'comercios' && view !== 'atendidas' && (
        <Section
          title="Endpoints que fallan"
          rows={endpoints}
          more={whole ? undefined : '/admin?ver=endpoints'}
        >
          <Table
            label="Endpoints que fallan"
            columns={['De', 'Endpoint', 'Desde', 'Última respuesta', 'Sin entregar']}
            rows={shown(endpoints).map((endpoint) => [
              <Owner endpoint={endpoint} />,
              <>
                {endpoint.url} {!endpoint.activo && <strong>(desactivado)</strong>}
              </>,
              <Time at={endpoint.desde} zone={endpoint.pais === null ? zone : timeZoneOf(endpoint.pais)} />,
              endpoint.causa,
              atMost(endpoint.sin_entregar, MAX_DELIVERIES),
            ])}
          />
        </Section>
      )}
      {view === 'causas' && (
        <Section title="Pilotos con rechazos sin leer" rows={refusals}>
          <Table
            label="Pilotos con rechazos sin leer"
            columns={['Piloto', 'No se hicieron', 'Desde', 'Guías']}
            rows={shown(refusals).map(({ nombre, rechazos, desde, guias }) => [
              nombre,
              rechazos,
              <Time at={desde} zone={zone} />,
              guias.slice(0, SHOWN).map((guia) => (
                <>
                  <GuiaLink guia={guia} />{' '}
                </>
              )),
            ])}
          />
        </Section>
      )}
      {!whole && view !== 'comercios' && sections.slice(urgent)}
      {view === 'causas' && <Machinery queues={queues} outbox={outbox} zone={zone} />}
    </StaffPage>,
  );
}

const COUNTS: [clase: Clase, tone: Tone, text: string][] = [
  ['mensajes', 'bad', 'mensajes que fallaron'],
  ['sin-confirmar', 'care', 'sin confirmar más de 24\u00a0h'],
  ['intentos', 'care', 'intentos fallidos sin respuesta'],
  ['advertencias', 'care', 'con una advertencia'],
];

/** The day in numbers; a problem leads to its first cause, which other views and one merchant's may not have. */
function Counts({ groups, day, user }: { groups: CausaGroup[]; user: StaffUser } & Pick<Today, 'day'>) {
  const causes = causesOf(groups);
  const opened = (path: string) => (mayAct(user, 'despacho') ? path : undefined);
  return (
    <div class="cols">
      {COUNTS.map(([clase, tone, text]) => {
        const own = causes.filter((cause) => cause.clase === clase);
        const count = own.reduce((sum, { guias }) => sum + guias, 0);
        return (
          <Tile
            tone={count > 0 ? tone : 'good'}
            count={grouped(count)}
            text={text}
            href={own[0] && `/admin#${own[0].clave}`}
          />
        );
      })}
      {day && (
        <>
          <Tile
            tone="way"
            count={grouped(day.en_ruta)}
            text="en ruta"
            href={opened('/admin/despacho?estado=en_ruta')}
          />
          <Tile tone="good" count={grouped(day.entregadas)} text="entregadas hoy" href={opened(CLOSING)} />
        </>
      )}
    </div>
  );
}

/** Whose an endpoint is: its page has the endpoint. */
function Owner({ endpoint }: { endpoint: FailingEndpoint }) {
  const { id, comercio_id, operador_id, titular } = endpoint;
  if (comercio_id !== null) return <a href={`/admin/comercios/${comercio_id}#w-${id}`}>{titular}</a>;
  return (
    <>
      <a href={`/admin/operadores/${operador_id}#w-${id}`}>{titular}</a> (operador)
    </>
  );
}

/** Actions that run now, and those that ended a moment ago. */
function Running({ masivas }: { masivas: MasivaProgress[] }) {
  return masivas.map((masiva) => (
    <Note tone="off" role="status">
      <a href={`/admin/masivas/${masiva.id}`}>{bulkTitle(masiva)}</a>
      <BulkProgress progress={masiva} />
    </Note>
  ));
}

interface FiltersProps {
  view: View;
  comercio: string;
  groups: CausaGroup[];
  /** Groups that were put off. */
  attended: number;
}

/** By cause, by merchant, or what was put off; of one merchant or all. */
function Filters({ view, comercio, groups, attended }: FiltersProps) {
  const merchants = [...new Map(groups.map((group) => [group.comercio_id, group.comercio]))];
  if (merchants.length === 0) return null;
  const pathOf = (ver: string) => withQuery('/admin', { ver, comercio });
  const tabs = [
    [pathOf('causas'), 'Por causa'],
    [pathOf('comercios'), 'Por comercio'],
    [pathOf('atendidas'), `Atendidas (${grouped(attended)})`],
  ] as const;
  return (
    <div class="row">
      <div class="grow">
        <NavLinks label="Qué se ve" links={tabs} current={pathOf(view)} />
      </div>
      <form method="get" action="/admin" class="row">
        <input type="hidden" name="ver" value={view} />
        <label class="row">
          <span class="soft">Comercio</span>
          <select name="comercio">
            <option value="">Todos</option>
            {merchants.slice(0, MAX_OPTIONS).map(([id, name]) => (
              <option value={id} selected={id === comercio}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="btn">
          Ver
        </button>
      </form>
    </div>
  );
}

function Merchants({ groups }: { groups: CausaGroup[] }) {
  const merchants = new Map<string, CausaGroup[]>();
  for (const group of groups)
    merchants.set(group.comercio_id, [...(merchants.get(group.comercio_id) ?? []), group]);
  const rows = [...merchants.values()]
    .map((own) => ({ own, guias: own.reduce((sum, { guias }) => sum + guias, 0) }))
    .sort((a, b) => b.guias - a.guias);
  return (
    <section class="card stack">
      <h2>Por comercio ({grouped(rows.length)})</h2>
      <Table
        label="Por comercio"
        columns={['Comercio', 'Guías', 'Causas']}
        rows={rows.slice(0, MAX_OPTIONS).map(({ own, guias }) => [
          <a href={`/admin?comercio=${own[0]!.comercio_id}`}>{own[0]!.comercio}</a>,
          grouped(guias),
          causesOf(own).map((cause) => (
            <div>
              <a href={`/admin/causas/${cause.clave}?comercio=${own[0]!.comercio_id}`}>
                {countedTitle(cause)}
              </a>
            </div>
          )),
        ])}
      />
    </section>
  );
}

function Machinery({ queues, outbox, zone }: Pick<Today, 'queues' | 'outbox'> & { zone: string }) {
  return (
    <>
      <Section title="Colas" rows={queues}>
        <Table
          label="Colas"
          columns={['Cola', 'Fallidas', 'Esperan', 'La más antigua espera desde']}
          rows={(queues ?? []).map(({ queue, failed, waiting, waitingSince }) => [
            <a href={`/admin/queues/queue/${queue}${failed > 0 ? '?status=failed' : ''}`}>
              {QUEUE_NAMES[queue] ?? queue}
            </a>,
            failed,
            waiting,
            waitingSince && <Time at={waitingSince} zone={zone} />,
          ])}
        />
      </Section>
      <Section title="Eventos" rows={outbox === null ? [] : outbox && [outbox]}>
        {outbox && (
          <ul>
            {outbox.apartados > 0 && (
              <li>
                <a href="/admin/eventos">
                  {atMost(outbox.apartados, MAX_DELIVERIES)}{' '}
                  {outbox.apartados === 1 ? 'apartado' : 'apartados'}
                </a>{' '}
                desde <Time at={outbox.apartado_desde!} zone={zone} />. Lo que no se pudo procesar se
                reintenta solo.
              </li>
            )}
            {outbox.pendiente_desde !== null && outbox.atraso_s >= LAG_S && (
              <li>
                El más antiguo por procesar espera desde <Time at={outbox.pendiente_desde} zone={zone} />.
                Avise al equipo técnico si el atraso crece.
              </li>
            )}
          </ul>
        )}
      </Section>
    </>
  );
}

interface SectionProps {
  title: string;
  /** Undefined if they could not be read. */
  rows: unknown[] | undefined;
  more?: string | undefined;
  children?: ComponentChildren;
}

/** Renders nothing for an empty section. */
function Section({ title, rows, more, children }: SectionProps) {
  if (rows?.length === 0) return null;
  return (
    <section class="card stack">
      <h2>
        {title}
        {rows && ` (${atMost(rows.length, MAX_ROWS)})`}
      </h2>
      {rows ? children : <Note tone="bad">No se pudo consultar. Vuelva a cargar la página.</Note>}
      {rows && more !== undefined && rows.length > SHOWN && (
        <p>
          <a href={more}>Ver {atMost(rows.length, MAX_ROWS)}</a>
        </p>
      )}
    </section>
  );
}
