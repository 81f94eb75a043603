/** Why the page has no route to show; see `model.js`. */
export declare const PERDIDA: Record<
  'enlace' | 'dia' | 'nunca' | 'ocupado' | 'caido',
  { titulo: string; texto: string }
>;

/** States and reasons as a driver reads them. */
export declare const ESTADOS: Record<string, [text: string, tone: string]>;
export declare const MOTIVOS: Record<string, string>;
