import { isGuiaNumero } from '../../../guias/guia/guia-digits.js';
import { gruposOf } from '../grupos.js';
import { newsOf, seen } from '../novedades.js';
import { PERDIDA } from '../words.js';
import type { Datos } from '../phone-data.js';
import { act, actAll, deliver, NOT_KEPT, search, take, undo } from './actions.js';
import { keepMarks, keptMarks } from './marks.js';
import { isCameraOn, closeCamera, onCodes, toggleCamera } from './scanning.js';
import { draw, list, opened } from './drawing.js';
import { isLocated, locate, placePermission } from './position.js';
import { keepHeights, showPart } from './scrolling.js';
import { enlace, forgetContact, lastContact, loseContact, meet, stored, ui } from './state.js';
import { Store } from './store.js';
import { changed, dateActions, forgetIfAlone, guiaOf, keep, look, lose, ownGuias, reload } from './sync.js';
import { listenToWedge } from './wedge.js';

/** Milliseconds between two looks at the service while the page is seen. */
const LOOK_EVERY = 60_000;

/** Milliseconds after the last digit until the search starts. */
const TYPED = 700;

/** Resolves once what is stored was read. */
let wasRead: Promise<void>;

let listScroll = 0;
let typing: ReturnType<typeof setTimeout> | undefined;

/** Reads the data of the page first, so that a guide opens before the phone's memory does. */
async function start(): Promise<void> {
  const told = takeTold();
  const { escaneadas = [], fuera = [] } = keptMarks();
  ui.escaneadas = escaneadas;
  listen();
  if (told && isGuiaNumero(opened())) onOpen();
  wasRead = open(told);
  await wasRead;
  if (isGuiaNumero(opened())) void see(opened());
  else if (groupAt()) {
    onOpen();
    ui.fuera = fuera;
    draw();
  }
  void whenIdle().then(beReadyOffline);
  await look();
}

/** Takes the service's data out of the page, which may have to forget it. */
function takeTold(): Datos | null {
  const element = document.getElementById('datos');
  if (!element) return null;
  const told = JSON.parse(element.dataset.ruta!) as Datos;
  element.remove();
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const since = entry?.responseStart ? Math.max(0, performance.now() - entry.responseStart) : 0;
  meet(Date.parse(told.ahora) + since - Date.now());
  [stored.datos, stored.piloto] = [told, told.piloto.id];
  return told;
}

/** Reads what is stored, and stores what the service told. */
async function open(told: Datos | null): Promise<void> {
  try {
    stored.store = await Store.open();
  } catch {
    ui.aviso = NOT_KEPT;
  }
  // A browser may show an old page again.
  const known = told && (await stored.store?.ruta(enlace))?.datos;
  if (told && !(known && known.ahora >= told.ahora)) {
    await keep(told);
    await dateActions().catch(() => undefined);
  } else forgetContact();
  if ('fin' in list.dataset) await lose('enlace');
  await reload();
  ui.leida = true;
  await forgetIfAlone();
  if (!stored.datos && !ui.perdida) ui.perdida = PERDIDA.nunca;
  await locateIfAllowed();
  draw();
}

/** Whether an action is being stored: a second tap on its button does nothing. */
let isBusy = false;

/** Nothing is done before what is stored was read. */
async function once(run: () => Promise<void>): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  try {
    await wasRead;
    await run();
  } finally {
    isBusy = false;
  }
}

async function locateIfAllowed(): Promise<void> {
  const state = await placePermission();
  if (state === 'granted') findPlace();
  else ui.puedeUbicar = state === 'prompt';
}

function findPlace(): void {
  locate(() => {
    ui.puedeUbicar = false;
    draw();
  });
}

/** The files that open the page without a network wait until the driver has what they asked for. */
const whenIdle = () =>
  new Promise<void>((resolve) => {
    const { requestIdleCallback } = window as Partial<Window>;
    if (requestIdleCallback) requestIdleCallback(() => resolve(), { timeout: 3_000 });
    else setTimeout(resolve);
  });

async function beReadyOffline(): Promise<void> {
  const { serviceWorker, storage } = navigator as Partial<Navigator>;
  if (!serviceWorker || !stored.store) return;
  try {
    await serviceWorker.register('/r/sw.js', { scope: '/r/' });
  } catch {
    // Without a network there is nothing to update.
  }
  await serviceWorker.ready;
  void storage?.persist();
  if (stored.datos) document.documentElement.dataset.sinRed = 'lista';
}

