import type { ComponentChildren } from 'preact';
import { ADVERTENCIAS, type GuiaAdvertencia } from '../../../guias/guia-advertencia.js';
import { ESTADOS, GUIA_ESTADOS, type GuiaEstado } from '../../../guias/guia-estado.js';
import { MOTIVOS } from '../../../guias/guia-motivo.js';
import { capitalised } from '../../kit/capitalised.js';
import { Ago, atMost, Badge, Clave, grouped } from '../../kit/elements.js';
import { Icon, type IconName } from '../../kit/icon.js';
import { renderPage } from '../../kit/page.js';
import type { Tone } from '../../../guias/tone.js';
import { withQuery } from '../../kit/with-query.js';
import { chatLink } from '../../../validation/phone.js';
import { MAX_OF_DAY } from '../guias/panel-guias.queries.js';
import { Search } from '../guias/guias-page.js';
import { GuiaLink } from '../pages/guia-link.js';
import { PanelPage } from '../pages/panel-page.js';
import { amountIn, may, type Visit } from '../visit.js';
import { canBeSeen, MAX_ASKED, MAX_SUMMED, SHOWN, type NeedRow } from './today.queries.js';
import type { Today } from './today.service.js';

/** States that are shown also on a day without any. */
const ALWAYS: readonly GuiaEstado[] = ['aceptado', 'en_ruta', 'intento_fallido', 'entregado'];

const NOT_RECEIVED: GuiaAdvertencia = 'destinatario_no_recibio';

const BAD: readonly GuiaAdvertencia[] = ['mensaje_fallido', NOT_RECEIVED];

/** Their guide has ended: there is something to see, and nothing to correct. */
const ENDED: readonly GuiaAdvertencia[] = [
  NOT_RECEIVED,
  'cod_distinto',
  'entrega_lejos',
  'entregado_sin_pin',
  'cancelada_ya_recogida',
];

/** @param hecho how many recipients were asked, and how many could not be, as `12-1`. */
export function renderToday(visit: Visit, today: Today, hecho?: string): string {
  const shown = GUIA_ESTADOS.filter((estado) => ALWAYS.includes(estado) || today.counts.has(estado));
  return renderPage(
    <PanelPage title="Hoy" visit={visit} part="/panel" done={askedNotice(hecho)}>
      <p class="soft">{dateOf(visit.zone)}</p>
      <div class="split">
        <Needs visit={visit} today={today} />
        <div>
          <section aria-labelledby="dia">
            <h2 id="dia">Así va el día</h2>
            <div class="cols">
              {shown.map((estado) => (
                <a
                  class={`card tile ${ESTADOS[estado].tone}`}
                  data-estado={estado}
                  href={withQuery('/panel/guias', { estado, hoy: 'si' })}
                >
                  <b>{atMost(today.counts.get(estado) ?? 0, MAX_OF_DAY)}</b>
                  <span>{ESTADOS[estado].name}</span>
                </a>
              ))}
            </div>
          </section>
          <Money visit={visit} today={today} />
        </div>
      </div>
      <Search />
      {may(visit, 'guias:escribir') && (
        <div class="dock">
          <a class="btn main" href="/panel/guias/nueva">
            Nueva guía
          </a>
        </div>
      )}
    </PanelPage>,
  );
}

/** Today where the merchant is, like "jueves, 26 de noviembre". */
function dateOf(timeZone: string): string {
  const format = { timeZone, weekday: 'long', day: 'numeric', month: 'long' } as const;
  return new Date().toLocaleDateString('es', format);
}

function askedNotice(hecho = ''): string | undefined {
  const [, asked, refused] = /^(\d{1,3})-(\d{1,3})$/.exec(hecho) ?? [];
  if (asked === undefined) return undefined;
  const others = refused === '0' ? '' : ` A ${refused} no se puede: vea en cada guía por qué.`;
  return `Se pide la ubicación a ${asked}.${others}`;
}

