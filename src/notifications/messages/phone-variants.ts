/** WhatsApp adds or drops a digit in some countries. */
const RULES: [written: RegExp, otherwise: string][] = [
  // Mexico dropped the 1 of mobile numbers in 2019; WhatsApp did not.
  [/^\+521(\d{10})$/, '+52$1'],
  [/^\+52(\d{10})$/, '+521$1'],
  // Argentina's mobile 9 is for calls from abroad; area codes begin with 1, 2 or 3.
  [/^\+549([1-3]\d{9})$/, '+54$1'],
  [/^\+54([1-3]\d{9})$/, '+549$1'],
  // Brazil's ninth digit; landlines (2 to 5) never got one.
  [/^\+55([1-9]\d)9([6-9]\d{7})$/, '+55$1$2'],
  [/^\+55([1-9]\d)([6-9]\d{7})$/, '+55$19$2'],
];

/** The numbers (E.164) that may be the same line in WhatsApp; the given one first. */
export function phoneVariants(e164: string): string[] {
  return [
    e164,
    ...RULES.flatMap(([written, otherwise]) =>
      written.test(e164) ? [e164.replace(written, otherwise)] : [],
    ),
  ];
}
