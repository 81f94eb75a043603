import { formsOf } from './console.js';
import type { Answer } from './test-app.js';

/** How somebody's browser asks, and sends a form without any field. */
interface Visitor {
  get(path: string): Promise<Answer>;
  post(path: string, fields: Record<string, string>): Promise<Answer>;
}

/** An address that a page shows, and how it answered. */
export interface Shown {
  /** The page. */
  on: string;
  path: string;
  status: number;
}

/** Addresses that differ by ids, cursors and times alone lead to pages of one kind. */
const kindOf = (path: string): string =>
  path
    .replace(/[0-9a-f-]{36}|\d{12}/g, '…')
    .replace(/(cursor|antes|desde|hasta|mapa|q|v|municipio|departamento|comercio)=[^&]*/g, '$1=…');

/**
 * Follows every link from a page on, and sends every form that is met: each kind once, but that of leaving.
 * @returns what answered.
 */
export async function walkPages(visitor: Visitor, start: string): Promise<Shown[]> {
  const known = new Set<string>();
  const shown: Shown[] = [];
  const queue = [{ on: start, path: start }];
  const isNew = (key: string) => !known.has(key) && known.add(key);
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { status, text, headers } = await visitor.get(next.path);
    shown.push({ ...next, status });
    if (!headers.get('content-type')?.startsWith('text/html')) continue;
    for (const [, href] of text.matchAll(/ href="(\/[^"#]*)/g)) {
      const path = href!.replaceAll('&amp;', '&');
      if (isNew(kindOf(path))) queue.push({ on: next.path, path });
    }
    for (const { action } of formsOf(text)) {
      if (action.endsWith('/salir') || !isNew(`form ${kindOf(action)}`)) continue;
      const answer = await visitor.post(action, {});
      shown.push({ on: next.path, path: action, status: answer.status });
    }
  }
  return shown;
}
