import type { ComponentChildren, VNode } from 'preact';
import { inFours } from '../../guias/guia/guia-digits.js';
import { Groups } from './grupo-view.js';
import { gruposOf } from './grupos.js';
import { cashOf, distanceText, guiasOf, isPickup, isRefused, sectionsOf, waits } from './model.js';
import { newsOf, newsText } from './novedades.js';
import type { Datos, GuiaMostrada } from './phone-data.js';
import { Search } from './search-view.js';
import {
  Icon,
  Button,
  NewBadge,
  Note,
  named,
  Refusal,
  EstadoBadge,
  type GuiaProps,
  Money,
  Where,
  Unsure,
  Undo,
  lastFour,
  Reach,
  Amount,
} from './view-parts.js';
import type { Vista } from './vista.js';
import { ESTADOS, refusalText } from './words.js';

/** Ways to changed guides at the top; their rows say it, too. */
const MAX_NEWS = 5;

const Row = ({ guia, hora }: GuiaProps) => (
  <li class="stack" {...named(guia)}>
    <a class="row" href={`#${guia.guia}`} data-abrir="">
      <b class="num amount mid">{lastFour(guia)}</b>
      <span class="grow">
        <b class="block">{guia.destinatario || 'Sin nombre'}</b>
        {guia.estado === 'en_ruta' ? <Unsure guia={guia} /> : <EstadoBadge guia={guia} hora={hora} />}
        {guia.estado === 'en_ruta' && guia.esperan > 0 && <span class="badge way">Espera señal</span>}
        <NewBadge campos={newsOf(guia)} />
        <span class="block">
          <Where guia={guia} />
        </span>
        <Money guia={guia} />
        {typeof guia.metros === 'number' && ` · ${distanceText(guia.metros)}`}
      </span>
    </a>
    {/* Of all that went out at once each has it in its view. */}
    {guia.estado !== 'en_ruta' && <Undo guia={guia} />}
    <Refusal rechazo={guia.rechazo} />
  </li>
);

interface NearestProps extends GuiaProps {
  isApple: boolean | undefined;
  /** Whether it is what the driver does next. */
  isNext: boolean;
}

const Nearest = ({ guia, hora, isApple, isNext }: NearestProps) => (
  <article class="card stack" {...named(guia)}>
    <div class="row">
      {typeof guia.metros === 'number' ? (
        <span class="badge way">
          <Icon name="route" />
          {`La más cerca · ${distanceText(guia.metros)}`}
        </span>
      ) : (
        <EstadoBadge guia={guia} hora={hora} />
      )}
      <b class="amount mid num end">{lastFour(guia)}</b>
    </div>
    <div class="stack tight">
      <h2 class="name">{guia.destinatario || 'Sin nombre'}</h2>
      <p>
        <Where guia={guia} />
      </p>
      <Unsure guia={guia} />
      <NewBadge campos={newsOf(guia)} />
    </div>
    <Amount guia={guia} />
    <Reach guia={guia} isApple={isApple} />
    <a class={`btn big ${isNext ? 'main' : ''}`} href={`#${guia.guia}`} data-abrir="">
      <Icon name="check" />
      {isPickup(guia) ? 'Abrir' : 'Llegué'}
    </a>
    <Undo guia={guia} />
    <Refusal rechazo={guia.rechazo} />
  </article>
);

function Waiting({ vista: { leida, acciones, enLinea } }: { vista: Vista }) {
  const quiet = (text: ComponentChildren) => (
    <p class="t2" role="status">
      {text}
    </p>
  );
  if (!leida) return quiet('Leyendo lo que espera en este teléfono…');
  const count = acciones.filter(waits).length;
  const counted = <span data-por-enviar={count}>{count}</span>;
  if (enLinea && count === 0) return quiet(<>{counted} por enviar: todo está enviado.</>);
  return (
    <div role="status">
      <Note tone={enLinea ? 'ask' : 'care'} icon="signal">
        <b>
          {enLinea ? '' : 'Sin señal. '}
          {counted}
          {count === 1 ? ' acción espera aquí.' : ' acciones esperan aquí.'}
        </b>
        <br />
        {count === 0 ? 'Puede seguir.' : 'Se mandan solas. Puede seguir.'}
      </Note>
    </div>
  );
}

interface SectionProps {
  id: string;
  title: string;
  guias: readonly GuiaMostrada[];
  hora: Vista['hora'];
}

const Section = ({ id, title, guias, hora }: SectionProps) =>
  guias.length === 0 ? null : (
    <section class="stack tight" id={id} aria-labelledby={`t-${id}`}>
      <h2 id={`t-${id}`}>{title}</h2>
      <ol class="items card">
        {guias.map((guia) => (
          <Row key={guia.guia} guia={guia} hora={hora} />
        ))}
      </ol>
    </section>
  );

const Missing = () => (
  <Note tone="care" icon="alert">
    <b>Esta página no abre sin señal.</b> Tampoco usa la cámara ni su ubicación: el enlace no empieza con
    https. Avise a su bodega.
  </Note>
);

