/** A way one line is written with and without a digit that WhatsApp adds or leaves out. */
const RULES: [written: RegExp, otherwise: string][] = [
  // Mexico dropped the mobile 1 in 2019; WhatsApp did not.
  [/^\+521(\d{10})$/, '+52$1'],
  [/^\+52(\d{10})$/, '+521$1'],
  // Argentina's mobile 9 belongs to calls from abroad; areas begin with 1, 2 or 3.
  [/^\+549([1-3]\d{9})$/, '+54$1'],
  [/^\+54([1-3]\d{9})$/, '+549$1'],
  // Brazil's ninth digit; landlines (2 to 5) never got one.
  [/^\+55([1-9]\d)9([6-9]\d{7})$/, '+55$1$2'],
  [/^\+55([1-9]\d)([6-9]\d{7})$/, '+55$19$2'],
];

/** The numbers in E.164 that may be the same line as this one in WhatsApp; itself first. */
export function phoneVariants(e164: string): string[] {
  return [
    e164,
    ...RULES.flatMap(([written, otherwise]) =>
      written.test(e164) ? [e164.replace(written, otherwise)] : [],
    ),
  ];
}
