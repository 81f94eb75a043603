import type { ComponentChildren } from 'preact';
import { Page } from '../html/page.js';

const STYLES = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1c2421; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; }
dt { color: #55605b; }
dd { margin: 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid #d9ded9; vertical-align: top; }
.wide { overflow-x: auto; }
td:first-child { white-space: nowrap; }
a { color: #0b6655; }
@media (prefers-color-scheme: dark) {
  body { background: #121614; color: #e8ece9; }
  dt { color: #a3aea8; }
  th, td { border-color: #37403c; }
  a { color: #6fd3bd; }
}
`;

/** A page for support, with the way back to the board. */
export function StaffPage({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <Page title={title} head={<style>{STYLES}</style>}>
      <p>
        <a href="/admin/queues/queue/notificaciones?status=failed">Mensajes fallidos</a> ·{' '}
        <a href="/admin/queues/queue/webhooks?status=failed">Avisos fallidos</a> ·{' '}
        <a href="/admin/eventos">Eventos apartados</a>
      </p>
      <h1>{title}</h1>
      {children}
    </Page>
  );
}

/** Names and their values. */
export function Facts({ facts }: { facts: [name: string, value: string][] }) {
  return (
    <dl>
      {facts.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

/** A table that scrolls sideways where the screen is narrow; a sentence where it has no rows. */
export function Table({ columns, rows }: { columns: string[]; rows: ComponentChildren[][] }) {
  if (rows.length === 0) return <p>Ninguno.</p>;
  return (
    <div class="wide">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr>
              {cells.map((cell) => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