function News({ guias }: { guias: readonly GuiaMostrada[] }) {
  const changed = guias.filter((guia) => newsOf(guia).length > 0);
  const { length } = changed;
  if (length === 0) return null;
  return (
    <div role="status">
      <Note tone="ask" icon="note">
        <b>
          <span data-nuevos={length}>{length}</span>
          {length === 1 ? ' guía cambió' : ' guías cambiaron'}
        </b>
        <div class="row">
          {changed.slice(0, MAX_NEWS).map((guia) => (
            <a class="btn" key={guia.guia} href={`#${guia.guia}`}>
              {`${lastFour(guia)}: ${newsText(newsOf(guia))}`}
            </a>
          ))}
        </div>
      </Note>
    </div>
  );
}

interface RefusedProps {
  guias: readonly GuiaMostrada[];
  vista: Vista;
}

/** Refused actions, each a link to its guide where that is on this phone, until the driver has read it. */
function Refused({ guias, vista: { acciones, hora } }: RefusedProps) {
  const refused = acciones.filter(isRefused);
  const { length } = refused;
  if (length === 0) return null;
  const known = new Set(guias.map(({ guia }) => guia));
  return (
    <section class="note bad" aria-labelledby="t-sinhacer">
      <h2 id="t-sinhacer">
        <Icon name="x" /> <span data-rechazados={length}>{length}</span>
        {length === 1 ? ' cosa no se hizo' : ' cosas no se hicieron'}
      </h2>
      <ol class="items">
        {refused.map(({ n, guia, evento: { estado, ocurrido_en }, rechazo }) => {
          const isHere = known.has(guia);
          const text = (
            <>
              <b class="num amount mid">{isHere ? lastFour({ guia }) : inFours(guia)}</b>
              <span class="grow">
                <b class="block">{`${estado ? ESTADOS[estado][0] : 'Deshacer'}, ${hora(ocurrido_en)}`}</b>
                {refusalText(rechazo)}
              </span>
            </>
          );
          return isHere ? (
            <li key={n}>
              <a class="row" href={`#${guia}`}>
                {text}
                <Icon name="right" />
              </a>
            </li>
          ) : (
            <li class="row" key={n} data-guia={guia} data-estado={estado ?? ''} data-rechazo={rechazo.codigo}>
              {text}
            </li>
          );
        })}
      </ol>
      <button class="btn big grow" type="button" data-accion="entendido">
        Entendido
      </button>
    </section>
  );
}

function RouteView({ datos, vista }: { datos: Datos; vista: Vista }) {
  const { hora } = vista;
  const guias = guiasOf(datos, vista.acciones, vista.ahora);
  const { pending, failed, done } = sectionsOf(guias, vista.aqui);
  const [first, ...others] = pending;
  const grupos = gruposOf(guias);
  const isOut = first?.estado === 'en_ruta';
  const cash = cashOf(datos, vista.acciones);
  return (
    <main>
      <header class="row">
        <h1 class="grow">
          {datos.piloto.nombre}
          <span class="t2 block">{vista.dia}</span>
        </h1>
        {cash.length > 0 && (
          <p class="badge off">
            <Icon name="money" />
            Lleva <b class="num">{cash.join(' · ')}</b>
          </p>
        )}
      </header>
      <Refused guias={guias} vista={vista} />
      <Waiting vista={vista} />
      <News guias={guias} />
      {vista.seguro === false && <Missing />}
      {vista.aviso && (
        <Note tone="bad" icon="alert">
          {vista.aviso}
        </Note>
      )}
      {datos.hay_mas && (
        <Note tone="care" icon="alert">
          Tiene más guías de las que caben aquí: aparecen cuando termine estas.
        </Note>
      )}
      <nav class="tabs" aria-label="Guías">
        <a href="#pendientes">
          <b>{pending.length}</b> por entregar
        </a>
        <a href="#hechas">
          <b>{done.length}</b>
          {done.length === 1 ? ' hecha' : ' hechas'}
        </a>
      </nav>
      <Groups grupos={grupos} isNext={!isOut} />
      {first ? (
        <div id="pendientes">
          <Nearest
            key={first.guia}
            guia={first}
            hora={hora}
            isApple={vista.esApple}
            isNext={isOut || grupos.length === 0}
          />
        </div>
      ) : (
        <p class="empty" id="pendientes">
          No tiene guías por entregar.
        </p>
      )}
      {vista.puedeUbicar && (
        <Button accion="ubicar" icon="map">
          Ordenar por cercanía
        </Button>
      )}
      <Section id="despues" title="Después" guias={others} hora={hora} />
      <Section id="fallidas" title="No se pudo" guias={failed} hora={hora} />
      <Section id="hechas" title="Hechas" guias={done} hora={hora} />
      <Search vista={vista} />
      <div class="dock">
        {vista.camara !== undefined && (
          <Button accion="escanear" icon="scan">
            Escanear
          </Button>
        )}
        <a class="btn big" href="#buscar">
          <Icon name="search" />4 números
        </a>
      </div>
    </main>
  );
}

/** The route; in its place why there is none: the link has ended, or nobody was in contact for a day. */
export function rutaView(vista: Vista): VNode {
  const { perdida, datos, acciones } = vista;
  if (datos && !perdida) return <RouteView datos={datos} vista={vista} />;
  return (
    <main>
      <h1>{perdida?.titulo}</h1>
      <p>{perdida?.texto}</p>
      {acciones.length > 0 && <Waiting vista={vista} />}
      <Refused guias={[]} vista={vista} />
    </main>
  );
}
