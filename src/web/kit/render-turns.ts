import { setTimeout as sleep } from 'node:timers/promises';
import type { VNode } from 'preact';
import { renderPage } from './page.js';

let last: Promise<unknown> = Promise.resolve();

/**
 * As `renderPage`, one page after the other, each after a pause as long as the one before took: the event loop has as much time
 * for all else, however many long pages are opened at once.
 */
export function renderInTurn(page: VNode): Promise<string> {
  let tookMs = 0;
  const html = last.then(() => {
    const began = performance.now();
    try {
      return renderPage(page);
    } finally {
      tookMs = performance.now() - began;
    }
  });
  last = html.catch(() => undefined).then(() => sleep(tookMs));
  return html;
}
