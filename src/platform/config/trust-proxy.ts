import { isIP } from 'node:net';

export function isTrustProxy(text: string): boolean {
  if (/^(false|\d{1,3})$/.test(text)) return true;
  return text.split(',').every((part) => {
    const [address = '', bits, ...rest] = part.trim().split('/');
    const width = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
    const isRange =
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= width);
    return width > 0 && rest.length === 0 && isRange;
  });
}

/** Fastify's `trustProxy`; a number of hops becomes a function of the hop. */
export type TrustProxy = false | string[] | ((address: string, hop: number) => boolean);

export function toTrustProxy(text: string): TrustProxy {
  if (text === 'false') return false;
  if (/^\d+$/.test(text)) return (_address, hop) => hop < Number(text);
  return text.split(',').map((part) => part.trim());
}
