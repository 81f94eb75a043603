import type { CountryCode } from 'libphonenumber-js';
import { ESTADOS } from '../../../guias/guia/guia-estado.js';
import { Entry, EventoEntry } from '../../kit/evento-entry.js';
import { capitalised } from '../../../platform/validation/text.js';
import { Ago, Badge, counted, grouped, NavLinks, Time } from '../../kit/elements.js';
import { Press } from '../../kit/post-form.js';
import { messageReason } from '../../../notifications/messages/failure-text.js';
import { ESTADOS_DE_MENSAJE } from '../../../notifications/messages/mensaje-estado.js';
import { RESULTADOS_DE_INTENTO } from '../../../notifications/messages/mensaje-intento.entity.js';
import type { HistoryEntry } from '../../../notifications/messages/message-history.queries.js';
import { MENSAJE_TIPO_NAMES } from '../../../notifications/providers/messaging-provider.js';
import type { DeliveryEntry } from '../../../webhooks/deliveries/delivery-log.service.js';
import { ESTADOS_DE_ENTREGA } from '../../../webhooks/deliveries/webhook-entrega.entity.js';
import { avisoName } from '../../../webhooks/endpoints/webhook-evento.js';
import { BoardLink } from '../pages/board-link.js';
import { linesOf, VISTAS, type Line, type Vista } from './story.js';

/** Lines on the page, the newest; `?todo` shows all. */
const SHOWN = 40;

/** Tries of a message that are shown at once. */
const SHOWN_TRIES = 20;

/** A message as its recipient reads it. */
export interface MessageText {
  texto: string;
  /** Null where it has none. */
  enlace: string | null;
}

interface TimelineProps {
  guia: string;
  lines: Line[];
  vista: Vista;
  showsAll: boolean;
  /** The texts of messages by their id; empty for users who may not act: a link stands for its recipient. */
  texts: ReadonlyMap<string, MessageText>;
  canAct: boolean;
  /** Whether the user may apply an event that was not applied, and the guide's state takes it. */
  canApply: boolean;
  moneda: string;
  country: CountryCode;
  zone: string;
}

type LineProps<Kind extends Line['kind']> = Omit<TimelineProps, 'lines'> & {
  line: Extract<Line, { kind: Kind }>;
};

export function GuiaTimeline(props: TimelineProps) {
  const { guia, vista, showsAll } = props;
  const lines = linesOf(props.lines, vista);
  const shown = showsAll ? lines : lines.slice(0, SHOWN);
  const pathOf = (name: string) => `/admin/guias/${guia}${name === 'todo' ? '' : `?ver=${name}`}#historia`;
  const links = Object.entries(VISTAS).map(([name, text]) => [pathOf(name), text] as const);
  return (
    <section class="card stack" aria-labelledby="historia">
      <div class="row">
        <h2 id="historia" class="grow">
          Lo que ha pasado
        </h2>
        <NavLinks label="Qué se ve" links={links} current={pathOf(vista)} />
      </div>
      {shown.length === 0 && <p class="soft">Todavía nada.</p>}
      <ol class="line">
        {shown.map((line) => (
          <TimelineLine {...props} line={line} />
        ))}
      </ol>
      {lines.length > shown.length && (
        <p>
          <a href={`/admin/guias/${guia}?todo=si&ver=${vista}#historia`}>Ver todo</a>, {grouped(lines.length)}{' '}
          líneas.
        </p>
      )}
    </section>
  );
}

function TimelineLine({ line, ...props }: Omit<TimelineProps, 'lines'> & { line: Line }) {
  switch (line.kind) {
    case 'evento':
      return <EventLine {...props} line={line} />;
    case 'mensaje':
      return <MessageLine {...props} line={line} />;
    case 'aviso':
      return <DeliveryLine {...props} line={line} />;
    case 'texto':
      return (
        <Entry
          at={line.at}
          zone={props.zone}
          tone="ask"
          icon="speech"
          title={`Escribió: «${line.texto.texto}»`}
        />
      );
    case 'nota':
      return (
        <Entry
          at={line.at}
          zone={props.zone}
          tone="off"
          icon="note"
          title={`Nota de ${line.nota.usuario}`}
          more={<pre>{line.nota.texto}</pre>}
        />
      );
  }
}

function EventLine({ line, guia, vista, canApply, zone, moneda, country }: LineProps<'evento'>) {
  const { id, se_aplica } = line.evento;
  const { entregas } = line;
  return (
    <EventoEntry
      {...line}
      zone={zone}
      moneda={moneda}
      country={country}
      messageReason={messageReason}
      more={
        <>
          {canApply && se_aplica && (
            <Press action={`/admin/guias/${guia}/aplicar`} fields={{ evento: id }} look="small">
              Aplicar
            </Press>
          )}
          {vista === 'todo' && entregas.length > 0 && <Notices guia={guia} entregas={entregas} zone={zone} />}
        </>
      }
    />
  );
}

