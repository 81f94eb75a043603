import { h, render } from './preact.js';
import { ACCIONES, DAY_MS, eventsOf, guiasOf, isGuia, nextBatch, PERDIDA, readAmount } from './model.js';
import { createViews } from './views.js';

/** Milliseconds between two looks at the service while the page is seen. */
const LOOK_EVERY = 60_000;

/** Milliseconds after which a request counts as unanswered. */
const PATIENCE = 20_000;

/** Events in one request. */
const BATCH = 100;

/** Milliseconds for which a position says where something was done. */
const FRESH = 5 * 60_000;

/** Metres; a position that may be further off says nothing of a delivery, which is far from its place from 300 m on. */
const PRECISE = 100;

/** Milliseconds after the last digit until the search starts. */
const TYPED = 700;

/** Milliseconds between two looks at the camera's picture, and its longer side as it is read. */
const SCAN_EVERY = 300;
const SCAN_PIXELS = 1_280;

/** After these the driver is done with a guide. */
const ENDS = ['entregado', 'no_se_pudo', 'bodega'];

/** The route, as the service has drawn it; and the guide that is open. One of them is in the page. */
const list = document.getElementById('app');
const detail = list.cloneNode(false);

const enlace = location.pathname.split('/')[2];
const views = createViews(h, /iPhone|iPad|iPod/.test(navigator.userAgent));
const otherTabs = 'BroadcastChannel' in window ? new BroadcastChannel('guias-ruta') : null;

/** Resolves once what is stored was read. */
let opened;

/** What was stored, as it was last read. */
let store = null;
let piloto = null;
let datos = null;
let acciones = [];
/** Milliseconds: the service's clock minus the phone's, and the phone's time of the last contact. */
let desfase = 0;
let contacto = 0;

/** `performance.timeOrigin + performance.now()` when this load of the page knew of the last contact. */
let marca = 0;

/** Whether the page was seen and had a network ever since the last contact. */
let isInContact = false;

/** Milliseconds by which the two clocks may part while nobody changes one. */
const DRIFT = 2_000;

/** What was touched, and what the phone says. */
const ui = {
  leida: false,
  enLinea: navigator.onLine,
  seguro: window.isSecureContext,
  falla: null,
  sinPin: false,
  aviso: null,
  busqueda: null,
  camara: undefined,
  puedeUbicar: false,
  perdida: null,
};

/** The phone's last position: `{lat, lng, at, precision}`, in metres. */
let position = null;
let listScroll = 0;
let typing;

/** The service's clock, in milliseconds. */
const ahora = () => Date.now() + desfase;

/** The clock of this load of the page, in milliseconds: nobody changes it, but it stands still while the phone sleeps. */
const ownClock = () => performance.timeOrigin + performance.now();

/** Whether `desfase` is surely still that of the last contact. */
const isClockSure = () => isInContact && Math.abs(Date.now() - contacto - (ownClock() - marca)) < DRIFT;

/** What is known of the time now, for `happenedAt`. */
const reloj = () => ({ desfase, contacto: contacto + desfase, marca: Math.round(ownClock() - marca) });

const NOT_KEPT =
  'Este teléfono no guarda nada: lo que haga aquí no se registra. Cierre otras pestañas o libere espacio.';

/** What came with the page is read first, so that a guide opens before the phone's memory does. */
async function start() {
  const told = takeTold();
  listen();
  if (told && isGuia(location.hash.slice(1))) onOpen();
  opened = open(told);
  await opened;
  void whenIdle().then(beReadyOffline);
  await look();
}

/** What the service told with the page; it does not stay in the page, which may have to forget it. */
function takeTold() {
  const element = document.getElementById('datos');
  if (!element) return null;
  const told = JSON.parse(element.dataset.ruta);
  element.remove();
  const [entry] = performance.getEntriesByType('navigation');
  const since = entry?.responseStart ? Math.max(0, performance.now() - entry.responseStart) : 0;
  desfase = Date.parse(told.ahora) + since - Date.now();
  meet();
  [datos, piloto] = [told, told.piloto.id];
  return told;
}

