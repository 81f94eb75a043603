import { swapQuestion } from './swap-question.js';
import { ES } from './texts.es.js';

const GUATEMALA = { pais: 'GT', cerca: { lat: 14.65, lng: -90.5 } } as const;
const ask = (form: Record<string, string>) => swapQuestion(form, GUATEMALA, ES);

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

  it.each([
    ['in the country', { lat: '14.6407', lng: '-90.5133' }],
    ['where no sign brings it into the country', { lat: '40.4', lng: '-3.7' }],
  ])('is not seen in a point %s', (_, form) => {
    expect(ask(form)).toBeUndefined();
  });
});
