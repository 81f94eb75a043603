import { adjustedText } from './settled-text.js';

describe('what is adjusted where a settled amount changes', () => {
  const amount = (text: string) => `Q ${text}`;
  it.each([
    [50, 40.5, 'Lo cobrado pasa de Q 50.00 a Q 40.50: la siguiente liquidación le quita Q 9.50 al comercio'],
    [0, 0.1, 'Lo cobrado pasa de Q 0.00 a Q 0.10: la siguiente liquidación le suma Q 0.10 al comercio'],
    [50, 0, 'la siguiente liquidación le quita Q 50.00'],
    [50, 50, 'El monto queda igual: no se ajusta nada.'],
  ])('from %d to %d', (before, now, said) => {
    expect(adjustedText(before, now, amount)).toContain(said);
  });
});