/** Reads what is stored, and stores what the service told. */
async function open(told) {
  try {
    // All files at once.
    const files = [import('./store.js'), import('./idb.js'), import('./clock.js')];
    const [{ Store }] = await Promise.all(files);
    store = await Store.open();
  } catch {
    ui.aviso = NOT_KEPT;
  }
  // A browser may show an old page again.
  const known = told && (await store?.ruta(enlace))?.datos;
  if (told && !(known?.ahora >= told.ahora)) {
    await keep(told);
    await store?.date(piloto, desfase, ahora()).catch(() => undefined);
  } else [contacto, isInContact] = [0, false];
  if ('fin' in list.dataset) await lose('enlace');
  await reload();
  ui.leida = true;
  await forgetIfAlone();
  if (!datos && !ui.perdida) ui.perdida = PERDIDA.nunca;
  await locateIfAllowed();
  draw();
}

/** The service has just said its time. */
function meet() {
  contacto = Date.now();
  marca = ownClock();
  isInContact = true;
}

async function keep(fresh) {
  ui.perdida = null;
  [datos, piloto] = [fresh, fresh.piloto.id];
  if (!store) return;
  try {
    await store.save(enlace, fresh, { contacto, desfase });
  } catch {
    ui.aviso = 'La memoria del teléfono está llena: la página no abrirá sin señal. Libere espacio.';
  }
}

/** Reads what is stored, which another tab may have changed; older than what is known where there was no room. */
async function reload() {
  const ruta = await store?.ruta(enlace);
  if (ruta && !(datos?.ahora > ruta.datos?.ahora)) {
    ({ piloto, datos } = ruta);
    takeContact(ruta);
    ui.perdida = datos ? null : PERDIDA[ruta.perdida];
  }
  if (store && piloto) acciones = await store.acciones(piloto);
}

/** A contact of another tab, or of an earlier load: all that is known of it is that it was before now. */
function takeContact(of) {
  if (contacto && !(of.contacto + of.desfase > contacto + desfase)) return;
  ({ contacto, desfase = desfase } = of);
  marca = ownClock();
  isInContact = false;
}

async function changed() {
  otherTabs?.postMessage('changed');
  await reload();
  draw();
}

function draw() {
  if (!ui.perdida && !datos) return;
  const vista = { ...ui, datos, acciones, ahora: ahora(), hora, dia: today(), aqui: freshPosition() };
  const guia = views.Guia({ ...vista, abierta: location.hash.slice(1) });
  render(guia, detail);
  if (!guia) render(views.Ruta(vista), list);
  const [shown, hidden] = guia ? [detail, list] : [list, detail];
  if (hidden.isConnected) hidden.replaceWith(shown);
}

/** Made once each: a slow phone takes a while to make one. */
const dateFormats = new Map();
function format(name, date, options) {
  if (!dateFormats.has(name)) dateFormats.set(name, new Intl.DateTimeFormat('es', options));
  return dateFormats.get(name).format(date);
}

function hora(iso) {
  const date = new Date(Date.parse(iso) - desfase);
  if (date.toDateString() === new Date().toDateString())
    return format('hora', date, { hour: 'numeric', minute: '2-digit' });
  return format('dia', date, { day: 'numeric', month: 'short' });
}

function today() {
  return format('hoy', new Date(), { weekday: 'long', day: 'numeric', month: 'long' });
}

/* The service */

