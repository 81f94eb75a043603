import type { h, VNode } from 'preact';

/** What the page shows; see `views.js`. */
export interface Views {
  Ruta(vista: Record<string, unknown>): VNode;
}

export declare function createViews(create: typeof h): Views;
