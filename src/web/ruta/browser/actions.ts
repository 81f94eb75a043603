import { isGuiaNumero } from '../../../guias/guia/guia-digits.js';
import { GOOD_PRECISION_M } from '../../../guias/guia/good-precision.js';
import { inCash, type Pago } from '../../../guias/guia/pago.js';
import { ACCIONES, amountQuestion, eventsOf, readAmount } from '../model.js';
import type { Cambio, Evento, GuiaMostrada } from '../phone-data.js';
import type { Falla } from '../vista.js';
import { draw, opened } from './drawing.js';
import { keepMarks } from './marks.js';
import { freshPosition } from './position.js';
import { showPart } from './scrolling.js';
import { ahora, reloj, stored, ui } from './state.js';
import type { Nueva } from './store.js';
import { alone, ask, changed, guiaOf, isOpen, look, ownGuias, readGuias } from './sync.js';
import { uuid } from './uuid.js';

/** After these the driver is done with a guide. */
const ENDS = ['entregado', 'no_se_pudo', 'bodega'];

export const NOT_KEPT =
  'Este teléfono no guarda nada: lo que haga aquí no se registra. Cierre otras pestañas o libere espacio.';

const FULL = 'No se guardó: la memoria del teléfono está llena. Libere espacio y vuelva a tocar.';

/** The time of the service's clock, ISO 8601. */
const isoNow = () => new Date(ahora()).toISOString();

const newEvent = (guia: string, cambio: Cambio, at: string): Evento => ({
  guia,
  ...cambio,
  ref: uuid(),
  ocurrido_en: at,
});

const undone = () => ({ piloto: stored.piloto!, reloj: reloj(), enviada: false, rechazo: null });

/** @param numero of the guide. */
export async function act(accion: string, numero: string | undefined, fields: Cambio = {}): Promise<void> {
  const made = actionsOf(accion, [guiaOf(numero)], fields);
  if (made.length === 0) return draw();
  if (!(await remember(made))) return;
  // The service alone knows the PIN: until it has answered, the driver stays with the guide.
  if (fields.pin !== undefined && navigator.onLine) return void leaveOnceTaken(numero!);
  if (ENDS.includes(accion)) location.hash = 'ruta';
  void look();
}

/** Does the same with many guides, at one time. */
export async function actAll(accion: string, numeros: readonly string[]): Promise<void> {
  const own = new Map(ownGuias().map((guia) => [guia.guia, guia]));
  const made = actionsOf(
    accion,
    numeros.map((numero) => own.get(numero)),
    {},
  );
  if (made.length > 0 && !(await remember(made))) return;
  ui.escaneadas = ui.escaneadas?.filter((numero) => !numeros.includes(numero));
  ui.fuera = [];
  keepMarks();
  location.hash = 'ruta';
  void look();
}

async function leaveOnceTaken(numero: string): Promise<void> {
  await look();
  const guia = guiaOf(numero);
  if (opened() === numero && !(guia?.rechazo && guia.esperan === 0)) location.hash = 'ruta';
}

/** The actions that an action makes of guides: none of those that it does not suit. */
function actionsOf(accion: string, guias: readonly (GuiaMostrada | undefined)[], fields: Cambio): Nueva[] {
  const place = freshPosition();
  const isKnown = place !== null && place.precision <= GOOD_PRECISION_M;
  const all = { ...fields, ...(isKnown && { lat: place.lat, lng: place.lng }) };
  // What is done at once happened at once.
  const [at, common] = [isoNow(), undone()];
  return guias.flatMap((guia) => {
    if (!guia || !ACCIONES[guia.estado]?.includes(accion)) return [];
    let anterior = guia.estado;
    return eventsOf(accion, guia.estado, all).map((cambio): Nueva => {
      const one = { ...common, guia: guia.guia, evento: newEvent(guia.guia, cambio, at), anterior };
      anterior = cambio.estado!;
      return one;
    });
  });
}

/** Stores actions; what cannot be stored is not done, and the page says so. */
async function remember(made: readonly Nueva[]): Promise<boolean> {
  try {
    if (!stored.store) throw new Error('nothing is stored');
    await stored.store.add(made);
  } catch {
    const texto = stored.store ? FULL : NOT_KEPT;
    Object.assign(ui, { falla: { texto }, aviso: texto });
    draw();
    return false;
  }
  Object.assign(ui, { falla: null, aviso: null, sinPin: false });
  await changed();
  return true;
}

