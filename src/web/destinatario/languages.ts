import { EN, ES, type PageTexts } from './texts.js';

const LANGUAGES: Readonly<Record<string, PageTexts>> = { es: ES, en: EN };

/** Name of the query parameter that chooses a language. Forms without an address keep it. */
export const IDIOMA = 'idioma';

interface Asking {
  headers: { 'accept-language'?: string | undefined };
  query: unknown;
}

/** The texts in the language that was chosen, else in the one that the browser likes best; Spanish where it knows neither. */
export function textsFor({ headers, query }: Asking): PageTexts {
  const chosen = (query as Record<string, unknown> | null)?.[IDIOMA];
  if (typeof chosen === 'string' && Object.hasOwn(LANGUAGES, chosen)) return LANGUAGES[chosen]!;
  const [best] = (headers['accept-language'] ?? '')
    .split(',')
    .map(readRange)
    .filter(({ language, weight }) => Object.hasOwn(LANGUAGES, language) && weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return LANGUAGES[best?.language ?? 'es']!;
}

/** `en-US;q=0.8` as the language `en` with its weight. */
function readRange(range: string): { language: string; weight: number } {
  const [tag, ...parameters] = range.split(';');
  const weight = parameters
    .map((one) => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(one)?.[1])
    .find(Boolean);
  return { language: tag!.trim().split('-')[0]!.toLowerCase(), weight: Number(weight ?? 1) };
}