/** Asks the service; null where it did not answer. */
async function ask(what, body) {
  const before = Date.now();
  try {
    const answer = await fetch(`/r/${enlace}/${what}`, {
      method: body ? 'POST' : 'GET',
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE),
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const told = await answer.json();
    if (typeof told.ok !== 'boolean') throw new Error('not our answer');
    const date = Date.parse(answer.headers.get('date'));
    // The header has whole seconds.
    if (date) desfase = date + 500 - (before + Date.now()) / 2;
    meet();
    ui.enLinea = true;
    if (piloto) await store?.date(piloto, desfase, ahora()).catch(() => undefined);
    return { status: answer.status, ...told };
  } catch {
    ui.enLinea = false;
    isInContact = false;
    return null;
  } finally {
    draw();
  }
}

/** One at a time over all tabs. */
const alone = (run) => (navigator.locks ? navigator.locks.request('guias-ruta', run) : run());

/** Sends what waits, then reads the guides where `isDue`. */
async function look(isDue = false) {
  if (ui.perdida === PERDIDA.enlace || !navigator.onLine || !store) return;
  await alone(async () => {
    // The empty page of a link that never opened here: a slow network counted as none.
    if (!piloto) await readGuias();
    if (!piloto) return;
    const isSent = await send();
    if (isDue && isSent !== false) await readGuias();
  });
}

/** Whether the service answered all that was sent; what it could not do waits for the next look. */
async function send() {
  let needsReading = false;
  for (let waiting; (waiting = await store.waiting(piloto)).length > 0;) {
    // Only a contact tells whether the clock was changed; then all that waits is dated.
    if (!isClockSure()) await readGuias();
    if (!isClockSure() || ui.perdida === PERDIDA.enlace) return false;
    await store.date(piloto, desfase, ahora());
    const sent = await store.markSent(nextBatch(waiting, BATCH));
    if (sent.length === 0) continue;
    const answer = await ask('eventos', { eventos: sent.map(({ evento }) => evento) });
    if (!(await isOpen(answer)) || !answer.resultados) return false;
    const isLeft = await store.settle(enlace, sent, answer.resultados, { contacto, desfase });
    needsReading ||= answer.resultados.some(({ ok, aplicado }) => !ok || !aplicado);
    await changed();
    if (isLeft) break;
  }
  if (needsReading) await readGuias();
  return true;
}

async function readGuias() {
  const answer = await ask('guias');
  if (!(await isOpen(answer)) || !answer.ok) return;
  const { ok: _, status: __, ...fresh } = answer;
  await keep(fresh);
  await changed();
}

/** Whether the service answered, and the link still opens; a link that has ended makes the phone forget. */
async function isOpen(answer) {
  if (!answer) return false;
  if (answer.status !== 404 || answer.codigo !== 'no_encontrado') return true;
  await lose('enlace');
  return false;
}

/** Forgets all people; what waits stays. */
async function lose(why) {
  Object.assign(ui, { perdida: PERDIDA[why], busqueda: null });
  datos = null;
  draw();
  await store?.forget(enlace, why);
  await changed();
}

async function forgetIfAlone() {
  if (datos && contacto && Math.abs(Date.now() - contacto) > DAY_MS) await lose('dia');
}

/* What is done */

/** Whether an action is being stored: a second tap on its button does nothing. */
let isBusy = false;

/** Nothing is done before what is stored was read. */
async function once(run) {
  if (isBusy) return;
  isBusy = true;
  try {
    await opened;
    await run();
  } finally {
    isBusy = false;
  }
}

/** @param numero of the guide. */
async function act(accion, numero, fields = {}) {
  const guia = guiaOf(numero);
  const { estado } = guia ?? {};
  if (!ACCIONES[estado]?.includes(accion)) return draw();
  let anterior = estado;
  const [at, known] = [new Date(ahora()).toISOString(), reloj()];
  const where = freshPosition();
  const isKnown = where && where.precision <= PRECISE;
  const events = eventsOf(accion, estado, { ...fields, ...(isKnown && { lat: where.lat, lng: where.lng }) });
  const made = events.map((event) => {
    const evento = { guia: guia.guia, ...event, ref: uuid(), ocurrido_en: at };
    const one = { piloto, guia: guia.guia, evento, anterior, reloj: known, enviada: false, rechazo: null };
    anterior = event.estado;
    return one;
  });
  if (!(await remember(made))) return;
  if (ENDS.includes(accion)) location.hash = 'ruta';
  void look();
}

/** Stores actions; what cannot be stored is not done, and the page says so. */
async function remember(made) {
  try {
    await store.add(made);
  } catch {
    const full = 'No se guardó: la memoria del teléfono está llena. Libere espacio y vuelva a tocar.';
    ui.falla = { texto: store ? full : NOT_KEPT };
    ui.aviso = ui.falla.texto;
    draw();
    return false;
  }
  Object.assign(ui, { falla: null, aviso: null, sinPin: false });
  await changed();
  return true;
}

async function undo(numero) {
  const guia = guiaOf(numero);
  if (!guia) return;
  if (await store?.dropLast(piloto, numero)) return changed();
  const last = acciones.findLast((one) => one.guia === guia.guia && !one.rechazo);
  const evento = {
    guia: guia.guia,
    deshacer: true,
    ref: uuid(),
    ocurrido_en: new Date(ahora()).toISOString(),
  };
  const anterior = last ? last.anterior : guia.mio?.anterior;
  const quita = guia.estado === 'entregado' ? guia.cobrado : null;
  const made = {
    ...{ piloto, guia: guia.guia, evento, anterior, quita, reloj: reloj() },
    ...{ enviada: false, rechazo: null },
  };
  if (await remember([made])) void look();
}

async function deliver(form, numero) {
  const value = (name) => form.elements[name]?.value.trim();
  const fault = (campo, texto) => {
    ui.falla = { campo, texto };
    draw();
    form.elements[campo].focus();
  };
  const fields = { recibio: value('recibio') || undefined };
  if (form.elements.cod_cobrado) {
    fields.cod_cobrado = readAmount(value('cod_cobrado'));
    if (fields.cod_cobrado === undefined)
      return fault('cod_cobrado', 'Escriba cuánto cobró, por ejemplo 349.50. Si nada, 0.');
  }
  if (form.elements.sin_pin?.checked) {
    Object.assign(fields, { sin_pin: true, nota: value('nota') });
    if (!fields.nota) return fault('nota', 'Escriba por qué no hay PIN.');
  } else if (form.elements.pin) {
    fields.pin = value('pin');
    if (!/^\d{4}$/.test(fields.pin))
      return fault('pin', 'Son cuatro números. Si no lo tiene, marque “No tiene el PIN”.');
  }
  return act('entregado', numero, fields);
}

/* Parcels that nobody has */

async function search(text) {
  clearTimeout(typing);
  const numero = text.replace(/\D/g, '');
  if (numero.length !== 4 && !isGuia(numero)) {
    ui.busqueda = { texto: 'Escriba los últimos cuatro números de la guía, o los doce.' };
    return draw();
  }
  if (ui.busqueda?.numero === numero && ui.busqueda.busca) return;
  const propias = guiasOf(datos, acciones, ahora()).filter(({ guia }) => guia.endsWith(numero));
  ui.busqueda = { numero, busca: true, propias, texto: 'Buscando…' };
  draw();
  const answer = navigator.onLine ? await ask('buscar', { numero }) : null;
  if (answer && !(await isOpen(answer))) return;
  const libres = answer?.guias ?? [];
  let texto = null;
  if (!answer) texto = 'Sin señal: solo se busca entre sus guías.';
  else if (!answer.ok)
    texto = answer.status === 429 ? 'Son muchas búsquedas. Espere un minuto.' : answer.detail;
  else if (libres.length + propias.length === 0)
    texto = 'No hay una guía libre con ese número. Avise a su bodega.';
  ui.busqueda = { numero, propias, libres, texto };
  draw();
}

async function take(guia) {
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

/* Camera */

let reader = null;

async function toggleCamera() {
  if (reader) return closeCamera();
  ui.camara = true;
  draw();
  const video = document.getElementById('camara');
  video.scrollIntoView({ block: 'center' });
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
    video.srcObject = stream;
    reader = { stream };
    await video.play();
    const read = await readerOf();
    if (reader?.stream === stream) reader.timer = setInterval(() => void scan(read, video), SCAN_EVERY);
  } catch {
    closeCamera();
    ui.busqueda = { texto: 'No se pudo usar la cámara. Escriba los últimos cuatro números.' };
    draw();
  }
}

/** What reads the texts of all codes in a picture: the browser, else a reader that is loaded now. */
async function readerOf() {
  const formats = (await window.BarcodeDetector?.getSupportedFormats()) ?? [];
  if (formats.includes('code_128') && formats.includes('qr_code')) {
    const detector = new window.BarcodeDetector({ formats: ['code_128', 'qr_code'] });
    return async (video) => (await detector.detect(video)).map(({ rawValue }) => rawValue);
  }
  const files = new URL('.', import.meta.url).href;
  if (!window.ZXingWASM) await loadScript(`${files}zxing.js`);
  const { prepareZXingModule, readBarcodes } = window.ZXingWASM;
  await prepareZXingModule({ overrides: { locateFile: () => `${files}zxing.wasm` }, fireImmediately: true });
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async ({ videoWidth, videoHeight }) => {
    const scale = Math.min(1, SCAN_PIXELS / Math.max(videoWidth, videoHeight));
    [canvas.width, canvas.height] = [videoWidth * scale, videoHeight * scale];
    context.drawImage(document.getElementById('camara'), 0, 0, canvas.width, canvas.height);
    const picture = context.getImageData(0, 0, canvas.width, canvas.height);
    const found = await readBarcodes(picture, { formats: ['Code128', 'QRCode'], maxNumberOfSymbols: 4 });
    return found.map(({ text }) => text);
  };
}

function loadScript(src) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    Object.assign(script, { src, onload: resolve, onerror: reject });
    document.head.append(script);
  });
}

