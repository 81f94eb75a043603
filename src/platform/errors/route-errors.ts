import type { ErrorDefinition } from './error-codes.js';

const KIB = 1024;
const MIB = 1024 * KIB;

type RouteError = Pick<ErrorDefinition, 'detail' | 'when'>;

/** Of `sin_permiso`. @param scope that the route needs. */
export const scopeError = (scope: string): RouteError => ({
  detail: `La clave es válida, pero esta operación requiere el alcance \`${scope}\`. Pida una clave que lo tenga.`,
  when: `La clave es válida, pero no tiene el alcance \`${scope}\`.`,
});

/**
 * Of `cuerpo_demasiado_grande`.
 * @param bodyLimit bytes.
 * @param isBatch whether the caller may divide the body among several requests.
 */
export function bodyLimitError(bodyLimit: number, isBatch = false): RouteError {
  const limit = bodyLimit < MIB ? `${bodyLimit / KIB} KiB` : `${bodyLimit / MIB} MiB`;
  const advice = isBatch
    ? 'Divida el lote y envíe cada parte en su propia solicitud.'
    : 'Acorte los textos y quite lo que sobre.';
  return { detail: `El cuerpo puede tener hasta ${limit}. ${advice}`, when: `El cuerpo pasa de ${limit}.` };
}

/** Of `tipo_no_soportado`, whose `detail` is the registry's. @param types of bodies that the route takes. */
export function bodyTypeError(types: string[]): Pick<RouteError, 'when'> {
  const named = types.map((type) => `\`${type}\``).join(' ni como ');
  return { when: `El cuerpo no se envió como ${named}, o vino comprimido.` };
}
