import { hash } from 'node:crypto';
import { COPY_SCRIPT } from '../../kit/copy-script.js';
import { STYLES } from '../../kit/styles.js';

/** Where the stylesheet is, with its version, so that browsers may keep it. */
export const STAFF_STYLES_PATH = `/admin/soporte.css?v=${hash('sha256', STYLES).slice(0, 12)}`;

/**
 * Reloads the first page every half minute, unless somebody is typing or about to act.
 */
export const TODAY_SCRIPT = `setInterval(() => {
  const isBusy = document.hidden || document.querySelector('details[open]') || document.activeElement?.matches('input');
  if (!isBusy) location.reload();
}, 30_000);
`;

export const TODAY_SCRIPT_PATH = `/admin/hoy.js?v=${hash('sha256', TODAY_SCRIPT).slice(0, 12)}`;

/** `/` leads to the search, except where it is typed; fields to be copied get a button. */
export const CONSOLE_SCRIPT = `document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest('input, textarea, select, [contenteditable]')) return;
  event.preventDefault();
  document.querySelector('.search input').select();
});
${COPY_SCRIPT}`;

export const CONSOLE_SCRIPT_PATH = `/admin/soporte.js?v=${hash('sha256', CONSOLE_SCRIPT).slice(0, 12)}`;
