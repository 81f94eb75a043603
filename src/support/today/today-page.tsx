import type { ComponentChildren } from 'preact';
import { ADVERTENCIAS, type Attendant, type GuiaAdvertencia } from '../../guias/guia-advertencia.js';
import { timeZoneOf } from '../../validation/time-zone.js';
import { renderPage } from '../../html/page.js';
import { ESTADOS_DE_MENSAJE, type MensajeEstado } from '../../notifications/messages/mensaje-estado.js';
import type { StaffUser } from '../admin-access.js';
import { MAX_DELIVERIES } from '../merchant/endpoint-health.queries.js';
import { atMost, Table, Time } from '../pages/elements.js';
import { StaffPage } from '../pages/staff-page.js';
import { TODAY_SCRIPT_PATH } from '../pages/staff-styles.js';
import { advertenciaText, GOING_LIVE_TEXTS, QUEUE_NAMES } from '../texts.js';
import { MAX_ROWS, type TroubledGuia, type WarnedGuia } from './today.queries.js';
import { LAG_S, type Today } from './today.service.js';

/** Lines of a section on the first page; the section's own page has all that are counted. */
const SHOWN = 8;

/** Sections with a page of their own, by their name in `?ver=`. */
export const SECTION_NAMES = ['endpoints', 'mensajes', 'sin-confirmar', 'advertencias'] as const;
type SectionName = (typeof SECTION_NAMES)[number];

interface TodayPageProps {
  user: StaffUser;
  today: Today;
  /** IANA time zone of times that belong to no merchant. */
  zone: string;
  /** The one section to show, whole. */
  only?: SectionName | undefined;
}

/** The first page: problems that need a person now. */
export function renderToday({ user, today, zone, only }: TodayPageProps): string {
  const { missing, endpoints, messages, unconfirmed, warned, queues, outbox } = today;
  const lists = [missing, endpoints, messages, unconfirmed, warned, queues];
  const isCalm = outbox === null && lists.every((list) => list?.length === 0);
  const shows = (name: SectionName) => only === undefined || only === name;
  const whole = only !== undefined;
  const shown = <Row,>(rows: Row[] | undefined) => (rows ?? []).slice(0, whole ? MAX_ROWS : SHOWN);
  const more = (name: SectionName) => (whole ? undefined : `/admin?ver=${name}`);
  return renderPage(
    <StaffPage title="Hoy" user={user} part="/admin" script={TODAY_SCRIPT_PATH}>
      {isCalm && <p class="notice">Nada necesita atención.</p>}
      {whole && (
        <p>
          <a href="/admin">Todo lo de hoy</a>
        </p>
      )}
      {!whole && (
        <Section title="Los destinatarios no reciben nada" rows={missing}>
          <ul class="notice bad">
            {missing?.map((name) => (
              <li>{GOING_LIVE_TEXTS[name]}</li>
            ))}
          </ul>
        </Section>
      )}
      {shows('endpoints') && (
        <Section title="Endpoints que fallan" rows={endpoints} more={more('endpoints')}>
          <Table
            label="Endpoints que fallan"
            columns={['Comercio', 'Endpoint', 'Desde', 'Última respuesta', 'Sin entregar']}
            rows={shown(endpoints).map((endpoint) => [
              <a href={`/admin/comercios/${endpoint.comercio_id}#w-${endpoint.id}`}>{endpoint.comercio}</a>,
              <>
                {endpoint.url} {!endpoint.activo && <strong>(desactivado)</strong>}
              </>,
              <Time at={endpoint.desde} zone={timeZoneOf(endpoint.pais)} />,
              endpoint.causa,
              atMost(endpoint.sin_entregar, MAX_DELIVERIES),
            ])}
          />
        </Section>
      )}
      {shows('mensajes') && (
        <Section title="Mensajes que fallaron" rows={messages} more={more('mensajes')}>
          <Guias label="mensajes" rows={shown(messages)} cause={({ causa }) => causa} />
        </Section>
      )}
      {shows('sin-confirmar') && (
        <Section title="Sin confirmar después de 24 horas" rows={unconfirmed} more={more('sin-confirmar')}>
          <Guias
            label="sin-confirmar"
            rows={shown(unconfirmed)}
            cause={({ causa }) =>
              causa === null
                ? 'No se le ha enviado un mensaje.'
                : `El último mensaje: ${ESTADOS_DE_MENSAJE[causa as MensajeEstado].name}.`
            }
          />
        </Section>
      )}
      {shows('advertencias') && (
        <Section title="Advertencias por atender" rows={warned} more={more('advertencias')}>
          <p>
            Escriba una nota en la guía cuando esté atendida: sale de esta lista hasta que la guía vuelva a
            cambiar.
          </p>
          <Warned rows={shown(warned)} />
        </Section>
      )}
      {!whole && <Machinery queues={queues} outbox={outbox} zone={zone} />}
    </StaffPage>,
  );
}

interface GuiasProps {
  label: string;
  rows: TroubledGuia[];
  cause: (row: TroubledGuia) => string | null;
}

function Guias({ label, rows, cause }: GuiasProps) {
  return (
    <Table
      label={label}
      columns={['Guía', 'Comercio', 'Desde', 'Qué pasa']}
      rows={rows.map((row) => [
        <a href={`/admin/guias/${row.guia}`}>{row.guia}</a>,
        <a href={`/admin/comercios/${row.comercio_id}`}>{row.comercio}</a>,
        <Time at={row.desde} zone={timeZoneOf(row.pais)} />,
        cause(row),
      ])}
    />
  );
}

function Warned({ rows }: { rows: WarnedGuia[] }) {
  return (
    <Table
      label="Advertencias por atender"
      columns={['Guía', 'Comercio', 'Creada', 'Qué pasa', 'Le toca a']}
      rows={rows.map(({ guia, comercio_id, comercio, creada_en, pais, advertencias }) => [
        <a href={`/admin/guias/${guia}`}>{guia}</a>,
        <a href={`/admin/comercios/${comercio_id}`}>{comercio}</a>,
        <Time at={creada_en} zone={timeZoneOf(pais)} />,
        <Lines texts={advertencias.map(advertenciaText)} />,
        <Lines texts={attendantsOf(advertencias).map((attendant) => ATTENDANT_NAMES[attendant])} />,
      ])}
    />
  );
}

function Lines({ texts }: { texts: string[] }) {
  return texts.map((text, i) => (
    <>
      {i > 0 && <br />}
      {text}
    </>
  ));
}

const ATTENDANT_NAMES: Record<Attendant, string> = {
  soporte: 'Soporte',
  comercio: 'El comercio: avísele',
};

/** Each once. */
function attendantsOf(advertencias: GuiaAdvertencia[]): Attendant[] {
  return [
    ...new Set(advertencias.map((codigo) => ADVERTENCIAS[codigo].attendant).filter((one) => one !== null)),
  ];
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
  /** Path of the page with all rows. */
  more?: string | undefined;
  children?: ComponentChildren;
}

/** Renders nothing for an empty section. */
function Section({ title, rows, more, children }: SectionProps) {
  if (rows?.length === 0) return null;
  return (
    <section>
      <h2>
        {title}
        {rows && ` (${atMost(rows.length, MAX_ROWS)})`}
      </h2>
      {rows ? children : <p class="notice bad">No se pudo consultar. Vuelva a cargar la página.</p>}
      {rows && more !== undefined && rows.length > SHOWN && (
        <p>
          <a href={more}>Ver {atMost(rows.length, MAX_ROWS)}</a>
        </p>
      )}
    </section>
  );
}