function Needs({ visit, today }: { visit: Visit; today: Today }) {
  const count = today.attempted.length + today.warned.length + today.unconfirmed.length;
  const mayWrite = may(visit, 'guias:escribir');
  const change = mayWrite ? { text: 'Corregir', query: '?abrir=cambiar' } : { text: 'Ver', query: '' };
  return (
    <section aria-labelledby="pendientes">
      <h2 id="pendientes">{count === 0 ? 'Nada necesita de usted' : 'Necesitan de usted'}</h2>
      {count === 0 && <p class="soft">Aquí aparece lo que alguien de su tienda debe resolver.</p>}
      {count > 0 && (
        <ul class="items card">
          {today.warned.slice(0, SHOWN).map(({ codigo, causa, ...row }) => (
            <Need
              visit={visit}
              since={row.desde}
              tone={BAD.includes(codigo) ? 'bad' : 'care'}
              icon="alert"
              title={capitalised(ADVERTENCIAS[codigo].name)}
            >
              <Recipient row={row} />
              {causa !== null && <p class="soft t2">{causa}</p>}
              <div class="row">
                {ENDED.includes(codigo) ? (
                  <a class={codigo === NOT_RECEIVED ? 'btn main' : 'btn'} href={`/panel/guias/${row.guia}`}>
                    Ver la guía
                  </a>
                ) : (
                  <a class="btn" href={`/panel/guias/${row.guia}${change.query}`}>
                    <Icon name="pen" />
                    {change.text}
                  </a>
                )}
                {mayWrite && canBeSeen(codigo) && (
                  <form method="post" action="/panel/vistas">
                    <Clave />
                    <input type="hidden" name="guia" value={row.guia} />
                    <input type="hidden" name="codigo" value={codigo} />
                    <button type="submit" class="btn">
                      Ya lo vi<span class="vh"> ({row.destinatario || row.guia})</span>
                    </button>
                  </form>
                )}
              </div>
            </Need>
          ))}
          {today.attempted.slice(0, SHOWN).map(({ motivo, ...row }) => (
            <Need
              visit={visit}
              since={row.desde}
              tone="care"
              icon="house"
              title={motivo === null ? 'No se pudo entregar' : capitalised(MOTIVOS[motivo])}
            >
              <Recipient row={row} />
              <div class="row">
                <a class="btn" href={chatLink(row.telefono)} rel="noreferrer noopener">
                  <Icon name="speech" />
                  Escribirle
                </a>
                <a class="btn" href={`/panel/guias/${row.guia}${change.query}`}>
                  <Icon name="pin" />
                  {mayWrite ? 'Cambiar el lugar' : 'Ver'}
                </a>
              </div>
            </Need>
          ))}
          {today.unconfirmed.length > 0 && <Unconfirmed visit={visit} rows={today.unconfirmed} />}
        </ul>
      )}
      {(today.warned.length > SHOWN || today.attempted.length > SHOWN) && (
        <p>
          Hay más: <a href="/panel/guias?estado=intento_fallido">los intentos que fallaron</a>,{' '}
          <a href="/panel/guias">todas las guías</a>.
        </p>
      )}
    </section>
  );
}

interface NeedProps {
  visit: Visit;
  /** ISO 8601. */
  since: string;
  tone: Tone;
  icon: IconName;
  title: string;
  /** Whose it is, and how to mend it. */
  children: ComponentChildren;
}

function Need({ visit, since, tone, icon, title, children }: NeedProps) {
  return (
    <li>
      <div class="row">
        <Badge tone={tone}>
          <Icon name={icon} /> {title}
        </Badge>
        <span class="end soft t2">
          <Ago at={since} zone={visit.zone} />
        </span>
      </div>
      {children}
    </li>
  );
}

function Recipient({ row: { guia, destinatario } }: { row: NeedRow }) {
  return (
    <div>
      <b>{destinatario || 'Sin nombre'}</b> <GuiaLink guia={guia} />
    </div>
  );
}

function Unconfirmed({ visit, rows }: { visit: Visit; rows: NeedRow[] }) {
  const count = rows.length === MAX_ASKED ? `${MAX_ASKED} o más` : grouped(rows.length);
  return (
    <Need visit={visit} since={rows[0]!.desde} tone="ask" icon="pin" title="No han marcado su puerta">
      <details>
        <summary>{rows.length === 1 ? '1 persona' : `${count} personas`}</summary>
        <ul>
          {rows.map(({ guia, destinatario }) => (
            <li>
              <GuiaLink guia={guia} /> {destinatario}
            </li>
          ))}
        </ul>
      </details>
      {may(visit, 'guias:escribir') && (
        <form method="post" action="/panel/pedir">
          <Clave />
          {rows.map(({ guia }) => (
            <input type="hidden" name="guias" value={guia} />
          ))}
          <button type="submit" class="btn">
            <Icon name="send" />
            {rows.length === 1 ? 'Pedir otra vez' : `Pedir a las ${rows.length}`}
          </button>
        </form>
      )}
    </Need>
  );
}

function Money({ visit, today: { unsettled } }: { visit: Visit; today: Today }) {
  if (unsettled.guias === 0) return null;
  return (
    <section class="card stack" aria-labelledby="dinero">
      <h2 id="dinero">Cobrado, por pagarle</h2>
      {unsettled.guias <= MAX_SUMMED && <p class="amount">{amountIn(visit, unsettled.monto)}</p>}
      <p>
        {atMost(unsettled.guias, MAX_SUMMED)} {unsettled.guias === 1 ? 'guía' : 'guías'} ·{' '}
        <a href="/panel/cobros?estado=cobrado">Ver</a>
      </p>
    </section>
  );
}
