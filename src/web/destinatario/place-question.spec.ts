import { placeQuestion } from './place-question.js';
import { ES } from './texts.js';

const FLORES = { lat: 16.923, lng: -89.899 };
const MIXCO = { lat: 14.631, lng: -90.607 };
const inMixco = { pais: 'GT', municipio: 'Mixco', centro: MIXCO, cerca: MIXCO } as const;
const ask = (form: Record<string, string>, parcel: Parameters<typeof placeQuestion>[1] = inMixco) =>
  placeQuestion(form, parcel, ES);

describe('a point with a wrong sign', () => {
  it.each<[string, Record<string, string>, string]>([
    ['typed without its minus', { lat: '14.6407', lng: '90.5133' }, ES.swapped.minusMissing],
    ['pasted without its minus', { maps_url: '14.6407, 90.5133' }, ES.swapped.minusMissing],
    ['typed with a minus too many', { lat: '-14.6407', lng: '-90.5133' }, ES.swapped.minusTooMany],
    ['with both signs wrong', { lat: '-14.6407', lng: '90.5133' }, ES.swapped.minusMissing],
  ])('is asked about, with the point that lies in the country: %s', (_, form, text) => {
    expect(ask(form)).toEqual({
      text,
      field: null,
      meant: { lat: 14.6407, lng: -90.5133 },
      isPossible: true,
    });
  });

  it('is taken as it is once the person has said so', () => {
    expect(ask({ lat: '14.6407', lng: '90.5133', tal_cual: 'si' })).toBeUndefined();
  });

  it('is not seen in a point in the country', () => {
    expect(ask({ lat: '14.6407', lng: '-90.5133' })).toBeUndefined();
  });
});

describe('a point far away', () => {
  const inFlores = { pais: 'GT', municipio: 'Flores', centro: FLORES, cerca: FLORES } as const;
  const question = (text: string) => ({ text, field: null, isPossible: true });

  it.each([
    [
      'from the municipality',
      { lat: '14.6407', lng: '-90.5133' },
      'Ese punto queda a 260\u00a0km de Flores. ¿Es ahí?',
    ],
    ['pasted', { maps_url: '14.6407, -90.5133' }, 'Ese punto queda a 260\u00a0km de Flores. ¿Es ahí?'],
    ['outside the country', { lat: '40.4', lng: '-3.7' }, 'Ese punto queda fuera de Guatemala. ¿Es ahí?'],
  ])('%s is asked about', (_, form, text) => {
    expect(ask(form, inFlores)).toEqual(question(text));
    expect(ask({ ...form, tal_cual: 'si' }, inFlores)).toBeUndefined();
  });

  it('is not asked about near the municipality, nor where the table does not have it', () => {
    expect(ask({ lat: '16.5', lng: '-90.2' }, inFlores)).toBeUndefined();
    expect(
      ask({ lat: '14.6407', lng: '-90.5133' }, { ...inFlores, centro: null, cerca: null }),
    ).toBeUndefined();
  });

  it('is left to the rules of the fields where it is not on Earth', () => {
    expect(ask({ lat: '14.6', lng: '900' }, inFlores)).toBeUndefined();
  });
});
