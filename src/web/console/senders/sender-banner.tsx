import { renderToString } from 'preact-render-to-string';
import type { PausedSender } from '../../../notifications/pauses/sender-pauses.queries.js';
import { MAX_DELIVERIES } from '../accounts/endpoint-health.queries.js';
import { atMost, Time } from '../../kit/elements.js';
import { mayNotArrive, PROVEEDOR_NAMES } from '../texts.js';

/** Notice across the top of every page while the sender of messages is paused. @param zone IANA time zone. */
export function renderSenderBanner(sender: PausedSender, zone: string): string {
  return renderToString(<SenderBanner sender={sender} zone={zone} />);
}

function SenderBanner({ sender, zone }: { sender: PausedSender; zone: string }) {
  const { proveedor, desde, esperan, responde_en, por_informe, es_caida } = sender;
  const name = PROVEEDOR_NAMES[proveedor];
  const waiting = `Mensajes que esperan: ${atMost(esperan, MAX_DELIVERIES)}; ninguno se pierde.`;
  if (responde_en !== null)
    return (
      <div class="outage good" role="status">
        <b>
          {name} responde otra vez desde <Time at={responde_en} zone={zone} />.
        </b>{' '}
        Salen los que esperaban, los más antiguos primero. {waiting}
      </div>
    );
  return (
    <div class="outage" role="alert">
      <b>
        {por_informe ? 'Mensajes que quizá no lleguen' : 'Mensajes detenidos'}. {name}:{' '}
        {por_informe ? 'última falla informada' : es_caida ? 'falla desde' : 'detenido desde'}{' '}
        <Time at={desde} zone={zone} />. {waiting}
      </b>{' '}
      {adviceOf(sender)} <a href="/admin/queues/queue/notificaciones">Ver la cola</a>
    </div>
  );
}

function adviceOf({ causa, por_informe, es_caida, respuesta }: PausedSender): string {
  if (por_informe)
    return `${mayNotArrive(causa)} Los que no llegaron se envían otra vez después de un minuto.`;
  if (!es_caida) return `${causa} Cuando la causa esté corregida salen solos: se prueba cada minuto.`;
  const answer = respuesta === null ? '' : ` Respondió: «${respuesta}».`;
  return `${causa}${answer} Se prueba cada 15 segundos; al responder, sale todo solo.`;
}
