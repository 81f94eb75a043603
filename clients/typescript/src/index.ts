export type { components, operations, paths, webhooks } from './api.js';
export * from './guias.js';
export { GuiasError, type CampoError, type Codigo } from './guias-error.js';
export { exigir } from './llamadas.js';
export type { RetryOptions } from './retries.js';
export * from './verificar-aviso.js';
