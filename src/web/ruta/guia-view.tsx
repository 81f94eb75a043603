import type { VNode } from 'preact';
import { inFours } from '../../guias/guia/guia-digits.js';
import { PAGO_CODES, PAGOS, USUAL_PAGO } from '../../guias/guia/pago.js';
import { ACCIONES, amountQuestion, guiasOf, isPickup, phoneOf } from './model.js';
import { newsOf } from './novedades.js';
import type { GuiaMostrada } from './phone-data.js';
import type { IconName } from './ruta-icons.js';
import {
  Icon,
  Button,
  NewBadge,
  Note,
  named,
  Refusal,
  EstadoBadge,
  Where,
  Unsure,
  Undo,
  lastFour,
  Reach,
  Amount,
} from './view-parts.js';
import type { Falla, Vista } from './vista.js';
import { MOTIVOS } from './words.js';

/** Buttons of the moves without further questions, with their icons. */
const MOVES: Record<string, [icon: IconName, text: string]> = {
  en_camino_a_recoger: ['route', 'Voy a recoger'],
  recogido: ['check', 'Ya la recogí'],
  en_ruta: ['route', 'Sale a entregar'],
  bodega: ['depot', 'De vuelta a bodega, sin intentar'],
};

interface FieldProps {
  name: string;
  label: string;
  falla: Falla | null | undefined;
  look?: string;
  numeric?: 'decimal' | 'numeric';
  max?: number;
  value?: string;
}

function Field({ name, label, falla, look, numeric, max, value }: FieldProps) {
  const isWrong = falla?.campo === name;
  return (
    <div class={`field ${isWrong ? 'bad' : ''}`}>
      <label for={`f-${name}`}>{label}</label>
      <input
        id={`f-${name}`}
        name={name}
        autocomplete="off"
        class={look}
        inputmode={numeric}
        maxLength={max}
        defaultValue={value}
        {...(isWrong && { 'aria-invalid': 'true' as const, 'aria-describedby': `falla-${name}` })}
      />
      {isWrong && (
        <p class="why" id={`falla-${name}`}>
          {falla.texto}
        </p>
      )}
    </div>
  );
}

/** How the amount was paid, like `En efectivo`. */
const Payment = ({ pago }: { pago: string }) => (
  <div class="field">
    <label for="f-pago">Cómo pagó</label>
    <select id="f-pago" name="pago">
      {PAGO_CODES.map((one) => (
        <option key={one} value={one} selected={one === pago}>
          {PAGOS[one].replace(/^./, (first) => first.toUpperCase())}
        </option>
      ))}
    </select>
  </div>
);

function Delivery({ guia, vista: { falla, sinPin, preguntado } }: { guia: GuiaMostrada; vista: Vista }) {
  const isPaid = Number(guia.cobrar) > 0;
  const question = amountQuestion(guia, { cod_cobrado: preguntado ?? undefined });
  return (
    <form class="card stack" method="post" data-entrega="" novalidate>
      {isPaid ? (
        <>
          <Field
            name="cod_cobrado"
            label={`COBRAR, ${guia.simbolo}`}
            falla={falla}
            look="amount"
            numeric="decimal"
            value={guia.intento?.cod_cobrado?.toFixed(2) ?? guia.cobrar}
          />
          <Payment pago={guia.intento?.pago ?? USUAL_PAGO} />
        </>
      ) : (
        <b>SIN COBRO</b>
      )}
      <Field
        name="recibio"
        label="Quién recibió"
        falla={falla}
        max={120}
        value={guia.intento?.recibio ?? guia.destinatario}
      />
      {guia.con_pin && (
        <>
          <Field name="pin" label="PIN que le dicen" falla={falla} look="amount" numeric="numeric" max={4} />
          <label class="btn">
            <input type="checkbox" name="sin_pin" checked={sinPin} />
            No tiene el PIN
          </label>
          {sinPin && <Field name="nota" label="¿Por qué sin PIN?" falla={falla} max={500} />}
        </>
      )}
      {question && (
        <div data-pregunta="monto" role="alert">
          <Note tone="care" icon="alert">
            <b>{question.que}</b> Si cobró {question.monto}, toque otra vez.
          </Note>
        </div>
      )}
      <Button accion="entregado" icon="check" look="main" type="submit">
        {question ? `Sí, cobré ${question.monto}` : isPaid ? 'Entregado y cobrado' : 'Entregado'}
      </Button>
    </form>
  );
}

const Failure = () => (
  <section class="stack">
    <Button accion="no_se_pudo" icon="x">
      No se pudo. ¿Por qué?
    </Button>
    <div class="cols" id="motivos">
      {Object.entries(MOTIVOS).map(([motivo, text]) => (
        <button key={motivo} class="btn big" type="button" data-motivo={motivo}>
          {text}
        </button>
      ))}
    </div>
  </section>
);

function GuiaView({ guia, vista }: { guia: GuiaMostrada; vista: Vista }) {
  const acciones = ACCIONES[guia.estado] ?? [];
  const moves = acciones.filter((accion) => accion in MOVES && accion !== 'bodega');
  const move = (accion: string, look = '') => {
    const [icon, text] = MOVES[accion]!;
    return (
      <Button key={accion} accion={accion} icon={icon} look={look}>
        {text}
      </Button>
    );
  };
  const { falla } = vista;
  return (
    <main>
      <header class="row">
        <a class="btn" href="#ruta">
          <Icon name="left" />
          Ruta
        </a>
        <b class="amount mid num end">{lastFour(guia)}</b>
      </header>
      <article class="stack wide" {...named(guia)}>
        <div class="stack tight">
          <h1>{guia.destinatario || 'Sin nombre'}</h1>
          <p>
            <Where guia={guia} />
          </p>
          {!isPickup(guia) && guia.referencia && guia.direccion && <p>{guia.direccion}</p>}
          <p>
            <EstadoBadge guia={guia} hora={vista.hora} /> <Unsure guia={guia} />{' '}
            <NewBadge campos={[...new Set([...newsOf(guia), ...(vista.novedad ?? [])])]} />
          </p>
        </div>
        {[guia.notas, guia.nota]
          .filter((text) => text)
          .map((text) => (
            <div class="note ask" key={text}>
              <Icon name="note" />
              <p class="pre">{text}</p>
            </div>
          ))}
        <Refusal rechazo={guia.rechazo} canDismiss />
        <Reach guia={guia} isApple={vista.esApple} />
        {acciones.includes('entregado') ? (
          <Delivery key={`f${guia.guia}`} guia={guia} vista={vista} />
        ) : (
          <Amount guia={guia} />
        )}
        {falla && falla.campo === undefined && (
          <Note tone="bad" icon="alert">
            {falla.texto}
          </Note>
        )}
        {moves.map((accion, i) => move(accion, i === moves.length - 1 ? 'main' : ''))}
        {acciones.includes('no_se_pudo') && <Failure />}
        {acciones.includes('bodega') && move('bodega')}
        <Undo guia={guia} />
        <p class="t2">
          {`Guía ${inFours(guia.guia)} · ${guia.comercio} · `}
          <span class="num">{phoneOf(guia).telefono_escrito}</span>
        </p>
      </article>
    </main>
  );
}

/** The view of the guide whose number is `abierta`; null where it is not the driver's. */
export function guiaView(vista: Vista): VNode | null {
  if (vista.perdida || !vista.datos) return null;
  const open = guiasOf(vista.datos, vista.acciones, vista.ahora).find(({ guia }) => guia === vista.abierta);
  return open ? <GuiaView guia={open} vista={vista} /> : null;
}
