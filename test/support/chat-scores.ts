import type { CountryCode } from 'libphonenumber-js';
import { currencyOf } from '../../src/auth/merchants/currency.js';
import { placesByKey } from '../../src/locations/places/places.js';
import { notesOfMissing, readChat } from '../../src/web/panel/nueva/chat/chat-reading.js';
import { toE164 } from '../../src/platform/validation/phone.js';
import { folded, trimMarks, type ChatFieldName } from '../../src/web/panel/nueva/chat/chat-text.js';
import type { ChatRow } from '../data/chats.js';

/** A field of a chat, as a person reads it and as it was read. */
export interface ScoredField {
  text: string;
  campo: ChatFieldName;
  expected: string;
  found: string;
  nota: string | undefined;
  isRight: boolean;
}

const CAMPOS = ['telefono', 'nombre', 'cod_amount', 'departamento', 'municipio', 'direccion'] as const;

/** What of a value counts: a number, or the words. */
const KEYS: Partial<Record<ChatFieldName, (value: string, country: CountryCode) => string>> = {
  telefono: (value, country) => toE164(value, country) ?? value.replace(/\D/g, ''),
  cod_amount: (value) => (value === '' ? '' : String(Number(value))),
};

const wordsOf = (value: string) => folded(trimMarks(value)).replace(/\s+/g, ' ');

/** Each field of these chats. */
export async function scoreChats(rows: readonly ChatRow[]): Promise<ScoredField[]> {
  const scored: ScoredField[] = [];
  for (const [country, text, ...values] of rows) {
    const of = country as CountryCode;
    const reading = readChat(text, { country: of, currency: currencyOf(of), places: await placesByKey(of) });
    for (const [i, campo] of CAMPOS.entries()) {
      const keyOf = KEYS[campo] ?? wordsOf;
      const { valor: found = '', nota = notesOfMissing(reading)[campo] } = reading[campo] ?? {};
      const expected = values[i]!;
      scored.push({ text, campo, expected, found, nota, isRight: keyOf(found, of) === keyOf(expected, of) });
    }
  }
  return scored;
}

/** The shares of fields: right, right or marked, of those with a value right without a mark, and wrong without one. */
export function sharesOf(scored: readonly ScoredField[]) {
  const share = (part: ScoredField[], of: readonly ScoredField[]) => part.length / of.length;
  const right = scored.filter(({ isRight }) => isRight);
  const filled = right.filter(({ expected }) => expected !== '');
  return {
    right: share(right, scored),
    rightOrMarked: share(
      scored.filter(({ isRight, nota }) => isRight || nota !== undefined),
      scored,
    ),
    unmarked: share(
      filled.filter(({ nota }) => nota === undefined),
      filled,
    ),
    wrong: scored.filter(({ isRight, nota, found }) => !isRight && nota === undefined && found !== ''),
  };
}
