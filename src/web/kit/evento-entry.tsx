import type { ComponentChildren } from 'preact';
import type { CountryCode } from 'libphonenumber-js';
import { ACTORES, EVENTOS, type EventoTipo } from '../../platform/events/evento-tipo.js';
import { capitalised } from '../../platform/validation/text.js';
import { Ago, Disc, When } from './elements.js';
import { ESTADO_ICONS } from './guia.js';
import type { IconName } from './icon.js';
import type { Tone } from '../../guias/guia/tone.js';
import type { EventoDeSoporte } from '../../guias/dto/evento.dto.js';
import { ESTADOS } from '../../guias/guia/guia-estado.js';
import { MOTIVOS, type Motivo } from '../../guias/guia/guia-motivo.js';
import { ENLACE_FALLAS, type EnlaceFalla } from '../../guias/links/link-failures.js';
import { money } from '../../guias/guia/local-format.js';
import { PAGOS, USUAL_PAGO } from '../../guias/guia/pago.js';
import { CAMPO_NAMES, LUGAR_NAMES, ORIGEN_NAMES } from '../../guias/history/evento-names.js';

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

/** A line of a history: an icon, the time, and what happened. */
export function Entry({ id, at, zone, tone, icon, title, detail = '', more }: EntryProps) {
  return (
    <li id={id}>
      <Disc tone={tone} icon={icon} />
      <div>
        <div class="row">
          <b class="grow">{title}</b>
          <span class="soft t2">
            <When at={at} zone={zone} /> · <Ago at={at} zone={zone} />
          </span>
        </div>
        {detail !== '' && <p class="soft t2">{detail}</p>}
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
  'guia.destinatario_no_recibio': ['alert', 'bad'],
};

/** Why a message was not sent or did not arrive; undefined for events of other kinds. */
type MessageReason = (tipo: EventoTipo, motivo: string) => string | undefined;

/** Whether a recipient's answer replaces an earlier one. @param eventos of its guide, in order. */
export const replacesAnswer = (eventos: readonly EventoDeSoporte[], evento: EventoDeSoporte): boolean =>
  evento.tipo === 'guia.confirmada' && evento !== eventos.find(({ tipo }) => tipo === evento.tipo);

interface EventoEntryProps {
  /** ISO 8601. */
  at: string;
  evento: EventoDeSoporte;
  /** Whether the recipient's answer replaces an earlier one. */
  isCorrection: boolean;
  zone: string;
  moneda: string;
  country: CountryCode;
  messageReason: MessageReason;
  /** Whether the events come without the names of drivers, as merchants read them. */
  hidesPilotos?: boolean;
  more?: ComponentChildren;
}

/** An event of a guide as a line of its history: what, who, and why. */
export function EventoEntry({
  at,
  evento,
  isCorrection,
  zone,
  moneda,
  country,
  messageReason,
  hidesPilotos = false,
  more,
}: EventoEntryProps) {
  const { tipo, estado, montos } = evento;
  const [icon, tone] =
    tipo === 'guia.estado_cambiado' && estado !== null
      ? [ESTADO_ICONS[estado], ESTADOS[estado].tone]
      : (EVENT_ICONS[tipo] ?? [montos === null ? 'pen' : 'money', 'off' as const]);
  return (
    <Entry
      at={at}
      zone={zone}
      tone={tone}
      icon={icon}
      title={whatHappened(evento, isCorrection)}
      detail={[
        whoDid(evento),
        whyOf(evento, messageReason, hidesPilotos),
        amountsOf(evento, (amount) => money(amount, moneda, country)),
      ]
        .filter(Boolean)
        .join(' · ')}
      more={more}
    />
  );
}

function whoDid({ actor, usuario, operador, piloto }: EventoDeSoporte): string {
  const name = actor === 'piloto' ? piloto : (usuario ?? operador);
  const who = capitalised(ACTORES[actor]);
  return name === null ? who : `${who} (${name})`;
}

/** @param isCorrection whether the recipient's answer replaces an earlier one. */
function whatHappened(
  { tipo, estado, origen, lugar, no_aplicado }: EventoDeSoporte,
  isCorrection: boolean,
): string {
  if (no_aplicado === 'deshacer') return 'El piloto quiso deshacer, demasiado tarde';
  const name = tipo === 'guia.confirmada' ? confirmedName(isCorrection) : capitalised(EVENTOS[tipo].name);
  if (no_aplicado === 'de_otro_piloto' && estado !== null)
    return `Informó un piloto que ya no la tiene: ${ESTADOS[estado].name}`;
  if (lugar !== null && Object.hasOwn(LUGAR_NAMES, lugar)) return `${name} ${LUGAR_NAMES[lugar]}`;
  if (origen !== null && Object.hasOwn(ORIGEN_NAMES, origen)) return `${name} ${ORIGEN_NAMES[origen]}`;
  if (tipo === 'guia.estado_cambiado' && estado !== null) return ESTADOS[estado].name;
  return estado !== null && tipo !== 'guia.creada' ? `${name}: ${ESTADOS[estado].name}` : name;
}

/** The type's name is about both. */
const confirmedName = (isCorrection: boolean) =>
  isCorrection ? 'Se corrigió la dirección' : 'Se confirmó la dirección';

function reasonOf(tipo: EventoTipo, motivo: string): string {
  if (tipo === 'guia.enlace_fallido' && Object.hasOwn(ENLACE_FALLAS, motivo))
    return ENLACE_FALLAS[motivo as EnlaceFalla];
  return Object.hasOwn(MOTIVOS, motivo) ? MOTIVOS[motivo as Motivo] : motivo;
}

/** Each once: several fields are one thing to people. */
function namesOf(campos: string[]): string[] {
  return [...new Set(campos.map((campo) => CAMPO_NAMES[campo] ?? campo))];
}

function whyOf(
  { tipo, motivo, nota, campos, recibio, distancia_m, precision_m, piloto }: EventoDeSoporte,
  messageReason: MessageReason,
  hidesPilotos: boolean,
): string {
  return [
    tipo === 'guia.asignada' && !hidesPilotos && (piloto ?? 'sin piloto'),
    motivo !== null && (messageReason(tipo, motivo) ?? reasonOf(tipo, motivo)),
    campos !== null && `cambió: ${namesOf(campos).join(', ')}`,
    recibio !== null && `recibió: ${recibio}`,
    distancia_m !== null && `a ${distancia_m} m del destino`,
    precision_m !== null && `con unos ${Math.round(precision_m)} m de error`,
    nota !== null && `«${nota}»`,
  ]
    .filter(Boolean)
    .map((part) => String(part).replace(/\.$/, ''))
    .join('. ');
}

function amountsOf({ tipo, montos, pago }: EventoDeSoporte, shown: (amount: number) => string): string {
  if (montos === null) return '';
  const { antes, ahora } = montos;
  if (pago === 'directo') return `${antes === null ? '' : `de ${shown(antes)} a `}pagado ${PAGOS.directo}`;
  const how = pago === null || (antes === null && pago === USUAL_PAGO) ? '' : ` ${PAGOS[pago]}`;
  if (antes === null) return `${tipo === 'guia.actualizada' ? 'por cobrar' : 'cobró'} ${shown(ahora)}${how}`;
  if (tipo === 'guia.cod_distinto') return `había que cobrar ${shown(antes)} y se cobró ${shown(ahora)}`;
  return `${antes === ahora ? '' : `de ${shown(antes)} a `}${shown(ahora)}${how}`;
}
