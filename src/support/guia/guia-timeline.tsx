import type { ComponentChildren } from 'preact';
import type { CountryCode } from 'libphonenumber-js';
import { ACTORES, EVENTOS, type EventoTipo } from '../../events/evento-tipo.js';
import type { EditableCampo } from '../../guias/changes/editable-fields.js';
import type { EventoDeSoporte } from '../../guias/dto/evento.dto.js';
import { ESTADOS } from '../../guias/guia-estado.js';
import { MOTIVOS, type Motivo } from '../../guias/guia-motivo.js';
import { ENLACE_FALLAS, type EnlaceFalla } from '../../guias/links/link-failures.js';
import { money } from '../../guias/local-format.js';
import type { Tone } from '../../html/tone.js';
import { ESTADOS_DE_MENSAJE } from '../../notifications/messages/mensaje-estado.js';
import { RESULTADOS_DE_INTENTO } from '../../notifications/messages/mensaje-intento.entity.js';
import type { HistoryEntry } from '../../notifications/messages/message-history.queries.js';
import { MENSAJE_TIPO_NAMES } from '../../notifications/providers/messaging-provider.js';
import { OMISIONES, type Omision } from '../../notifications/sending/send-decision.js';
import { ESTADOS_DE_ENTREGA } from '../../webhooks/deliveries/webhook-entrega.entity.js';
import { avisoName } from '../../webhooks/endpoints/webhook-evento.js';
import { Ago, Badge, Clave, grouped, Time } from '../../html/elements.js';
import { BoardLink } from '../pages/board-link.js';
import { Icon, type IconName } from '../../html/icon.js';
import { CAMPO_NAMES, capitalised, LUGAR_NAMES, ORIGEN_NAMES } from '../texts.js';
import { failureText } from './failure-text.js';
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
  /** Guide number. */
  guia: string;
  lines: Line[];
  vista: Vista;
  /** Whether all lines are shown. */
  showsAll: boolean;
  /** The texts of messages by their id; empty for users who may not act: a link stands for its recipient. */
  texts: ReadonlyMap<string, MessageText>;
  canAct: boolean;
  moneda: string;
  country: CountryCode;
  zone: string;
}

type LineProps<Kind extends Line['kind']> = Omit<TimelineProps, 'lines'> & {
  line: Extract<Line, { kind: Kind }>;
};

