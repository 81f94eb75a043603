import { getCountries, Metadata, type CountryCode } from 'libphonenumber-js';

/** Digits, grouped or not: no extension, no other script. */
const PLAIN = /^\+?[\d ().-]+$/;
const SEPARATORS = /[ ().-]/g;

/** Digits of an E.164 number, calling code included. */
const MIN_DIGITS = 4;
const MAX_DIGITS = 15;

/** What the library knows and its types leave out. */
type NumberingPlan = NonNullable<Metadata['numberingPlan']> & {
  callingCode(): string;
  /** Source of a RegExp. */
  nationalPrefixForParsing(): string | 0 | null | undefined;
};

/** What is so in every country of a calling code. */
interface Plan {
  callingCode: string;
  /** Possible numbers of digits after the calling code. */
  lengths: number[];
  /** A national number that may have to be read as another one. */
  isPrefixed: RegExp;
}

const countries = new Map(getCountries().map((country) => [country, numberingPlanOf(country)]));
const plans = readPlans([...countries.values()]);
/** What may be dialled in front of a national number without being part of it. */
const dialled = new Map(
  [...countries].map(([country, plan]) => [country, startingWith([plan.IDDPrefix(), plan.callingCode()])]),
);

/**
 * The E.164 form of a number written in a common way, where nothing but its length says that it is possible: no
 * prefix of any kind, and a length possible in each country of its calling code. Undefined says nothing of any other:
 * libphonenumber reads it, in some thirty times the time.
 */
export function readPlainPhone(text: string, country?: CountryCode): string | undefined {
  if (!PLAIN.test(text)) return undefined;
  const number = text.replace(SEPARATORS, '');
  if (number.startsWith('+')) {
    const plan = planIn(number);
    return plan && isWhole(plan, number.slice(1 + plan.callingCode.length)) ? number : undefined;
  }
  const plan = country && plans.get(countries.get(country)!.callingCode());
  if (!plan || !isWhole(plan, number) || dialled.get(country)!.test(number)) return undefined;
  return `+${plan.callingCode}${number}`;
}

const isWhole = ({ lengths, isPrefixed }: Plan, national: string) =>
  lengths.includes(national.length) && !isPrefixed.test(national);

/** The plan of an international number; no calling code is how another one begins. */
function planIn(number: string): Plan | undefined {
  return plans.get(number.slice(1, 4)) ?? plans.get(number.slice(1, 3)) ?? plans.get(number.slice(1, 2));
}

function numberingPlanOf(country: CountryCode): NumberingPlan {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  return metadata.numberingPlan as NumberingPlan;
}

function readPlans(all: NumberingPlan[]): Map<string, Plan> {
  const sharing = new Map<string, NumberingPlan[]>();
  for (const plan of all) sharing.set(plan.callingCode(), [...(sharing.get(plan.callingCode()) ?? []), plan]);
  return new Map([...sharing].map(([callingCode, those]) => [callingCode, planOf(callingCode, those)]));
}

function planOf(callingCode: string, sharing: NumberingPlan[]): Plan {
  const lengths = sharing[0]!.possibleLengths().filter((length) => {
    const digits = callingCode.length + length;
    return digits >= MIN_DIGITS && digits <= MAX_DIGITS;
  });
  return {
    callingCode,
    lengths: lengths.filter((length) => sharing.every((plan) => plan.possibleLengths().includes(length))),
    isPrefixed: startingWith(sharing.map((plan) => plan.nationalPrefixForParsing())),
  };
}

/** Matches nothing where there is no such beginning. */
function startingWith(beginnings: (string | 0 | null | undefined)[]): RegExp {
  const sources = new Set(beginnings.filter(Boolean));
  return new RegExp(sources.size > 0 ? `^(?:${[...sources].join('|')})` : '(?!)');
}
