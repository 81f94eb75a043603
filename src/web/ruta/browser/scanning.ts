import { isGuiaNumero } from '../../../guias/guia/guia-digits.js';
import { search } from './actions.js';
import { codeReader, type ReadCodes } from './camera.js';
import { draw } from './drawing.js';
import { keepMarks } from './marks.js';
import { ui } from './state.js';
import { guiaOf } from './sync.js';

const NO_CAMERA = 'No se pudo usar la cámara. Escriba los últimos cuatro números.';

const NO_GUIDE = 'Ese código no es de una guía. Busque el que dice GUÍA.';

/** Milliseconds between two looks at the camera's picture. */
const SCAN_EVERY = 300;

let open: { stream: MediaStream; timer?: ReturnType<typeof setInterval> } | null = null;

export const isCameraOn = () => open !== null;

export async function toggleCamera(): Promise<void> {
  if (open) return closeCamera();
  ui.camara = true;
  draw();
  const video = document.getElementById('camara') as HTMLVideoElement;
  video.scrollIntoView({ block: 'center' });
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
    video.srcObject = stream;
    const mine = { stream };
    open = mine;
    await video.play();
    const read = await codeReader();
    if (open === mine) open.timer = setInterval(() => void scan(read, video), SCAN_EVERY);
  } catch {
    closeCamera();
    if (ui.lista) ui.lectura = 'No se pudo usar la cámara.';
    else ui.busqueda = { texto: NO_CAMERA };
    draw();
  }
}

export function closeCamera(): void {
  clearInterval(open?.timer);
  for (const track of open?.stream.getTracks() ?? []) track.stop();
  open = null;
  lastSeen = '';
  ui.camara = false;
  draw();
}

let isScanning = false;

/** The codes in the last picture that had any: what stays before the camera is read once. */
let lastSeen = '';

async function scan(read: ReadCodes, video: HTMLVideoElement): Promise<void> {
  if (isScanning || !open) return;
  isScanning = true;
  const codes = await read(video).catch(() => []);
  isScanning = false;
  const seen = codes.join();
  if (codes.length === 0 || seen === lastSeen || !isCameraOn()) return;
  lastSeen = seen;
  await onCodes(codes);
}

/** The camera, or a scanner that types, has read these. In a list they are counted, else the guide is opened or looked for. */
export async function onCodes(codes: readonly string[]): Promise<void> {
  const numeros = codes.map((code) => code.replace(/\s/g, '')).filter(isGuiaNumero);
  const [numero] = numeros;
  if (ui.lista) {
    if (numero === undefined) ui.lectura = NO_GUIDE;
    numeros.forEach(count);
    draw();
  } else if (numero === undefined) {
    ui.busqueda ??= { texto: NO_GUIDE };
    draw();
  } else {
    if (isCameraOn()) closeCamera();
    buzz(80);
    const isOwn = guiaOf(numero) !== undefined;
    // What is found stands there.
    location.hash = isOwn ? numero : 'buscar';
    if (!isOwn) await search(numero);
  }
}

function count(numero: string): void {
  const { lista = [], escaneadas = [], fuera = [] } = ui;
  const isKnown = escaneadas.includes(numero);
  const isNew = lista.includes(numero) && !isKnown;
  const why = lista.includes(numero) ? 'ya estaba escaneada' : 'no está en esta lista';
  ui.lectura = isNew ? null : `${numero.slice(8)} ${why}.`;
  buzz(isNew ? 80 : [80, 80, 80]);
  if (!isNew) return;
  ui.escaneadas = [...escaneadas, numero];
  ui.fuera = fuera.filter((one) => one !== numero);
  keepMarks();
}

const buzz = (pattern: number | number[]) => (navigator as Partial<Navigator>).vibrate?.(pattern);
