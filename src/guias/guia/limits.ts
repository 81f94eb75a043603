import { ofEachText } from './guia-fields.js';

/** Upper limits of a guide's fields, in characters for texts, for both the DTOs and the column types. */
export const MAX = {
  external_ref: 100,
  /** Names and places: recipient, department, municipality, pickup point. */
  nombre: 120,
  direccion: 500,
  ...ofEachText(({ max }) => max),
  maps_url: 4_096,
  /** Of an event. */
  nota: 500,
  ref: 100,
  recibio: 120,
  /** It has four digits; any other text is ignored where the merchant has no PIN. */
  pin: 20,
  referencia_pago: 120,
  /** Why money is added or taken away by hand. */
  motivo: 200,
  /** Of the currencies whose cents nobody uses; `maxAmount` has that of each currency. */
  cod_amount: 100_000_000,
} as const;

/** Currencies whose cents nobody uses, so that everyday amounts have more digits. */
const WITHOUT_CENTS: ReadonlySet<string> = new Set(['COP', 'CLP', 'PYG', 'CRC', 'ARS']);

/** Whether everyday amounts of a currency have no cents. @param currency ISO 4217. */
export const hasNoCents = (currency: string): boolean => WITHOUT_CENTS.has(currency);

/** The highest amount of currencies whose cents are used: every currency allows it. */
export const USUAL_MAX_AMOUNT = 1_000_000;

/** The highest amount to collect, or collected. @param currency ISO 4217. */
export const maxAmount = (currency: string): number =>
  hasNoCents(currency) ? MAX.cod_amount : USUAL_MAX_AMOUNT;
