import { isGuiaNumero } from '../../../guias/guia-digits.js';
import { search } from './actions.js';
import { codeReader, type ReadCodes } from './camera.js';
import { draw } from './drawing.js';
import { ui } from './state.js';
import { guiaOf } from './sync.js';

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
    ui.busqueda = { texto: 'No se pudo usar la cámara. Escriba los últimos cuatro números.' };
    draw();
  }
}

export function closeCamera(): void {
  clearInterval(open?.timer);
  for (const track of open?.stream.getTracks() ?? []) track.stop();
  open = null;
  ui.camara = false;
  draw();
}

let isScanning = false;

async function scan(read: ReadCodes, video: HTMLVideoElement): Promise<void> {
  if (isScanning || !open) return;
  isScanning = true;
  const codes = await read(video).catch(() => []);
  isScanning = false;
  const numero = codes.map((code) => code.replace(/\s/g, '')).find(isGuiaNumero);
  if (numero !== undefined && isCameraOn()) {
    closeCamera();
    (navigator as Partial<Navigator>).vibrate?.(80);
    if (guiaOf(numero)) location.hash = numero;
    else await search(numero);
  } else if (codes.length > 0 && !ui.busqueda) {
    ui.busqueda = { texto: 'Ese código no es de una guía. Busque el que dice GUÍA.' };
    draw();
  }
}
