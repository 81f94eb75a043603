import type { Mark } from './marks.js';

export const FORMATOS = ['pdf', 'zpl', 'png'] as const;
export type Formato = (typeof FORMATOS)[number];

/** Collects labels into one document of some format. */
export interface LabelDocument {
  add(label: Mark[]): void;
  /** The whole document, after the last label. */
  end(): Promise<Buffer>;
}
