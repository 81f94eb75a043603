import { Html, html } from '../confirmations/page/html.js';
import type { HistoryEntry, SupportView } from './message-history.service.js';

const STYLE = new Html(`<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1c2421; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; }
  dt { color: #55605b; } dd { margin: 0; }
  table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid #d9ded9; vertical-align: top; }
  .wide { overflow-x: auto; } td:first-child { white-space: nowrap; }
  a { color: #0b6655; }
  @media (prefers-color-scheme: dark) { body { background: #121614; color: #e8ece9; } dt { color: #a3aea8; } th, td { border-color: #37403c; } a { color: #6fd3bd; } }
</style>`);

/** What support sees of a guide: how far it is and what became of its messages, and of its recipient nothing. */
export function renderSupportPage(guia: SupportView, messages: HistoryEntry[]): string {
  return html`<!doctype html>
    <html lang="es">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Guía ${guia.guia}</title>
        ${STYLE}
      </head>
      <body>
        <p><a href="/admin/queues/queue/notificaciones?status=failed">Mensajes fallidos</a></p>
        <h1>Guía ${guia.guia}</h1>
        <dl>
          <dt>Comercio</dt>
          <dd>${guia.comercio}</dd>
          <dt>Estado</dt>
          <dd>${guia.estado}</dd>
          <dt>Dirección</dt>
          <dd>${guia.direccion_confirmada ? 'confirmada' : 'sin confirmar'}</dd>
          <dt>Teléfono</dt>
          <dd>termina en ${guia.telefono_final}</dd>
          <dt>Advertencias</dt>
          <dd>${guia.advertencias.join(', ') || 'ninguna'}</dd>
          <dt>Creada</dt>
          <dd>${guia.creada_en}</dd>
        </dl>
        <h2>Mensajes</h2>
        ${messages.length === 0 ? html`<p>Ninguno.</p>` : renderMessages(messages)}
      </body>
    </html> `.markup;
}

function renderMessages(messages: HistoryEntry[]) {
  return html`<div class="wide">
    <table>
      <thead>
        <tr>
          <th scope="col">Creado</th>
          <th scope="col">Mensaje</th>
          <th scope="col">Estado</th>
          <th scope="col">Intentos</th>
          <th scope="col">Causa</th>
        </tr>
      </thead>
      <tbody>
        ${messages.map(
          (message) =>
            html`<tr>
              <td>${message.creado_en}</td>
              <td>${message.tipo}</td>
              <td>${message.estado}</td>
              <td>${String(message.intentos)}</td>
              <td>${message.causa ?? ''}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