/** Everything that happened, the newest first. */
export function GuiaTimeline(props: TimelineProps) {
  const { guia, vista, showsAll } = props;
  const lines = linesOf(props.lines, vista);
  const shown = showsAll ? lines : lines.slice(0, SHOWN);
  return (
    <section class="panel" aria-labelledby="historia">
      <h2 id="historia">Lo que ha pasado</h2>
      <nav aria-label="Qué se ve">
        {Object.entries(VISTAS).map(([name, text]) => (
          <a
            href={`/admin/guias/${guia}${name === 'todo' ? '' : `?ver=${name}`}#historia`}
            {...(name === vista && { 'aria-current': 'page' as const })}
          >
            {text}
          </a>
        ))}
      </nav>
      {shown.length === 0 && <p class="muted">Todavía nada.</p>}
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

interface EntryProps {
  id?: string;
  /** ISO 8601. */
  at: string;
  zone: string;
  tone: Tone;
  icon: IconName;
  title: ComponentChildren;
  /** Who, and why. */
  detail?: string;
  more?: ComponentChildren;
}

function Entry({ id, at, zone, tone, icon, title, detail = '', more }: EntryProps) {
  return (
    <li id={id}>
      <span class={`disc ${tone}`}>
        <Icon name={icon} />
      </span>
      <div>
        <div class="row">
          <b class="grow">{title}</b>
          <span class="muted small">
            <Time at={at} zone={zone} /> · <Ago at={at} zone={zone} />
          </span>
        </div>
        {detail !== '' && <p class="muted small">{detail}</p>}
        {more}
      </div>
    </li>
  );
}

const EVENT_ICONS: Partial<Record<EventoTipo, [IconName, Tone]>> = {
  'guia.creada': ['box', 'off'],
  'guia.confirmacion_pedida': ['send', 'ask'],
  'guia.confirmada': ['pin', 'good'],
  'guia.cancelada': ['stop', 'off'],
  'guia.mensaje_fallido': ['alert', 'bad'],
  'guia.destinatario_niega': ['stop', 'care'],
  'guia.enlace_fallido': ['pin', 'care'],
  'guia.enlace_leido': ['pin', 'off'],
  'guia.cod_distinto': ['money', 'care'],
  'guia.cobro_corregido': ['money', 'off'],
  'guia.estado_corregido': ['back', 'care'],
  'guia.asignada': ['person', 'off'],
};

const ESTADO_ICONS: Partial<Record<string, IconName>> = {
  en_ruta: 'bike',
  intento_fallido: 'house',
  entregado: 'check',
  en_devolucion: 'back',
  devuelto: 'back',
  cancelado: 'stop',
  extraviado: 'alert',
};

function EventLine({ line: { at, evento, isCorrection }, zone, moneda, country }: LineProps<'evento'>) {
  const { tipo, estado, montos } = evento;
  const [icon, tone] =
    tipo === 'guia.estado_cambiado' && estado !== null
      ? [ESTADO_ICONS[estado] ?? 'box', ESTADOS[estado].tone]
      : (EVENT_ICONS[tipo] ?? [montos === null ? 'pen' : 'money', 'off' as const]);
  return (
    <Entry
      at={at}
      zone={zone}
      tone={tone}
      icon={icon}
      title={whatHappened(evento, isCorrection)}
      detail={[whoDid(evento), whyOf(evento), amountsOf(evento, (amount) => money(amount, moneda, country))]
        .filter(Boolean)
        .join(' · ')}
    />
  );
}

function whoDid({ actor, usuario, operador, piloto }: EventoDeSoporte): string {
  const name = actor === 'piloto' ? piloto : (usuario ?? operador);
  const who = capitalised(ACTORES[actor]);
  return name === null ? who : `${who} (${name})`;
}

/** @param isCorrection whether the recipient's answer replaces an earlier one. */
function whatHappened({ tipo, estado, origen, lugar }: EventoDeSoporte, isCorrection: boolean): string {
  const name = tipo === 'guia.confirmada' ? confirmedName(isCorrection) : capitalised(EVENTOS[tipo].name);
  if (lugar !== null && Object.hasOwn(LUGAR_NAMES, lugar)) return `${name} ${LUGAR_NAMES[lugar]}`;
  if (origen !== null && Object.hasOwn(ORIGEN_NAMES, origen)) return `${name} ${ORIGEN_NAMES[origen]}`;
  if (tipo === 'guia.estado_cambiado' && estado !== null) return ESTADOS[estado].name;
  return estado !== null && tipo !== 'guia.creada' ? `${name}: ${ESTADOS[estado].name}` : name;
}

/** The type's name is about both. */
const confirmedName = (isCorrection: boolean) =>
  isCorrection ? 'Se corrigió la dirección' : 'Se confirmó la dirección';

function reasonOf(tipo: EventoTipo, motivo: string): string {
  if (tipo === 'guia.mensaje_omitido' && Object.hasOwn(OMISIONES, motivo))
    return OMISIONES[motivo as Omision].name;
  if (tipo === 'guia.mensaje_fallido') return failureText(motivo);
  if (tipo === 'guia.enlace_fallido' && Object.hasOwn(ENLACE_FALLAS, motivo))
    return ENLACE_FALLAS[motivo as EnlaceFalla];
  return Object.hasOwn(MOTIVOS, motivo) ? MOTIVOS[motivo as Motivo] : motivo;
}

/** Each once: several fields are one thing to people. */
function namesOf(campos: string[]): string[] {
  return [...new Set(campos.map((campo) => CAMPO_NAMES[campo as EditableCampo] ?? campo))];
}

function whyOf({ tipo, motivo, nota, campos, recibio, distancia_m, piloto }: EventoDeSoporte): string {
  return [
    tipo === 'guia.asignada' && (piloto ?? 'sin piloto'),
    motivo !== null && reasonOf(tipo, motivo),
    campos !== null && `cambió: ${namesOf(campos).join(', ')}`,
    recibio !== null && `recibió: ${recibio}`,
    distancia_m !== null && `a ${distancia_m} m del destino`,
    nota !== null && `«${nota}»`,
  ]
    .filter(Boolean)
    .map((part) => String(part).replace(/\.$/, ''))
    .join('. ');
}

function amountsOf({ tipo, montos }: EventoDeSoporte, shown: (amount: number) => string): string {
  if (montos === null) return '';
  const { antes, ahora } = montos;
  if (antes === null) return `${tipo === 'guia.actualizada' ? 'por cobrar' : 'cobró'} ${shown(ahora)}`;
  if (tipo === 'guia.cod_distinto') return `había que cobrar ${shown(antes)} y se cobró ${shown(ahora)}`;
  return `de ${shown(antes)} a ${shown(ahora)}`;
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
          {estado === 'pendiente' && (
            <div class="actions">
              <span>
                Próximo intento: <Time at={proximo_en} zone={zone} />
              </span>
              {canAct && (
                <form method="post" action={`/admin/guias/${guia}/mensajes/${id}/enviar`}>
                  <Clave />
                  <button type="submit">Enviar ahora</button>
                </form>
              )}
            </div>
          )}
          {estado === 'fallido' && (
            <div class="actions">
              {canAct && (
                <form method="post" action={`/admin/guias/${guia}/mensajes/${id}/enviar`}>
                  <Clave />
                  <button type="submit">Reintentar</button>
                </form>
              )}
              {mensaje.tarea !== null && <BoardLink job={mensaje.tarea} />}
            </div>
          )}
          {historial.length > 0 && <Tries historial={historial} zone={zone} />}
          {text && (
            <details class="small">
              <summary>Ver el texto</summary>
              <pre>{text.texto}</pre>
              {text.enlace !== null && !hasLink && (
                <p class="muted">El enlace ya no sirve: la guía tiene otro teléfono.</p>
              )}
            </details>
          )}
          {text?.enlace && hasLink && (
            <label class="small">
              Enlace del destinatario
              <input type="text" class="long" readOnly value={text.enlace} data-copy />
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
    <details class="small">
      <summary>
        {historial.length === 1 ? '1 intento' : `${grouped(historial.length)} intentos`}: el último,{' '}
        <Ago at={historial.at(-1)!.en} zone={zone} />
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
      detail={[entrega.host, entrega.intentos > 0 && `${entrega.intentos} intentos`, entrega.causa]
        .filter(Boolean)
        .join(' · ')}
      more={
        next !== null && (
          <p class="small">
            Se reintenta <Time at={next} zone={zone} />
          </p>
        )
      }
    />
  );
}
