import { isGuiaNumero, inFours } from '../guia/guia-digits.js';

/** A text that may be meant as a guide's number, and what may have been meant. */
export interface NearNumero {
  fault: string;
  /** Guide numbers that are one slip away, whether they exist or not; some thirty at most. */
  numeros: string[];
}

const DIGITS = [...'0123456789'];

/** Letters that are read, or scanned, for a digit. */
const LOOKS_LIKE: Record<string, string> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  L: '1',
  Z: '2',
  S: '5',
  G: '6',
  B: '8',
};

const SEPARATORS = /[\s\p{Cf}().·_-]/gu;

/** Eleven to thirteen places, of which half may be letters. */
const NUMBER_LIKE = /^(?=(?:\D*\d){6})[\dOQDILZSGB]{11,13}$/;

/**
 * Reads a text as a guide's number with one slip: letters for digits, a digit too few or too many, a wrong one, or two that
 * are swapped. Undefined for another text.
 */
export function nearNumero(text: string): NearNumero | undefined {
  const typed = text.replace(SEPARATORS, '').toUpperCase();
  if (!NUMBER_LIKE.test(typed)) return undefined;
  const digits = typed.replace(/\D/g, (letter) => LOOKS_LIKE[letter]!);
  if (typed !== digits && isGuiaNumero(digits))
    return { fault: `Tiene letras que parecen cifras: se leyó ${inFours(digits)}.`, numeros: [digits] };
  const near = [...oneSlipFrom(digits)].filter((one) => one !== digits && isGuiaNumero(one));
  return { fault: faultOf(digits), numeros: [...new Set(near)] };
}

function faultOf(digits: string): string {
  if (digits.length < 12) return 'Tiene 11 cifras, y un número de guía tiene 12: falta una.';
  if (digits.length > 12) return 'Tiene 13 cifras, y un número de guía tiene 12: sobra una.';
  const what = 'una cifra está mal dictada, o dos están cambiadas de lugar.';
  return isGuiaNumero(digits)
    ? `Ninguna guía tiene ese número: ${what}`
    : `No es un número de guía válido: ${what}`;
}

/** All texts of twelve places that become this one by a slip. */
function* oneSlipFrom(digits: string): Generator<string> {
  const places = [...digits];
  for (let at = 0; at <= places.length; at++) {
    if (places.length === 13) yield places.toSpliced(at, 1).join('');
    else if (places.length === 11) for (const digit of DIGITS) yield places.toSpliced(at, 0, digit).join('');
    else {
      for (const digit of DIGITS) yield places.toSpliced(at, 1, digit).join('');
      for (let other = at + 1; other < places.length; other++)
        yield places.with(at, places[other]!).with(other, places[at]!).join('');
    }
  }
}
