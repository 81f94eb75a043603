/**
 * An amount in groups of three digits, the same for all countries: with one way to write them, nobody takes a comma for a
 * point. Not by `Intl`, which a slow phone takes half a second to load.
 * @param amount exact, with two decimals where it is a text: `12,345.67`.
 */
export function groupedAmount(amount: number | string): string {
  const [whole = '', decimals] = Math.abs(Number(amount)).toFixed(2).split('.');
  const groups = [];
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end));
  return `${signOf(amount)}${groups.join(',')}.${decimals}`;
}

/** The same with a currency's symbol, which keeps together: `Q 12,345.67`, `−Q 100.00`. */
export function amountWith(symbol: string, amount: number | string): string {
  return `${signOf(amount)}${symbol}\u00a0${groupedAmount(Math.abs(Number(amount)))}`;
}

const signOf = (amount: number | string) => (Number(amount) < 0 ? '−' : '');
