/** UTF-16 units, with blanks and marks. Joining accents takes time quadratic in the marks of a letter. */
export const MAX_WISH_LENGTH = 200;

/** Words that change nothing. */
const POLITE =
  / (POR FAVOR|PORFAVOR|PORFA|FAVOR(?: DE)?|PLEASE|GRACIAS|HOLA|BUENAS(?: TARDES| NOCHES)?|BUEN DIA|BUENOS DIAS)(?= )/g;

/** The words of a short text, in capitals without accents, marks and words of courtesy. */
export function plainWords(text: string): string {
  const letters = text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^\p{L}\s]/gu, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toUpperCase();
  return ` ${letters} `.replace(POLITE, '').trim();
}
