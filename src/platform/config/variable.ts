/** The rule of a variable's text, said to the person who set it; never contains the text. */
export class RuleError extends Error {}

/** Reads a set variable's text. @throws RuleError */
type Format<T> = (text: string) => T;

/** @param read returns undefined for a text that breaks the rule. */
export function format<T>(rule: string, read: (text: string) => T | undefined): Format<T> {
  return (text) => {
    const value = read(text);
    if (value === undefined) throw new RuleError(rule);
    return value;
  };
}

export const anyText: Format<string> = (text) => text;

export const matching = (form: RegExp, rule: string) =>
  format(rule, (text) => (form.test(text) ? text : undefined));

export const oneOf = <T extends string>(values: readonly T[], rule: string) =>
  format(rule, (text) => values.find((value) => value === text));

/** A whole number from `min` to `max`, in digits. */
export const integer = (min: number, max: number) =>
  format(`must be an integer from ${min} to ${max}`, (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : NaN;
    return number >= min && number <= max ? number : undefined;
  });

/** Reads a variable; undefined where it is not set. */
export const optional =
  <T>(read: Format<T>) =>
  (text: string | undefined): T | undefined =>
    text === undefined ? undefined : read(text);

/** Reads a variable; `unset` where it is not set. */
export const withDefault =
  <T>(read: Format<T>, unset: NoInfer<T>) =>
  (text: string | undefined): T =>
    text === undefined ? unset : read(text);
