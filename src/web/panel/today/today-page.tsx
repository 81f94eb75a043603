import type { ComponentChildren } from 'preact';
import { ADVERTENCIAS, outlastingFor, type GuiaAdvertencia } from '../../../guias/guia/guia-advertencia.js';
import { EDITABLE_IN } from '../../../guias/changes/editable-fields.js';
import { ESTADOS, GUIA_ESTADOS, type GuiaEstado } from '../../../guias/guia/guia-estado.js';
import { SHORT_MOTIVOS } from '../../../guias/guia/guia-motivo.js';
import { sumOf } from '../../../cobros/exact-amounts.js';
import { Ago, atMost, Badge, counted, grouped, weekday } from '../../kit/elements.js';
import { Press } from '../../kit/post-form.js';
import { Icon, type IconName } from '../../kit/icon.js';
import { renderPage } from '../../kit/page.js';
import type { Tone } from '../../../guias/guia/tone.js';
import { withQuery } from '../../kit/with-query.js';
import { chatLink } from '../../../platform/validation/phone.js';
import { MAX_OF_DAY } from '../guias/panel-guias.queries.js';
import { MoreThanPrinted, PrintToday, Search } from '../guias/guias-page.js';
import { GuiaLink, PanelPage, SeenForm } from '../pages/panel-page.js';
import { amountIn, may, type Visit } from '../visit.js';
import type { NeedRow, OwnerCause } from '../../../guias/today/owner-causes.queries.js';
import { TABS } from '../guias/panel-guias.service.js';
import { MAX_ASKED, SHOWN, type Today } from './today.service.js';

/** States that are shown also on a day without any. */
const ALWAYS: readonly GuiaEstado[] = ['aceptado', 'en_ruta', 'intento_fallido', 'entregado'];

const TAB_NAMES = new Map(TABS);

const BAD: readonly GuiaAdvertencia[] = ['mensaje_fallido', 'destinatario_no_recibio'];

/** @param hecho how many recipients were asked, and how many could not be, as `12-1`. */
export function renderToday(visit: Visit, today: Today, hecho?: string): string {
  const shown = GUIA_ESTADOS.filter((estado) => ALWAYS.includes(estado) || today.counts.has(estado));
  const mayWrite = may(visit, 'guias:escribir');
  const { isNew, toPickUp } = today;
  return renderPage(
    <PanelPage
      title="Hoy"
      visit={visit}
      part="/panel"
      sub={`${weekday(Date.now(), visit.zone)} · ${counted(today.open, 'guía')} ${today.open === 1 ? 'abierta' : 'abiertas'}`}
      done={askedNotice(hecho)}
    >
      {isNew && mayWrite ? (
        <FirstSteps />
      ) : (
        <>
          <Needs visit={visit} today={today} />
          <section class="stack" aria-labelledby="dia">
            <h2 id="dia">Así va el día</h2>
            <div class="cols">
              {shown.map((estado) => (
                <a
                  class={`card tile ${ESTADOS[estado].tone}`}
                  data-estado={estado}
                  href={withQuery('/panel/guias', { estado, hoy: 'si' })}
                >
                  <b>{atMost(today.counts.get(estado) ?? 0, MAX_OF_DAY)}</b>
                  <span>{TAB_NAMES.get(estado) ?? ESTADOS[estado].name}</span>
                </a>
              ))}
            </div>
          </section>
          <Money visit={visit} today={today} />
          <Search />
        </>
      )}
      {(mayWrite || toPickUp > 0) && (
        <div class="dock">
          {mayWrite && (
            <a class="btn main big" href="/panel/guias/nueva">
              <Icon name="plus" />
              Nueva guía
            </a>
          )}
          <PrintToday count={toPickUp} look="btn big" />
          <MoreThanPrinted count={toPickUp} of="por recoger" />
        </div>
      )}
    </PanelPage>,
  );
}

