import { OPEN_ESTADOS, type GuiaEstado } from '../guia-estado.js';

/** Minutes in which a recipient may correct a confirmation. */
export const CORRECTION_MINUTES = 15;

/** The end of the time in which a recipient may correct a confirmation. Both are ISO 8601. */
export function correctableUntil(confirmadaEn: string): string {
  return new Date(Date.parse(confirmadaEn) + CORRECTION_MINUTES * 60_000).toISOString();
}

/** The columns that decide whether a recipient may answer. */
interface Answerable {
  estado: GuiaEstado;
  direccion_confirmada: boolean;
  /** ISO 8601; null if the recipient has not confirmed. */
  confirmada_en: string | null;
}

/** Whether the recipient may confirm the destination, or correct it. @param now ISO 8601, by the database's clock. */
export function isConfirmable(guia: Answerable, now: string): boolean {
  if (!OPEN_ESTADOS.includes(guia.estado)) return false;
  return (
    !guia.direccion_confirmada || (guia.confirmada_en !== null && now < correctableUntil(guia.confirmada_en))
  );
}
