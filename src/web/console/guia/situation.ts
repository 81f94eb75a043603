import type { Tone } from '../../../guias/guia/tone.js';
import { askRefusal } from '../../../guias/changes/ask-again.js';
import type { EventoDeSoporte } from '../../../guias/dto/evento.dto.js';
import { ESTADOS } from '../../../guias/guia/guia-estado.js';
import { MOTIVOS, type Motivo } from '../../../guias/guia/guia-motivo.js';
import { money } from '../../../guias/guia/local-format.js';
import { PAGOS, USUAL_PAGO } from '../../../guias/guia/pago.js';
import { moveTo } from '../../../guias/guia/standing-moves.js';
import type { HistoryEntry } from '../../../notifications/messages/message-history.queries.js';
import { capitalised } from '../../../platform/validation/text.js';
import type { PilotoDto } from '../../../pilotos/dto/piloto.dto.js';
import type { GuiaOverview } from './guia-overview.service.js';

export type Step = 'pedir' | 'enviar_ahora' | 'corregir_telefono' | 'ver_telefono' | 'anotar' | 'deshacer';

export interface Situation {
  tone: Tone;
  title: string;
  /** When it came to be so, ISO 8601. */
  since: string;
  /** Why, in sentences; may be empty. */
  reason: string;
  /** The most sensible action; null where there is nothing to do. */
  step: Step | null;
}

type Known = Pick<GuiaOverview, 'guia' | 'merchant' | 'eventos' | 'isOptedOut'> & {
  piloto?: Pick<PilotoDto, 'nombre'> | undefined;
  mensajes: Pick<HistoryEntry, 'tipo' | 'estado' | 'intentos' | 'causa' | 'creado_en' | 'actualizado_en'>[];
};

/** Decides the state that matters to support, and the next step. The first rule that holds decides. */
export function situationOf(known: Known): Situation {
  const { guia } = known;
  const { estado, advertencias } = guia;
  const move = moveTo(known.eventos, guia);
  const since = move?.ocurrido_en ?? guia.creada_en;
  const { name, tone } = ESTADOS[estado];
  const plain: Situation = { tone, title: name, since, reason: '', step: null };
  if (estado === 'entregado') return afterDelivery(known, plain, move);
  if (advertencias.includes('cancelada_ya_recogida'))
    return {
      ...plain,
      tone: 'care',
      title: 'Cancelada, y el paquete está con la mensajería',
      reason: 'Acuerde con la mensajería que vuelva al comercio, y escriba una nota.',
      step: 'anotar',
    };
  if (askRefusal({ estado, advertencias: [] }) !== undefined) return underway(known, plain);
  return toBeAsked(known, plain, move);
}

function afterDelivery(
  { guia, merchant }: Known,
  plain: Situation,
  move: EventoDeSoporte | undefined,
): Situation {
  const said = [
    move?.recibio && `Recibió ${move.recibio}`,
    guia.cod_cobrado !== null && paidOf(guia, money(guia.cod_cobrado, guia.moneda, merchant.country)),
    move?.distancia_m !== null && move !== undefined && `a ${move.distancia_m}\u00a0m del destino`,
  ].filter(Boolean);
  const reason = said.length === 0 ? '' : `${capitalised(said.join(', '))}.`;
  if (!guia.advertencias.includes('destinatario_no_recibio')) return { ...plain, reason };
  return {
    ...plain,
    tone: 'bad',
    title: 'Entregada, y el destinatario dice que no la recibió',
    reason:
      `${reason} Pregunte al mensajero: si fue un error, deshaga la entrega; si no, escriba una nota.`.trim(),
    step: 'deshacer',
  };
}

function paidOf({ pago }: Known['guia'], collected: string): string {
  if (pago === 'directo') return `se pagó ${PAGOS.directo}`;
  return pago === null || pago === USUAL_PAGO
    ? `se cobró ${collected}`
    : `se cobró ${collected} ${PAGOS[pago]}`;
}

