/** The map with a pin of recipients' and merchants' pages, loaded together with Leaflet once there is a place to show. */

import type { Group, LatLng, Layer, Leaflet, LeafletMap, Marker } from './leaflet.js';
import type { MapTexts, PinMap, PinMapOptions, Position } from './pin-map.js';

const MAX_ZOOM = 19;
/** Shows the streets around a door. */
const ZOOM = 17;

/** Shows a town. From this far a tap cannot mean a door, so it also brings the map nearer. */
const TOWN_ZOOM = 12;
const STEP_IN = 3;

/** Milliseconds without a tile after which the map reports it; some networks never answer. */
const TILES_LATE = 8000;

/** Pixels by which an arrow key moves the pin; the smaller step with Shift. */
const STEP = 10;
const SMALL_STEP = 1;
const KEYS: Record<string, [right: number, down: number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

const PIN =
  '<svg viewBox="0 0 48 58" aria-hidden="true"><path d="M24 4C14 4 6 12 6 22c0 13 18 32 18 32s18-19 18-32C42 12 34 4 24 4Z"/><circle cx="24" cy="22" r="7"/></svg>';

window.createPinMap = createPinMap;

function createPinMap(options: PinMapOptions): PinMap {
  const { container, at, isGuess = false, files, texts, onTiles, onDrop } = options;
  const { L } = window;
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = L.map(container, {
    attributionControl: false,
    zoomControl: false,
    scrollWheelZoom: false,
    // Arrow keys move the pin, and the map follows it.
    keyboard: !onDrop,
    fadeAnimation: !still,
    zoomAnimation: !still,
    markerZoomAnimation: !still,
    inertia: !still,
    maxZoom: MAX_ZOOM,
  });
  map.setView(at, isGuess ? TOWN_ZOOM : ZOOM);
  grid(L).addTo(map);
  if (files.tiles) addTiles(L, map, files, texts, onTiles);
  L.control.zoom({ zoomInTitle: texts.zoomIn, zoomOutTitle: texts.zoomOut }).addTo(map);
  L.control.scale({ imperial: false }).addTo(map);

  const icon = L.divIcon({
    className: isGuess ? 'pin guess' : 'pin',
    html: PIN,
    iconSize: [48, 58],
    iconAnchor: [24, 54],
  });
  const isMovable = onDrop !== undefined;
  const behaviour = { draggable: isMovable, interactive: isMovable, keyboard: isMovable, autoPan: true };
  const pin = L.marker(at, { icon, ...behaviour }).addTo(map);
  if (isMovable) makeMovable(map, pin, options);
  const around = L.featureGroup().addTo(map);
  return {
    show: (to, start) => showAt(L, { map, pin, around }, to, start),
    offsetFrom(from) {
      const place = pin.getLatLng().wrap();
      const east = (place.lng - from.lng) * Math.cos((from.lat * Math.PI) / 180);
      const eighths = Math.round(Math.atan2(east, place.lat - from.lat) / (Math.PI / 4));
      return { length: map.distance(from, place), direction: texts.directions[(eighths + 8) % 8]! };
    },
  };
}

function makeMovable(map: LeafletMap, pin: Marker, { texts, onMove, onDrop }: PinMapOptions): void {
  const place = () => pin.getLatLng().wrap();
  const element = pin.getElement();
  const drop = () => {
    element.classList.remove('guess');
    onDrop?.(place());
  };
  pin.on('drag', () => onMove?.(place()));
  pin.on('dragend', drop);
  map.on('click', ({ latlng }) => {
    pin.setLatLng(latlng);
    const zoom = map.getZoom();
    if (zoom < ZOOM - 1) map.setView(latlng, Math.min(zoom + STEP_IN, ZOOM));
    drop();
  });
  // Screen readers pass arrow keys on only to the role "application".
  element.setAttribute('role', 'application');
  element.setAttribute('aria-label', texts.pin);
  element.addEventListener('keydown', (event) => {
    const direction = KEYS[event.key];
    if (!direction) return;
    event.preventDefault();
    const step = event.shiftKey ? SMALL_STEP : STEP;
    const by = direction.map((axis) => axis * step);
    pin.setLatLng(map.containerPointToLatLng(map.latLngToContainerPoint(pin.getLatLng()).add(by)));
    map.panInside(pin.getLatLng(), { padding: [60, 60], animate: false });
    drop();
  });
}

function showAt(
  L: Leaflet,
  { map, pin, around }: { map: LeafletMap; pin: Marker; around: Group },
  to: LatLng,
  start: Position | null,
): void {
  map.invalidateSize();
  pin.setLatLng(to);
  pin.getElement().classList.remove('guess');
  around.clearLayers();
  if (!start) {
    map.setView(to, ZOOM, { animate: false });
    return;
  }
  const circle = L.circle(start, { radius: start.accuracy, className: 'accuracy', interactive: false });
  const dot = L.circleMarker(start, { radius: 6, className: 'start', interactive: false });
  around.addLayer(circle).addLayer(dot);
  map.fitBounds(circle.getBounds(), { maxZoom: ZOOM + 1, animate: false });
}

/** Streets and, where there are images, a button between both. */
function addTiles(
  L: Leaflet,
  map: LeafletMap,
  { tiles, attribution, satellite, satelliteAttribution }: DOMStringMap,
  texts: MapTexts,
  onTiles: (fails: boolean) => void,
): void {
  const layer = (url: string, credit: string | undefined, className: string) => {
    // The terms of tile services ask for the page's origin; the link itself stays secret.
    const options = { maxZoom: MAX_ZOOM, attribution: credit, className, referrerPolicy: 'origin' };
    return watched(L.tileLayer(url, options), onTiles);
  };
  const streets = layer(tiles!, attribution, 'streets');
  if (attribution || satelliteAttribution) L.control.attribution({ prefix: false }).addTo(map);
  streets.addTo(map);
  if (!satellite) return;
  const images = layer(satellite, satelliteAttribution, 'satellite');
  const control = L.control({ position: 'topright' });
  control.onAdd = () => {
    const button = Object.assign(document.createElement('button'), {
      type: 'button',
      className: 'layer',
      textContent: texts.satellite,
    });
    L.DomEvent.disableClickPropagation(button);
    button.addEventListener('click', () => {
      const showImages = !map.hasLayer(images);
      map.removeLayer(showImages ? streets : images).addLayer(showImages ? images : streets);
      button.textContent = showImages ? texts.streets : texts.satellite;
    });
    return button;
  };
  control.addTo(map);
}

/** Calls `say` with whether most of a layer's tiles fail to load. */
function watched(layer: Layer, say: (fails: boolean) => void): Layer {
  let loaded = 0;
  let failed = 0;
  let late: ReturnType<typeof setTimeout> | undefined;
  layer.on('loading', () => {
    loaded = failed = 0;
    clearTimeout(late);
    late = setTimeout(() => say(loaded === 0), TILES_LATE);
  });
  layer.on('tileload', () => loaded++);
  layer.on('tileerror', () => failed++);
  layer.on('load', () => {
    clearTimeout(late);
    say(failed > loaded);
  });
  layer.on('remove', () => {
    clearTimeout(late);
    say(false);
  });
  return layer;
}

/** A background of squares that move with the map, for maps without tiles or before they load. */
function grid(L: Leaflet): Layer {
  const layer = L.gridLayer({ maxZoom: MAX_ZOOM });
  layer.createTile = () => Object.assign(document.createElement('div'), { className: 'cell' });
  return layer;
}
