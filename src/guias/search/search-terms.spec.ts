import { readSearch, type SearchTerms } from './search-terms.js';

describe('readSearch', () => {
  const read = (typed: string) => readSearch(typed, ['GT'], false);

  it.each<[typed: string, terms: Partial<SearchTerms>]>([
    ['3028', { finales: '3028' }],
    ['73 028', { finales: '73028' }],
    ['596-7302', { finales: '5967302' }],
    ['2321 5967 3028', { numero: '232159673028' }],
    ['REF00123', { sinLetras: ['00123', '#00123'] }],
    ['ref-00123', { sinLetras: ['00123', '#00123'] }],
    ['Ref 00123', { sinLetras: ['00123', '#00123'], palabras: ['Ref', '00123'] }],
    ['#REF_00123', { sinLetras: ['00123', '#00123'] }],
    ['00123', { finales: '00123', palabras: ['00123'] }],
  ])('reads %s as what may be meant', (typed, terms) => {
    expect(read(typed)).toMatchObject(terms);
  });

  it.each<[typed: string, reading: keyof SearchTerms]>([
    ['302', 'finales'],
    ['59673028', 'finales'],
    ['guía 3028', 'finales'],
    ['00123', 'sinLetras'],
    ['A-12', 'sinLetras'],
    ['REF-00123-B', 'sinLetras'],
    ['3028', 'ultimos'],
  ])('does not read %s as %s', (typed, reading) => {
    expect(read(typed)).not.toHaveProperty(reading);
  });
});