/** On its way, on its way back, or ended without a delivery: nobody is asked any more. */
function underway({ guia, merchant, piloto }: Known, plain: Situation): Situation {
  if (guia.estado !== 'en_ruta') return plain;
  const due = [
    piloto && `La lleva ${piloto.nombre}.`,
    guia.cod_amount > 0 && `Por cobrar ${money(guia.cod_amount, guia.moneda, merchant.country)}.`,
  ]
    .filter(Boolean)
    .join(' ');
  if (guia.direccion_confirmada) return { ...plain, reason: due };
  return {
    ...plain,
    tone: 'care',
    title: 'En ruta, sin confirmar',
    reason: `Nadie ha marcado el destino. Llame al destinatario. ${due}`.trim(),
    step: 'ver_telefono',
  };
}

/** The recipient may still be asked. */
function toBeAsked(known: Known, plain: Situation, move: EventoDeSoporte | undefined): Situation {
  const { guia, eventos, mensajes, isOptedOut } = known;
  const { estado, advertencias, direccion_confirmada: isConfirmed } = guia;
  const hasFailed = estado === 'intento_fallido';
  if (advertencias.includes('destinatario_niega'))
    return {
      ...plain,
      tone: 'care',
      title: 'El destinatario dice que el paquete no es suyo',
      reason: 'No se le escribe más por esta guía. Confirme el teléfono con el comercio.',
      step: 'corregir_telefono',
    };
  const failure = hasFailed ? failureOf(move) : '';
  const answer = eventos.findLast(
    ({ actor, secuencia }) => actor === 'destinatario' && secuencia > (move?.secuencia ?? 0),
  );
  if (hasFailed && answer !== undefined)
    return {
      ...plain,
      title: 'Intento fallido, y el destinatario ya respondió',
      since: answer.ocurrido_en,
      reason: `${failure} Falta que vuelva a salir.`,
    };
  if (!hasFailed && isConfirmed) return { ...plain, reason: 'El destino está confirmado.' };
  const open: Situation = hasFailed
    ? { ...plain, tone: 'care', title: plain.title, reason: failure }
    : { ...plain, tone: 'ask', title: 'Sin confirmar', reason: `${plain.title}.` };
  if (isOptedOut)
    return {
      ...open,
      tone: 'care',
      reason: `${open.reason} El destinatario pidió no recibir mensajes: llámelo.`,
      step: 'ver_telefono',
    };
  const last = mensajes.findLast(({ tipo }) => tipo !== 'pin_de_entrega');
  const isNew = last !== undefined && (move === undefined || !hasFailed || last.creado_en > move.creado_en);
  return isNew
    ? afterMessage(open, last, hasFailed)
    : { ...open, reason: `${open.reason} No se le ha preguntado.`.trim(), step: 'pedir' };
}

function afterMessage(open: Situation, last: Known['mensajes'][number], hasFailed: boolean): Situation {
  switch (last.estado) {
    case 'pendiente':
    case 'enviando':
    case 'incierto':
      if (last.intentos === 0) return { ...open, reason: `${open.reason} El mensaje está por salir.` };
      return {
        ...open,
        tone: 'care',
        title: hasFailed ? open.title : 'El mensaje no ha salido',
        reason: `${open.reason} ${last.causa ?? 'El mensaje espera otro intento.'}`,
        step: 'enviar_ahora',
      };
    case 'fallido':
      return {
        ...open,
        tone: 'care',
        title: hasFailed ? open.title : 'El mensaje no llegó',
        reason: `${last.causa ?? ''} Revise el teléfono; si está bien, pida la ubicación otra vez.`.trim(),
        step: 'corregir_telefono',
      };
    case 'omitido':
      return {
        ...open,
        tone: 'care',
        reason: `${open.reason} ${last.causa ?? 'El último mensaje no se envió.'} Llame al destinatario.`,
        step: 'ver_telefono',
      };
    default:
      return {
        ...open,
        since: last.creado_en,
        reason: `${open.reason} Se le preguntó, y no ha respondido.`,
        step: 'pedir',
      };
  }
}

function failureOf(move: EventoDeSoporte | undefined): string {
  if (move === undefined) return '';
  const { motivo, nota, piloto, operador } = move;
  const why = motivo !== null && Object.hasOwn(MOTIVOS, motivo) ? MOTIVOS[motivo as Motivo] : motivo;
  const who = piloto ?? operador;
  return [why && `${capitalised(why)}.`, nota && `«${nota}».`, who && `Lo informó ${who}.`]
    .filter(Boolean)
    .join(' ');
}