function FirstSteps() {
  return (
    <section class="card stack" aria-labelledby="pasos">
      <h2 id="pasos">Los tres primeros pasos</h2>
      <ol class="items">
        <li>
          <b>1. Cree una guía.</b> Pegue lo que le escribió su cliente, o{' '}
          <a href="/panel/importar">suba su archivo de pedidos</a>. Diga una vez dónde se recoge: se recuerda.
        </li>
        <li>
          <b>2. Imprima su etiqueta</b> y péguela en el paquete.
        </li>
        <li>
          <b>3. Espere al mensajero.</b> A su cliente le pedimos por WhatsApp que marque su puerta; aquí verá
          por dónde va y cuánto se cobró.
        </li>
      </ol>
    </section>
  );
}

function askedNotice(hecho = ''): string | undefined {
  const [, asked, refused] = /^(\d{1,3})-(\d{1,3})$/.exec(hecho) ?? [];
  if (asked === undefined) return undefined;
  const others = refused === '0' ? '' : ` A ${refused} no se puede: vea en cada guía por qué.`;
  return `Se pide la ubicación a ${asked}.${others}`;
}

function needing(count: number): string {
  if (count === 0) return 'Nada necesita de usted';
  return count === 1 ? '1 necesita de usted' : `${grouped(count)} necesitan de usted`;
}

/** A cause that the page counts; guides with a failed attempt are shown one by one. */
const isWarning = ({ causa }: OwnerCause): boolean => causa !== 'intentos' && causa !== 'sin_confirmar';

function Needs({ visit, today: { causes, attempted, unconfirmed } }: { visit: Visit; today: Today }) {
  const mending = may(visit, 'guias:escribir') ? '?abrir=cambiar' : '';
  const attempts = causes.find(({ causa }) => causa === 'intentos')?.cuantas ?? 0;
  return (
    <section class="stack" aria-labelledby="pendientes">
      <h2 id="pendientes">{needing(causes.reduce((sum, { cuantas }) => sum + cuantas, 0))}</h2>
      {causes.length === 0 && <p class="empty">Aquí aparece lo que alguien de su tienda debe resolver.</p>}
      {causes.length > 0 && (
        <ul class="items card">
          {causes.filter(isWarning).map((cause) => (
            <Warned visit={visit} cause={cause} />
          ))}
          {attempted.slice(0, SHOWN).map(({ motivo, ...row }) => (
            <Need
              visit={visit}
              since={row.desde}
              tone="care"
              icon="house"
              title={motivo === null ? 'No se pudo entregar' : SHORT_MOTIVOS[motivo]}
              whose={<Recipient {...row} />}
            >
              <a class="btn" href={chatLink(row.telefono)} rel="noreferrer noopener">
                <Icon name="speech" />
                Escribirle
              </a>
              <a class="btn" href={`/panel/guias/${row.guia}${mending}`}>
                <Icon name="pin" />
                {mending === '' ? 'Ver' : 'Cambiar el lugar'}
              </a>
            </Need>
          ))}
          {unconfirmed.length > 0 && <Unconfirmed visit={visit} rows={unconfirmed} />}
        </ul>
      )}
      {attempts > SHOWN && (
        <p>
          Hay más: <a href="/panel/guias?estado=intento_fallido">los intentos que fallaron</a>.
        </p>
      )}
    </section>
  );
}

function Recipient({ guia, destinatario }: { guia: string; destinatario: string | null }) {
  return (
    <div>
      <b>{destinatario || 'Sin nombre'}</b> <GuiaLink guia={guia} />
    </div>
  );
}

