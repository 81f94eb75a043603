import type { ComponentChildren } from 'preact';
import type { Tone } from '../../guias/guia/tone.js';
import { dueOf, isPickup, phoneOf, placeOf } from './model.js';
import { newsOf, newsText } from './novedades.js';
import type { CampoNuevo, GuiaMostrada, Rechazo } from './phone-data.js';
import type { IconName } from './ruta-icons.js';
import type { Vista } from './vista.js';
import { ESTADOS, refusalText } from './words.js';

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="i" viewBox="0 0 24 24" aria-hidden="true">
    <use href={`#i-${name}`} />
  </svg>
);

interface ButtonProps {
  accion: string;
  icon: IconName;
  look?: string;
  type?: 'button' | 'submit';
  children: ComponentChildren;
}

/** The script finds buttons by `data-accion` and `data-motivo`. */
export const Button = ({ accion, icon, look = '', type = 'button', children }: ButtonProps) => (
  <button class={`btn big ${look}`} type={type} data-accion={accion}>
    <Icon name={icon} />
    {children}
  </button>
);

interface NoteProps {
  tone: Tone;
  icon: IconName;
  children: ComponentChildren;
}

export const Note = ({ tone, icon, children }: NoteProps) => (
  <div class={`note ${tone}`}>
    <Icon name={icon} />
    <div class="grow">{children}</div>
  </div>
);

/** Attributes of every element of a guide. */
export function named(guia: GuiaMostrada) {
  const news = newsOf(guia);
  return {
    'data-guia': guia.guia,
    'data-estado': guia.estado,
    ...(guia.rechazo && { 'data-rechazo': guia.rechazo.codigo }),
    ...(news.length > 0 && { 'data-nuevo': news.join(' ') }),
  };
}

export const NewBadge = ({ campos }: { campos: readonly CampoNuevo[] }) =>
  campos.length === 0 ? null : (
    <span class="badge ask">
      <Icon name="note" />
      Nuevo: {newsText(campos)}
    </span>
  );

/** The camera's picture. */
export const Camera = () => (
  <div class="stack">
    <video class="camara" id="camara" muted playsInline />
    <Button accion="escanear" icon="x">
      Cerrar la cámara
    </Button>
  </div>
);

interface RefusalProps {
  rechazo: Rechazo | null | undefined;
  canDismiss?: boolean;
}

export function Refusal({ rechazo, canDismiss = false }: RefusalProps) {
  if (!rechazo) return null;
  const [what, more] = refusalText(rechazo);
  return (
    <Note tone="bad" icon="alert">
      <b>{what}</b>
      {more}
      {canDismiss && (
        <div>
          <button class="btn" type="button" data-accion="entendido">
            Entendido
          </button>
        </div>
      )}
    </Note>
  );
}

const TONE_ICONS: Partial<Record<Tone, IconName>> = { good: 'check', way: 'route', off: 'depot' };

export function EstadoBadge({ guia: { estado, estado_en, esperan }, hora }: GuiaProps) {
  // A later release may know more states.
  const [text, tone] = (ESTADOS as Partial<typeof ESTADOS>)[estado] ?? [estado, 'off' as const];
  const said = [text, estado_en && hora(estado_en), esperan > 0 && '· espera señal'];
  return (
    <span class={`badge ${tone}`}>
      <Icon name={TONE_ICONS[tone] ?? 'alert'} />
      {said.filter(Boolean).join(' ')}
    </span>
  );
}

export interface GuiaProps {
  guia: GuiaMostrada;
  hora: Vista['hora'];
}

export function Money({ guia }: { guia: GuiaMostrada }) {
  // Where nothing else names the pickup point, `Where` has said it.
  if (isPickup(guia)) return wayTo(guia) === guia.comercio ? null : <b>{guia.comercio}</b>;
  const due = dueOf(guia);
  if (!due) return null;
  return (
    <b>
      {due.texto}
      {due.monto && (
        <>
          {' '}
          <span class="num">{due.monto}</span>
        </>
      )}
    </b>
  );
}

/** How to find the place, and the town of a recipient. */
export const Where = ({ guia }: { guia: GuiaMostrada }) => (
  <>
    {wayTo(guia)} {!isPickup(guia) && <b>{guia.municipio}</b>}
  </>
);

/** The landmark, else the address; of a pickup the merchant's. */
function wayTo(guia: GuiaMostrada): string {
  if (isPickup(guia))
    return [guia.recogida.nombre, guia.recogida.direccion].filter(Boolean).join(', ') || guia.comercio;
  return guia.referencia || guia.direccion || (linkTo(guia.destino, false) ? 'Vea el mapa' : 'Sin dirección');
}

export const Unsure = ({ guia }: { guia: GuiaMostrada }) =>
  guia.direccion_confirmada || isPickup(guia) ? null : (
    <span class="badge care">
      <Icon name="alert" />
      Sin confirmar: llame antes
    </span>
  );

export const Undo = ({ guia }: { guia: GuiaMostrada }) =>
  guia.deshacible ? (
    <Button accion="deshacer" icon="back">
      Deshacer
    </Button>
  ) : null;

export const lastFour = ({ guia }: { guia: string }) => guia.slice(8);

/** Link that opens the phone's map at a place; null where the place is unknown. */
function linkTo({ lat, lng, maps_url }: GuiaMostrada['destino'], isApple: boolean): string | null {
  if (lat !== null && lng !== null)
    return isApple ? `https://maps.apple.com/?q=${lat},${lng}` : `geo:${lat},${lng}?q=${lat},${lng}`;
  return maps_url && /^https?:\/\//i.test(maps_url) ? maps_url : null;
}

interface LinkProps {
  href: string;
  icon: IconName;
  look?: string;
  children: string;
}

const LinkButton = ({ href, icon, look = '', children }: LinkProps) => (
  <a class={`btn big ${look}`} href={href} rel="noreferrer">
    <Icon name={icon} />
    {children}
  </a>
);

export function Reach({ guia, isApple = false }: { guia: GuiaMostrada; isApple: boolean | undefined }) {
  const map = linkTo(placeOf(guia), isApple);
  const { telefono } = phoneOf(guia);
  return (
    <div class="cols trio">
      {map && (
        <LinkButton href={map} icon="map">
          Ir
        </LinkButton>
      )}
      <LinkButton href={`tel:${telefono}`} icon="phone">
        Llamar
      </LinkButton>
      <LinkButton href={`https://wa.me/${telefono.replace(/\D/g, '')}`} icon="speech" look="wa">
        Chat
      </LinkButton>
    </div>
  );
}

export function Amount({ guia }: { guia: GuiaMostrada }) {
  const due = isPickup(guia) ? null : dueOf(guia);
  if (!due) return null;
  return (
    <div class="row">
      <b class="due">{due.texto}</b>
      {due.monto && <span class="amount num">{due.monto}</span>}
    </div>
  );
}
