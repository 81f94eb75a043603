import fc from 'fast-check';
import { phoneVariants } from './phone-variants.js';

describe('the variants of a number', () => {
  it.each([
    ['Mexico', '+525512345678', '+5215512345678'],
    ['Argentina', '+541123456789', '+5491123456789'],
    ['Brazil, mobiles', '+553187654321', '+5531987654321'],
    ['Brazil, mobiles', '+551161234567', '+5511961234567'],
  ])('include both forms: %s, %s and %s', (_country, one, other) => {
    expect(phoneVariants(one)).toEqual([one, other]);
    expect(phoneVariants(other)).toEqual([other, one]);
  });

  it.each([
    ['Guatemala', '+50255551234'],
    ['El Salvador', '+50370001234'],
    ['the United States', '+12025550123'],
    ['Spain', '+34612345678'],
    ['a landline of Brazil, which never had the digit', '+551131234567'],
    ['a mobile of Brazil that without it would be a landline', '+5511931234567'],
    ['Mexico, a digit short', '+52551234567'],
    ['Mexico, a digit long', '+52255123456789'],
    ['Argentina, a digit short', '+54112345678'],
    ['Brazil, a digit short', '+55318765432'],
    ['another country that begins alike', '+5215'],
    ['no number', ''],
  ])('are the number alone: %s, %s', (_what, phone) => {
    expect(phoneVariants(phone)).toEqual([phone]);
  });

  it('are mutual and begin with the number itself', () => {
    const prefix = fc.constantFrom('+52', '+521', '+54', '+549', '+55', '+5531', '+55119', '+502', '+1');
    const digits = fc.stringMatching(/^\d{6,12}$/);
    fc.assert(
      fc.property(prefix, digits, (start, rest) => {
        const phone = start + rest;
        const variants = phoneVariants(phone);
        expect(variants[0]).toBe(phone);
        expect(new Set(variants).size).toBe(variants.length);
        for (const variant of variants) expect(phoneVariants(variant)).toContain(phone);
      }),
      { numRuns: 1_000 },
    );
  });
});
