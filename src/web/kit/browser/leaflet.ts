/** The part of Leaflet that the map uses; a script of its own brings it as `window.L`. */

export interface LatLng {
  lat: number;
  lng: number;
}

interface Point {
  add(by: readonly number[]): Point;
}

export interface Layer {
  addTo(map: LeafletMap): this;
  on(type: string, listener: () => void): this;
}

export interface Marker extends Layer {
  getLatLng(): LatLng & { wrap(): LatLng };
  setLatLng(at: LatLng): this;
  getElement(): HTMLElement;
}

export interface Group extends Layer {
  addLayer(layer: Layer): this;
  clearLayers(): this;
}

interface GridLayer extends Layer {
  createTile: () => HTMLElement;
}

interface Circle extends Layer {
  getBounds(): object;
}

interface Control {
  addTo(map: LeafletMap): this;
  onAdd: () => HTMLElement;
}

export interface LeafletMap {
  setView(at: LatLng, zoom: number, options?: { animate: boolean }): this;
  fitBounds(bounds: object, options: { maxZoom: number; animate: boolean }): this;
  getZoom(): number;
  hasLayer(layer: Layer): boolean;
  addLayer(layer: Layer): this;
  removeLayer(layer: Layer): this;
  invalidateSize(): this;
  panInside(at: LatLng, options: object): this;
  latLngToContainerPoint(at: LatLng): Point;
  containerPointToLatLng(at: Point): LatLng;
  distance(a: LatLng, b: LatLng): number;
  on(type: 'click', listener: (event: { latlng: LatLng }) => void): this;
}

export interface Leaflet {
  map(container: HTMLElement, options: object): LeafletMap;
  marker(at: LatLng, options: object): Marker;
  divIcon(options: object): object;
  featureGroup(): Group;
  circle(at: LatLng, options: object): Circle;
  circleMarker(at: LatLng, options: object): Layer;
  tileLayer(url: string, options: object): Layer;
  gridLayer(options: object): GridLayer;
  control: {
    (options: { position: string }): Control;
    zoom(options: object): Control;
    scale(options: object): Control;
    attribution(options: object): Control;
  };
  DomEvent: { disableClickPropagation(element: HTMLElement): void };
}