let isScanning = false;

async function scan(read, video) {
  if (isScanning || !reader) return;
  isScanning = true;
  const codes = await read(video).catch(() => []);
  isScanning = false;
  const numero = codes.map((code) => code.replace(/\s/g, '')).find(isGuia);
  if (numero && reader) {
    closeCamera();
    navigator.vibrate?.(80);
    const isOwn = guiasOf(datos, acciones, ahora()).some(({ guia }) => guia === numero);
    if (isOwn) location.hash = numero;
    else await search(numero);
  } else if (codes.length > 0 && !ui.busqueda) {
    ui.busqueda = { texto: 'Ese código no es de una guía. Busque el que dice GUÍA.' };
    draw();
  }
}

function closeCamera() {
  clearInterval(reader?.timer);
  for (const track of reader?.stream.getTracks() ?? []) track.stop();
  reader = null;
  ui.camara = false;
  draw();
}

/* Place */

const freshPosition = () => (position && Date.now() - position.at < FRESH ? position : null);

async function locateIfAllowed() {
  if (!navigator.geolocation || !window.isSecureContext) return;
  const { state } = (await navigator.permissions?.query({ name: 'geolocation' }).catch(() => null)) ?? {};
  if (state === 'granted') locate();
  else ui.puedeUbicar = state !== 'denied';
}

