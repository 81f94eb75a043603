import { assetUrl } from '../kit/assets.js';
import type { PageModel } from './page-model.js';

/** Attributes of an element that shows a map: where `page.js` finds the map's files and tiles. */
export function mapAttributes({ tiles }: Pick<PageModel, 'tiles'>) {
  return {
    'data-leaflet-js': assetUrl('/c', 'leaflet.js'),
    'data-leaflet-css': assetUrl('/c', 'leaflet.css'),
    'data-map-js': assetUrl('/c', 'map.js'),
    'data-tiles': tiles?.streets.url,
    'data-attribution': tiles?.streets.attribution,
    'data-satellite': tiles?.satellite?.url,
    'data-satellite-attribution': tiles?.satellite?.attribution,
  };
}
