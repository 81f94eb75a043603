import type { h, VNode } from 'preact';

/** What the page shows; see `views.js`. */
export interface Views {
  Ruta(vista: Record<string, unknown>): VNode;
  Guia(vista: Record<string, unknown>): VNode | null;
}

export declare function createViews(create: typeof h, isApple?: boolean): Views;
