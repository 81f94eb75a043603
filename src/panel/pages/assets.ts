import { COPY_SCRIPT } from '../../html/copy-script.js';
import { CSS, JS, PageAsset } from '../../html/page-asset.js';
import { STYLES } from '../../html/styles.js';
import { NUEVA_SCRIPT } from '../nueva/nueva-script.js';

/** Files of the panel's pages, by their names. */
export const PANEL_ASSETS: ReadonlyMap<string, PageAsset> = new Map([
  ['panel.css', new PageAsset(Buffer.from(STYLES), CSS)],
  ['nueva.js', new PageAsset(Buffer.from(NUEVA_SCRIPT), JS)],
  ['panel.js', new PageAsset(Buffer.from(COPY_SCRIPT), JS)],
]);

/** The URL of a file; it changes with the file's content. */
export function panelAssetUrl(name: string): string {
  return `/panel/assets/${name}?v=${PANEL_ASSETS.get(name)!.version}`;
}