function locate() {
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      const round = (degrees) => Math.round(degrees * 1e6) / 1e6;
      const [lat, lng] = [round(coords.latitude), round(coords.longitude)];
      position = { lat, lng, at: Date.now(), precision: coords.accuracy };
      ui.puedeUbicar = false;
      draw();
    },
    () => {
      ui.puedeUbicar = false;
      draw();
    },
    { enableHighAccuracy: true, timeout: 20_000 },
  );
}

/* Without a network */

/** The files that open the page without a network wait until the driver has what they asked for. */
const whenIdle = () =>
  new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve, { timeout: 3_000 }));

async function beReadyOffline() {
  if (!navigator.serviceWorker || !store) return;
  try {
    await navigator.serviceWorker.register('/r/sw.js', { scope: '/r/' });
  } catch {
    // Without a network there is nothing to update.
  }
  await navigator.serviceWorker.ready;
  void navigator.storage?.persist?.();
  if (datos) document.documentElement.dataset.sinRed = 'lista';
}

/* The page */

function listen() {
  document.addEventListener('click', onClick);
  document.addEventListener('submit', onSubmit);
  document.addEventListener('change', ({ target }) => {
    if (target.name !== 'sin_pin') return;
    ui.sinPin = target.checked;
    draw();
  });
  document.addEventListener('input', ({ target }) => {
    clearTimeout(typing);
    const digits = target.value.replace(/\D/g, '');
    if (target.name === 'buscar' && (digits.length === 4 || isGuia(digits)))
      typing = setTimeout(() => void search(digits), TYPED);
  });
  window.addEventListener('hashchange', onOpen);
  window.addEventListener('online', () => {
    if (!piloto || !store) return location.reload();
    ui.enLinea = true;
    draw();
    void look(true);
  });
  window.addEventListener('offline', () => {
    ui.enLinea = false;
    isInContact = false;
    draw();
  });
  document.addEventListener('visibilitychange', () => {
    // The phone may sleep, and its settings may be open.
    if (document.hidden) isInContact = false;
    if (document.hidden) return;
    // The driver comes back from the map's app, at another place.
    if (position) locate();
    if (Date.now() - contacto > LOOK_EVERY) void onTick();
  });
  otherTabs?.addEventListener('message', () => void reload().then(draw));
  // What was forgotten meanwhile does not come back with a page that the browser has kept.
  window.addEventListener('pageshow', ({ persisted }) => persisted && void reload().then(draw));
  setInterval(onTick, LOOK_EVERY);
}