/** The guides with a warning: one leads to itself, several to their list. */
function Warned({ visit, cause }: { visit: Visit; cause: OwnerCause }) {
  const { causa, titulo, cuantas, monto, ultima, guia, destinatario, estado } = cause;
  const codigo = causa as GuiaAdvertencia;
  const mayWrite = may(visit, 'guias:escribir');
  // Of a guide that is on its way, or has ended, there is something to see, and no phone or place to correct.
  const isMendable = mayWrite && estado !== null && EDITABLE_IN.telefono.includes(estado);
  const list = withQuery('/panel/guias', { advertencia: codigo, hoy: 'si' });
  return (
    <Need
      visit={visit}
      since={ultima}
      tone={BAD.includes(codigo) ? 'bad' : 'care'}
      icon={codigo === 'mensaje_fallido' ? 'phone' : 'alert'}
      title={ADVERTENCIAS[codigo].short ?? titulo}
      whose={
        <>
          {guia !== null && <Recipient guia={guia} destinatario={destinatario} />}
          <div>
            <a href={list}>{counted(cuantas, 'guía')}</a>
            {monto > 0 && (
              <>
                {' · '}
                <b class="num">{amountIn(visit, monto)}</b>
              </>
            )}
          </div>
        </>
      }
      data={{ 'data-causa': codigo, 'data-guias': String(cuantas), 'data-monto': monto.toFixed(2) }}
    >
      {guia === null ? (
        <a class="btn" href={list}>
          Ver las {grouped(cuantas)}
        </a>
      ) : (
        <a class="btn" href={`/panel/guias/${guia}${isMendable ? '?abrir=cambiar' : ''}`}>
          {isMendable && <Icon name="pen" />}
          {isMendable ? 'Corregir' : 'Ver la guía'}
        </a>
      )}
      {mayWrite && outlastingFor('comercio').includes(codigo) && (
        <SeenForm
          codigo={codigo}
          of={guia === null ? titulo : destinatario || guia}
          {...(guia === null ? { hasta: ultima } : { guia })}
        />
      )}
    </Need>
  );
}

interface NeedProps {
  visit: Visit;
  /** ISO 8601. */
  since: string;
  tone: Tone;
  icon: IconName;
  title: string;
  whose: ComponentChildren;
  /** For programs that read the page. */
  data?: Record<`data-${string}`, string>;
  /** How to mend it. */
  children: ComponentChildren;
}

function Need({ visit, since, tone, icon, title, whose, data, children }: NeedProps) {
  return (
    <li class="stack tight" {...data}>
      <div class="row">
        <Badge tone={tone}>
          <Icon name={icon} /> {title}
        </Badge>
        <span class="end soft t2">
          <Ago at={since} zone={visit.zone} />
        </span>
      </div>
      {whose}
      <div class="row">{children}</div>
    </li>
  );
}

function Unconfirmed({ visit, rows }: { visit: Visit; rows: NeedRow[] }) {
  const count = rows.length === MAX_ASKED ? `${MAX_ASKED} o más` : grouped(rows.length);
  const people = (
    <details>
      <summary>
        <b>{rows.length === 1 ? '1 persona' : `${count} personas`}</b>
      </summary>
      <ul>
        {rows.map(({ guia, destinatario }) => (
          <li>
            <GuiaLink guia={guia} /> {destinatario}
          </li>
        ))}
      </ul>
    </details>
  );
  return (
    <Need
      visit={visit}
      since={rows[0]!.desde}
      tone="ask"
      icon="pin"
      title={rows.length === 1 ? 'No ha marcado su puerta' : 'No han marcado su puerta'}
      whose={people}
    >
      {may(visit, 'guias:escribir') && (
        <Press action="/panel/pedir" fields={{ guias: rows.map(({ guia }) => guia) }} icon="send">
          {rows.length === 1 ? 'Pedir otra vez' : `Pedir a las ${rows.length}`}
        </Press>
      )}
    </Need>
  );
}

function Money({ visit, today: { pending } }: { visit: Visit; today: Today }) {
  const { guias, cobrado, ajustes } = pending;
  const isAdjusted = Number(ajustes) !== 0;
  if (guias === 0 && !isAdjusted) return null;
  return (
    <section class="card ticket" aria-label="Dinero">
      <div class="row">
        <span class="grow">
          <span class="soft">Cobrado, por pagarle</span>
          <br />
          <span class="amount mid">{amountIn(visit, sumOf(cobrado, ajustes))}</span>
        </span>
        <a class="btn" href="/panel/cobros?estado=cobrado">
          Ver
        </a>
      </div>
      <div class="soft t2">
        {counted(guias, 'guía')}
        {isAdjusted && (
          <>
            ; ajustes, <span class="num">{amountIn(visit, ajustes)}</span>
          </>
        )}
      </div>
    </section>
  );
}