export async function undo(numero: string | undefined): Promise<void> {
  const guia = guiaOf(numero);
  if (!guia) return;
  if (await stored.store?.dropLast(stored.piloto!, guia.guia)) return changed();
  const last = stored.acciones.filter((one) => one.guia === guia.guia && !one.rechazo).at(-1);
  const evento = newEvent(guia.guia, { deshacer: true }, isoNow());
  // Only what may be undone has this button.
  const anterior = (last ?? guia.mio)!.anterior;
  const quita = guia.estado === 'entregado' ? inCash({ ...guia, cod_cobrado: guia.cobrado }) : null;
  if (await remember([{ ...undone(), guia: guia.guia, evento, anterior, quita }])) void look();
}

export async function deliver(form: HTMLFormElement, numero: string | undefined): Promise<void> {
  const input = (name: string) => form.elements.namedItem(name) as HTMLInputElement | null;
  const value = (name: string) => input(name)?.value.trim() ?? '';
  const fault = (falla: Required<Falla>) => {
    ui.falla = falla;
    draw();
    input(falla.campo)?.focus();
  };
  const fields: Cambio = { recibio: value('recibio') || undefined };
  if (input('cod_cobrado')) {
    fields.pago = value('pago') as Pago;
    fields.cod_cobrado = fields.pago === 'directo' ? 0 : readAmount(value('cod_cobrado'));
    if (fields.cod_cobrado === undefined)
      return fault({
        campo: 'cod_cobrado',
        texto: 'Escriba cuánto cobró, por ejemplo 349.50. Si nada, 0.',
      });
  }
  if (input('sin_pin')?.checked) {
    Object.assign(fields, { sin_pin: true, nota: value('nota') });
    if (!fields.nota) return fault({ campo: 'nota', texto: 'Escriba por qué no hay PIN.' });
  } else if (input('pin')) {
    fields.pin = value('pin');
    if (!/^\d{4}$/.test(fields.pin))
      return fault({
        campo: 'pin',
        texto: 'Son cuatro números. Si no lo tiene, marque “No tiene el PIN”.',
      });
  }
  const guia = guiaOf(numero);
  if (guia && amountQuestion(guia, fields) && ui.preguntado !== fields.cod_cobrado) {
    Object.assign(ui, { falla: null, preguntado: fields.cod_cobrado });
    draw();
    return document.querySelector('[data-pregunta]')?.scrollIntoView({ block: 'nearest' });
  }
  return act('entregado', numero, fields);
}

/** Looks for a parcel that nobody has. */
export async function search(text: string): Promise<void> {
  const numero = text.replace(/\D/g, '');
  if (numero.length !== 4 && !isGuiaNumero(numero)) {
    ui.busqueda = { texto: 'Escriba los últimos cuatro números de la guía, o los doce.' };
    return draw();
  }
  if (ui.busqueda?.numero === numero && ui.busqueda.busca) return;
  const propias = ownGuias().filter(({ guia }) => guia.endsWith(numero));
  ui.busqueda = { numero, busca: true, propias, texto: 'Buscando…' };
  draw();
  const answer = navigator.onLine ? await ask('buscar', { numero }) : null;
  if (answer && !(await isOpen(answer))) return;
  const libres = answer?.guias ?? [];
  let texto: string | null | undefined = null;
  if (!answer) texto = 'Sin señal: solo se busca entre sus guías.';
  else if (!answer.ok)
    texto = answer.status === 429 ? 'Son muchas búsquedas. Espere un minuto.' : answer.detail;
  else if (libres.length + propias.length === 0)
    texto = 'No hay una guía libre con ese número. Avise a su bodega.';
  ui.busqueda = { numero, propias, libres, texto };
  draw();
  showPart('buscar');
}

export async function take(guia: string | undefined): Promise<void> {
  if (guia === undefined) return;
  const answer = await ask('tomar', { guia });
  if (answer?.ok) {
    await alone(readGuias);
    ui.busqueda = null;
    location.hash = guia;
  } else {
    const texto = answer ? answer.detail : 'Sin señal: una guía se toma con señal.';
    // No such guide, or no such link any more.
    if (answer?.status === 404) await alone(readGuias);
    ui.busqueda = { ...ui.busqueda, libres: [], texto };
  }
  draw();
}