/** Webhooks of an event; open where one failed. */
function Notices({ guia, entregas, zone }: { guia: string; entregas: DeliveryEntry[]; zone: string }) {
  const names = [...new Set(entregas.map(({ estado }) => ESTADOS_DE_ENTREGA[estado].name))];
  return (
    <details class="t2" open={entregas.some(({ estado }) => estado === 'fallida')}>
      <summary>
        {counted(entregas.length, 'aviso')}: {names.join(', ')}
      </summary>
      <ul>
        {entregas.map(({ id, webhook, host, estado, causa, intentos, proximo_intento_en: next }) => (
          <li>
            <a href={`/admin/guias/${guia}/avisos/${webhook}/${id}`}>{host}</a>{' '}
            <Badge tone={ESTADOS_DE_ENTREGA[estado].tone}>{ESTADOS_DE_ENTREGA[estado].name}</Badge>{' '}
            {[intentos > 0 && triesText(intentos), causa].filter(Boolean).join(' · ')}
            {next !== null && (
              <>
                {' '}
                Se reintenta <Time at={next} zone={zone} />
              </>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function MessageLine({ line: { at, mensaje, hasLink }, guia, texts, canAct, zone }: LineProps<'mensaje'>) {
  const { id, tipo, estado, causa, proximo_en, historial } = mensaje;
  const { name, tone } = ESTADOS_DE_MENSAJE[estado];
  const text = texts.get(id);
  return (
    <Entry
      id={`m-${id}`}
      at={at}
      zone={zone}
      tone={tone}
      icon="send"
      title={
        <>
          {capitalised(MENSAJE_TIPO_NAMES[tipo])} <Badge tone={tone}>{name}</Badge>
        </>
      }
      detail={causa ?? ''}
      more={
        <>
          {(estado === 'pendiente' || estado === 'fallido') && (
            <div class="row">
              {estado === 'pendiente' && (
                <Badge tone="care" icon="clock">
                  Otra vez <Time at={proximo_en} zone={zone} />
                </Badge>
              )}
              {canAct && (
                <Press action={`/admin/guias/${guia}/mensajes/${id}/enviar`} look="small" icon="send">
                  {estado === 'fallido' ? 'Reintentar' : 'Enviar ahora'}
                </Press>
              )}
              {estado === 'fallido' && mensaje.tarea !== null && <BoardLink job={mensaje.tarea} />}
            </div>
          )}
          {historial.length > 0 && <Tries historial={historial} zone={zone} />}
          {text && (
            <details class="t2">
              <summary>Ver el texto</summary>
              <pre>{text.texto}</pre>
              {text.enlace !== null && !hasLink && (
                <p class="soft">El enlace ya no sirve: la guía tiene otro teléfono.</p>
              )}
            </details>
          )}
          {text?.enlace && hasLink && (
            <label class="t2">
              Enlace del destinatario
              <input type="text" readOnly value={text.enlace} data-copy />
            </label>
          )}
        </>
      }
    />
  );
}

function Tries({ historial, zone }: Pick<HistoryEntry, 'historial'> & { zone: string }) {
  const shown = historial.slice(-SHOWN_TRIES);
  return (
    <details class="t2">
      <summary>
        {triesText(historial.length)}: el último, <Ago at={historial.at(-1)!.en} zone={zone} />
      </summary>
      <ul>
        {shown.map(({ en, resultado, veces, causa }) => (
          <li>
            <Time at={en} zone={zone} />{' '}
            <Badge tone={RESULTADOS_DE_INTENTO[resultado].tone}>
              {RESULTADOS_DE_INTENTO[resultado].name}
            </Badge>
            {veces > 1 && ` ${grouped(veces)} veces; aquí la última`} {causa}
          </li>
        ))}
      </ul>
    </details>
  );
}

const triesText = (count: number) => counted(count, 'intento');

function DeliveryLine({ line: { at, entrega, estado }, guia, zone }: LineProps<'aviso'>) {
  const { name, tone } = ESTADOS_DE_ENTREGA[entrega.estado];
  const aviso = capitalised(avisoName(entrega.evento));
  const next = entrega.proximo_intento_en;
  return (
    <Entry
      at={at}
      zone={zone}
      tone={entrega.estado === 'entregada' ? 'off' : tone}
      icon="bell"
      title={
        <>
          Aviso al comercio:{' '}
          <a href={`/admin/guias/${guia}/avisos/${entrega.webhook}/${entrega.id}`}>
            {estado ? `${aviso}: ${ESTADOS[estado].name}` : aviso}
          </a>{' '}
          <Badge tone={tone}>{name}</Badge>
        </>
      }
      detail={[entrega.host, entrega.intentos > 0 && triesText(entrega.intentos), entrega.causa]
        .filter(Boolean)
        .join(' · ')}
      more={
        next !== null && (
          <p class="t2">
            Se reintenta <Time at={next} zone={zone} />
          </p>
        )
      }
    />
  );
}
