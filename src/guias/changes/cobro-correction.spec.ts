import { GUIA_ESTADOS } from '../guia-estado.js';
import { decideCorrection } from './cobro-correction.js';

const delivered = (cod_amount: number, advertencias: string[] = []) => ({
  estado: 'entregado' as const,
  cod_amount,
  advertencias,
});

const OPEN = { liquidacion_id: null };
const SETTLED = { liquidacion_id: 'una' };

describe('a correction', () => {
  it.each<[due: number, cobro: typeof OPEN | undefined, sum: number, isKept: boolean]>([
    [100, OPEN, 100, true],
    [100, OPEN, 99.99, true],
    [100, OPEN, 0, true],
    [100, undefined, 0, true],
    [0, undefined, 5, true],
    [0, OPEN, 5, true],
    [0, OPEN, 0, false],
    [0, undefined, 0, false],
  ])('with %d due and %j stored, to %d: the amount is kept, or removed', (due, cobro, sum, isKept) => {
    expect(decideCorrection(delivered(due), cobro, sum)).toEqual({
      advertencias: sum === due ? [] : ['cod_distinto'],
      isKept,
    });
  });

  it.each([
    [100, ['entrega_lejos']],
    [90, ['entrega_lejos', 'cod_distinto']],
  ])('to %d of 100 leaves the warnings %j', (sum, after) => {
    const guia = delivered(100, ['cod_distinto', 'entrega_lejos']);
    expect(decideCorrection(guia, OPEN, sum).advertencias).toEqual(after);
  });

  it.each([0, 100])('to %d is refused once the amount is settled', (sum) => {
    for (const due of [0, 100])
      expect(() => decideCorrection(delivered(due), SETTLED, sum)).toThrow(
        expect.objectContaining({ codigo: 'cobro_liquidado' }),
      );
  });

  it.each(GUIA_ESTADOS.filter((estado) => estado !== 'entregado'))(
    'of a guide in %s is refused, and the state is named',
    (estado) => {
      expect(() => decideCorrection({ ...delivered(100), estado }, OPEN, 100)).toThrow(
        expect.objectContaining({
          codigo: 'transicion_invalida',
          detail: expect.stringContaining(`\`${estado}\``),
        }),
      );
    },
  );
});