async function onTick() {
  await forgetIfAlone();
  if (document.hidden) return;
  if (position) locate();
  draw();
  await look(true);
}

function onOpen() {
  Object.assign(ui, { falla: null, sinPin: false });
  const isGuide = isGuia(location.hash.slice(1));
  if (isGuide && list.isConnected) {
    listScroll = window.scrollY;
    keepHeights();
  }
  if (isGuide && reader) closeCamera();
  draw();
  if (isGuide) {
    window.scrollTo(0, 0);
    if (position) locate();
  } else if (location.hash === '#ruta') window.scrollTo(0, listScroll);
  else showPart(location.hash.slice(1));
}

/** A row that leaves the page forgets its height, and the list would come back at another place. */
function keepHeights() {
  const rows = [...list.querySelectorAll('.items > li')];
  if (rows.length === 0) return;
  const { paddingTop, paddingBottom } = getComputedStyle(rows[0]);
  const padding = parseFloat(paddingTop) + parseFloat(paddingBottom);
  const heights = rows.map(({ clientHeight }) => clientHeight - padding);
  for (const [i, { style }] of rows.entries()) style.containIntrinsicHeight = `auto ${heights[i]}px`;
}

/** Rows that come into sight are laid out a frame later, and push away what the browser has scrolled to. */
function showPart(id) {
  const scroll = () => document.getElementById(id)?.scrollIntoView();
  requestAnimationFrame(() => requestAnimationFrame(scroll));
}

/** The guide of this number, as this phone knows it. */
function guiaOf(numero) {
  return datos ? guiasOf(datos, acciones, ahora()).find(({ guia }) => guia === numero) : undefined;
}

function onClick(event) {
  const element = event.target.closest('[data-accion], [data-motivo]');
  if (!element || element.type === 'submit') return;
  const { accion, motivo } = element.dataset;
  const numero = element.closest('[data-guia]')?.dataset.guia;
  if (motivo) void once(() => act('no_se_pudo', numero, { motivo }));
  else if (accion === 'no_se_pudo') document.querySelector('[data-motivo]').focus();
  else if (accion === 'deshacer') void once(() => undo(numero));
  else if (accion === 'tomar') void once(() => take(numero));
  else if (accion === 'escanear') void toggleCamera();
  else if (accion === 'ubicar') locate();
  else if (accion === 'entendido') void store?.dismiss(piloto, numero).then(changed);
  else void once(() => act(accion, numero));
}

function onSubmit(event) {
  event.preventDefault();
  const form = event.target;
  if ('busca' in form.dataset) void search(form.elements.buscar.value);
  else void once(() => deliver(form, form.closest('[data-guia]').dataset.guia));
}

/** Also where the page has no https, and so no `crypto.randomUUID`. */
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

if (window.isSecureContext && navigator.mediaDevices) ui.camara = false;
void start();
