/* What people and their phones check of a guide's number; how it is made is in `guia-numero.ts`. */

/** Whether a text has the form and the check digit of a guide number, so that a typo costs no query. */
export function isGuiaNumero(text: string): boolean {
  return /^[1-9]\d{11}$/.test(text) && luhnDigit(text.slice(0, -1)) === text.at(-1);
}

/** As people read it: `2321 5967 3028`. */
export const inFours = (guia: string) => guia.replace(/(\d{4})(?=\d)/g, '$1 ');

/** The Luhn check digit (ISO/IEC 7812-1) of a string of digits. */
export function luhnDigit(digits: string): string {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    const doubled = i % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return String((10 - (sum % 10)) % 10);
}
