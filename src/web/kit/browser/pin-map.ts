import type { LatLng, Leaflet } from './leaflet.js';

export interface MapTexts {
  zoomIn: string;
  zoomOut: string;
  /** For screen readers: how the pin is moved. */
  pin: string;
  satellite: string;
  streets: string;
  /** From north, clockwise. */
  directions: readonly string[];
}

/** The phone's position; its accuracy in metres. */
export interface Position extends LatLng {
  accuracy: number;
}

export interface PinMapOptions {
  container: HTMLElement;
  /** Where the pin is. */
  at: LatLng;
  /** Whether the pin says nothing until it is moved: then the map shows the town around it. */
  isGuess?: boolean;
  /** Names the tiles, as Leaflet's URL templates; without them the map is a plain grid. */
  files: DOMStringMap;
  texts: MapTexts;
  /** Called with whether the tiles fail to load. */
  onTiles: (fails: boolean) => void;
  /** Called for every step of a drag. */
  onMove?: (at: LatLng) => void;
  /** Called where the pin comes to rest; without it the pin cannot be moved. */
  onDrop?: (at: LatLng) => void;
}

export interface PinMap {
  /** Moves the pin; the phone's position gets a dot and a circle. */
  show(to: LatLng, start: Position | null): void;
  /** Distance in metres and direction from a place to the pin. */
  offsetFrom(from: LatLng): { length: number; direction: string };
}

export interface MapScript {
  createPinMap: (options: PinMapOptions) => PinMap;
}

declare global {
  interface Window extends MapScript {
    L: Leaflet;
  }
}
