import { render } from 'preact';
import { grupoView } from '../grupo-view.js';
import { guiaView } from '../guia-view.js';
import { rutaView } from '../ruta-view.js';
import type { Vista } from '../vista.js';
import { hourOrDay, today } from './local-times.js';
import { freshPosition } from './position.js';
import { ahora, onPhone, stored, ui } from './state.js';

/** The route, as the service has drawn it; and the guide or list that is open. One of them is in the page. */
export const list = document.getElementById('app')!;
const detail = list.cloneNode(false) as HTMLElement;

/** A guide, a list of guides, or a part of the page, by the address behind `#`. */
export const opened = () => location.hash.slice(1);

/** Draws what is known now. */
export function draw(): void {
  const { datos, acciones } = stored;
  if (!ui.perdida && !datos) return;
  const known = { datos, acciones, ahora: ahora(), aqui: freshPosition(), abierta: opened() };
  const vista: Vista = { ...ui, ...known, hora: (iso) => hourOrDay(onPhone(iso)), dia: today() };
  const open = guiaView(vista) ?? grupoView(vista);
  render(open, detail);
  if (!open) render(rutaView(vista), list);
  const [shown, hidden] = open ? [detail, list] : [list, detail];
  if (hidden.isConnected) hidden.replaceWith(shown);
}
