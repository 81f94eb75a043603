import { Html, html } from '../confirmations/page/html.js';
import type { Story } from './guia-story.service.js';

const STYLE = new Html(`<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1c2421; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; }
  dt { color: #55605b; } dd { margin: 0; }
  table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid #d9ded9; vertical-align: top; }
  .wide { overflow-x: auto; } td:first-child { white-space: nowrap; }
  a { color: #0b6655; }
  @media (prefers-color-scheme: dark) { body { background: #121614; color: #e8ece9; } dt { color: #a3aea8; } th, td { border-color: #37403c; } a { color: #6fd3bd; } }
</style>`);

/** What support sees of a guide: all that became of it, and of its recipient nothing. */
export function renderStory({ guia, eventos, mensajes, entregas }: Story): string {
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
        <p>
          <a href="/admin/queues/queue/notificaciones?status=failed">Mensajes fallidos</a> ·
          <a href="/admin/queues/queue/webhooks?status=failed">Avisos fallidos</a>
        </p>
        <h1>Guía ${guia.guia}</h1>
        <dl>
          <dt>Comercio</dt>
          <dd>${guia.comercio}</dd>
          <dt>Referencia</dt>
          <dd>${guia.external_ref ?? 'ninguna'}</dd>
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
        <h2>Historial</h2>
        ${table(
          ['Ocurrió', 'Evento', 'Quién', 'Estado', 'Por qué'],
          eventos.map((one) => [
            one.ocurrido_en,
            one.tipo,
            one.actor,
            one.estado ?? '',
            [one.motivo, one.nota, one.campos?.join(', ')].filter(Boolean).join(': '),
          ]),
        )}
        <h2>Mensajes al destinatario</h2>
        ${table(
          ['Creado', 'Mensaje', 'Estado', 'Intentos', 'Causa'],
          mensajes.map((one) => [one.creado_en, one.tipo, one.estado, String(one.intentos), one.causa ?? '']),
        )}
        <h2>Avisos al comercio</h2>
        ${table(
          ['Creado', 'Aviso', 'Endpoint', 'Estado', 'Intentos', 'Causa'],
          entregas.map((one) => [
            one.creado_en,
            one.evento,
            one.host,
            one.estado,
            String(one.intentos),
            one.causa ?? '',
          ]),
        )}
      </body>
    </html> `.markup;
}

function table(columns: string[], rows: string[][]) {
  if (rows.length === 0) return html`<p>Ninguno.</p>`;
  return html`<div class="wide">
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
