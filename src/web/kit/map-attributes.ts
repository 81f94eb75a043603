import type { MapTiles } from '../../platform/config/map-tiles.js';
import { assetUrl, type Room } from './assets.js';

/** Attributes of an element that shows a map: where the page's script finds the map's files and tiles. */
export function mapAttributes(room: Room, tiles: MapTiles | null) {
  return {
    'data-leaflet-js': assetUrl(room, 'leaflet.js'),
    'data-leaflet-css': assetUrl(room, 'leaflet.css'),
    'data-map-js': assetUrl(room, 'map.js'),
    'data-tiles': tiles?.streets.url,
    'data-attribution': tiles?.streets.attribution,
    'data-satellite': tiles?.satellite?.url,
    'data-satellite-attribution': tiles?.satellite?.attribution,
  };
}
