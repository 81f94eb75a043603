/** The pages of the day's close, and of settlements. */
export const CLOSING = '/admin/despacho/cierre';
export const SETTLEMENTS = '/admin/despacho/liquidaciones';
