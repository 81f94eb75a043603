import type { LatLng } from '../../kit/browser/leaflet.js';
import { loadMap } from '../../kit/browser/map-files.js';
import type { PinMap } from '../../kit/browser/pin-map.js';

/** The map of the fields of a pickup point: a tap, or the phone's position, fills the coordinates. A link replaces them. */
const box = document.querySelector<HTMLElement>('[data-punto]')!;
const figure = box.querySelector<HTMLElement>('[data-mapa]')!;
const button = (name: string) => box.querySelector<HTMLButtonElement>(`[${name}]`)!;
const status = box.querySelector<HTMLElement>('[role=status]')!;
const field = (name: string) => box.querySelector<HTMLInputElement>(`[name$=${name}]`)!;
const [lat, lng, link] = [field('lat'), field('lng'), field('maps_url')];

const texts = {
  zoomIn: 'Acercar',
  zoomOut: 'Alejar',
  pin: 'El punto de recogida. Muévalo con las flechas.',
  satellite: 'Satélite',
  streets: 'Calles',
  directions: [],
};

let map: PinMap | undefined;

function take(at: LatLng): void {
  lat.value = at.lat.toFixed(6);
  lng.value = at.lng.toFixed(6);
  link.value = '';
  status.textContent = `El punto: ${lat.value}, ${lng.value}.`;
}

/** @param isGuess whether nobody has said yet where the point is. */
async function open(at: LatLng, isGuess: boolean): Promise<PinMap> {
  const { createPinMap } = await loadMap(figure.dataset);
  const container = figure.querySelector<HTMLElement>('div')!;
  figure.hidden = false;
  box.querySelector('[data-elegir]')?.remove();
  map ??= createPinMap({
    container,
    at,
    isGuess,
    files: figure.dataset,
    texts,
    onTiles: () => undefined,
    onDrop: take,
  });
  return map;
}

function locate(): void {
  const { geolocation } = navigator as Partial<Navigator>;
  const fail = () => {
    status.textContent = 'No se pudo leer la ubicación de este aparato. Toque el mapa, o pegue un enlace.';
  };
  if (!geolocation || !window.isSecureContext) return fail();
  status.textContent = 'Buscando su ubicación…';
  const found = ({ coords: { latitude, longitude, accuracy } }: GeolocationPosition) => {
    const at = { lat: latitude, lng: longitude };
    take(at);
    open(at, false).then(
      (shown) => shown.show(at, { ...at, accuracy }),
      () => undefined,
    );
  };
  geolocation.getCurrentPosition(found, fail, { enableHighAccuracy: true, timeout: 12_000 });
}

/** Without a place: a map of the town around the usual point, or of the country. */
function choose(): void {
  const { lat: nearLat, lng: nearLng, known } = figure.dataset;
  const typed = { lat: Number(lat.value), lng: Number(lng.value) };
  const isTyped =
    lat.value !== '' && lng.value !== '' && Math.abs(typed.lat) <= 90 && Math.abs(typed.lng) <= 180;
  const at = isTyped ? typed : { lat: Number(nearLat), lng: Number(nearLng) };
  status.textContent = 'Toque el lugar en el mapa, o pegue un enlace:';
  open(at, !isTyped && known === undefined).catch(() => {
    status.textContent = 'El mapa no se pudo cargar. Pegue un enlace, o escriba las coordenadas.';
  });
}

box.querySelector<HTMLElement>('[data-botones]')!.hidden = false;
button('data-elegir').addEventListener('click', choose);
button('data-ubicar').addEventListener('click', locate);
link.addEventListener('input', () => {
  if (link.value.trim() !== '') lat.value = lng.value = '';
});