function listen(): void {
  document.addEventListener('click', onClick);
  document.addEventListener('submit', onSubmit);
  document.addEventListener('change', ({ target }) => {
    const box = target as HTMLInputElement;
    if (box.name === 'sin_pin') ui.sinPin = box.checked;
    else if (box.name === 'guias') tick(box);
    else if (box.name === 'pago' && box.value === 'directo') ui.preguntado = null;
    else return;
    draw();
  });
  document.addEventListener('input', ({ target }) => {
    clearTimeout(typing);
    const { name, value } = target as HTMLInputElement;
    // The question was about another amount.
    if (name === 'cod_cobrado' && ui.preguntado !== null) {
      ui.preguntado = null;
      draw();
    }
    const digits = value.replace(/\D/g, '');
    if (name === 'buscar' && (digits.length === 4 || isGuiaNumero(digits)))
      typing = setTimeout(() => void search(digits), TYPED);
  });
  listenToWedge((text) => void onCodes([text]));
  window.addEventListener('hashchange', onOpen);
  window.addEventListener('online', () => {
    if (!stored.piloto || !stored.store) return location.reload();
    ui.enLinea = true;
    draw();
    void look(true);
  });
  window.addEventListener('offline', () => {
    ui.enLinea = false;
    loseContact();
    draw();
  });
  document.addEventListener('visibilitychange', () => {
    // The phone may sleep, and its settings may be open.
    if (document.hidden) return loseContact();
    // The driver comes back from the map's app, at another place.
    if (isLocated()) findPlace();
    if (Date.now() - lastContact().contacto > LOOK_EVERY) void onTick();
  });
  // What was forgotten meanwhile does not come back with a page that the browser has kept.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void reload().then(draw);
  });
  setInterval(() => void onTick(), LOOK_EVERY);
}

async function onTick(): Promise<void> {
  await forgetIfAlone();
  if (document.hidden) return;
  if (isLocated()) findPlace();
  draw();
  await look(true);
}

/** The group whose list the address names. */
const groupAt = () => gruposOf(ownGuias()).find(({ clave }) => clave === opened());

function onOpen(): void {
  const isGuide = isGuiaNumero(opened());
  const grupo = groupAt();
  const isView = isGuide || grupo !== undefined;
  if (isView && list.isConnected) {
    listScroll = window.scrollY;
    keepHeights(list);
  }
  if (isCameraOn() && (isView || ui.lista)) closeCamera();
  const lista = grupo?.guias.map(({ guia }) => guia);
  const none = { falla: null, sinPin: false, preguntado: null, novedad: [], fuera: [], lectura: null };
  Object.assign(ui, { ...none, lista });
  draw();
  if (isGuide) void see(opened());
  if (isView) {
    window.scrollTo(0, 0);
    if (isLocated()) findPlace();
  } else if (opened() === 'ruta') window.scrollTo(0, listScroll);
  else showPart(opened());
}

/** The driver sees the view of a guide: nothing of it is new from now on. */
async function see(numero: string): Promise<void> {
  const news = newsOf(guiaOf(numero) ?? {});
  if (!ui.leida || news.length === 0) return;
  ui.novedad = news;
  stored.datos = seen(stored.datos!, numero);
  await stored.store?.see(enlace, numero).catch(() => undefined);
  await changed();
}

function tick({ value, checked }: HTMLInputElement): void {
  const others = (ui.fuera ?? []).filter((numero) => numero !== value);
  ui.fuera = checked ? others : [...others, value];
  keepMarks();
}

/** Does what the open list says with the guides that have their tick. */
async function confirmList(): Promise<void> {
  const { lista, fuera = [] } = ui;
  const grupo = groupAt();
  if (!grupo || !lista) return;
  await actAll(
    grupo.accion,
    lista.filter((numero) => !fuera.includes(numero)),
  );
}

const numberAt = (element: Element) => element.closest<HTMLElement>('[data-guia]')?.dataset.guia;

function onClick(event: Event): void {
  const target = event.target as Element;
  if (target.closest('a[href="#buscar"]')) document.getElementById('f-buscar')?.focus();
  const element = target.closest<HTMLElement>('[data-accion], [data-motivo]');
  // Links lead to their lists by themselves.
  if (!(element instanceof HTMLButtonElement) || element.type === 'submit') return;
  const { accion = '', motivo } = element.dataset;
  const numero = numberAt(element);
  if (motivo) void once(() => act('no_se_pudo', numero, { motivo }));
  else if (accion === 'no_se_pudo') document.querySelector<HTMLElement>('[data-motivo]')?.focus();
  else if (accion === 'deshacer') void once(() => undo(numero));
  else if (accion === 'tomar') void once(() => take(numero));
  else if (accion === 'escanear') void toggleCamera();
  else if (accion === 'confirmar') void once(confirmList);
  else if (accion === 'ubicar') findPlace();
  else if (accion === 'entendido') void dismiss(numero);
  else void once(() => act(accion, numero));
}

async function dismiss(numero: string | undefined): Promise<void> {
  await stored.store?.dismiss(stored.piloto!, numero);
  await changed();
  void look();
}

function onSubmit(event: Event): void {
  event.preventDefault();
  const form = event.target as HTMLFormElement;
  if ('busca' in form.dataset) {
    clearTimeout(typing);
    void search((form.elements.namedItem('buscar') as HTMLInputElement).value);
  } else void once(() => deliver(form, numberAt(form)));
}

if (window.isSecureContext && 'mediaDevices' in navigator) ui.camara = false;
void start();
