import { COPY_SCRIPT } from '../../kit/copy-script.js';
import { CSS, JS, PageAsset } from '../../kit/page-asset.js';
import { STYLES } from '../../kit/styles.js';
import { NUEVA_SCRIPT } from '../nueva/nueva-script.js';
import { SESSION_END_SCRIPT } from '../session/session-end-script.js';

/** Shows the current part of the panel, where the screen is too narrow for all. Not `scrollIntoView`, which moves the page, too. */
const PARTS_SCRIPT = `const current = document.querySelector('.parts [aria-current]');
if (current) {
  const parts = current.parentElement;
  parts.scrollLeft = current.offsetLeft - parts.offsetLeft - (parts.clientWidth - current.offsetWidth) / 2;
}
`;

/** Files of the panel's pages, by their names. */
export const PANEL_ASSETS: ReadonlyMap<string, PageAsset> = new Map([
  ['panel.css', new PageAsset(Buffer.from(STYLES), CSS)],
  ['nueva.js', new PageAsset(Buffer.from(NUEVA_SCRIPT), JS)],
  ['panel.js', new PageAsset(Buffer.from(COPY_SCRIPT + PARTS_SCRIPT + SESSION_END_SCRIPT), JS)],
]);

/** The URL of a file; it changes with the file's content. */
export function panelAssetUrl(name: string): string {
  return `/panel/assets/${name}?v=${PANEL_ASSETS.get(name)!.version}`;
}
