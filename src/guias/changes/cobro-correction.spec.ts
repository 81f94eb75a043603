import { GUIA_ESTADOS } from '../guia/guia-estado.js';
import { decideCorrection, type Correccion, type StoredCobro } from './cobro-correction.js';

const delivered = (cod_amount: number, advertencias: string[] = []) => ({
  estado: 'entregado' as const,
  cod_amount,
  advertencias,
});

const OPEN: StoredCobro = { liquidacion_id: null, cod_cobrado: '100.00', pago: 'efectivo' };
const SETTLED: StoredCobro = { ...OPEN, liquidacion_id: 'una' };

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
    expect(decideCorrection(delivered(due), cobro, { cod_cobrado: sum })).toEqual({
      advertencias: sum === due ? [] : ['cod_distinto'],
      isKept,
      corregido: { cod_cobrado: sum, pago: due === 0 ? null : 'efectivo' },
    });
  });

  it.each<
    [
      due: number,
      stored: StoredCobro['pago'],
      sent: Correccion,
      cod_cobrado: number,
      pago: StoredCobro['pago'],
    ]
  >([
    [100, 'efectivo', { cod_cobrado: 90, pago: 'tarjeta' }, 90, 'tarjeta'],
    [100, 'tarjeta', { cod_cobrado: 90 }, 90, 'tarjeta'],
    [100, 'tarjeta', { pago: 'directo' }, 0, 'directo'],
    [100, 'directo', { cod_cobrado: 0 }, 0, 'directo'],
    [100, 'directo', { cod_cobrado: 5, pago: 'efectivo' }, 5, 'efectivo'],
    [0, null, { cod_cobrado: 5, pago: 'tarjeta' }, 5, null],
    [0, null, { pago: 'directo' }, 0, null],
  ])('of %d due, paid as %s, by %j', (due, stored, sent, cod_cobrado, pago) => {
    const { corregido, advertencias } = decideCorrection(delivered(due), { ...OPEN, pago: stored }, sent);
    expect(corregido).toEqual({ cod_cobrado, pago });
    expect(advertencias).toEqual(pago === 'directo' || cod_cobrado === due ? [] : ['cod_distinto']);
  });

  it('to an amount of what stays paid to the merchant is refused', () => {
    const direct: StoredCobro = { ...OPEN, pago: 'directo' };
    expect(() => decideCorrection(delivered(100), direct, { cod_cobrado: 5 })).toThrow(
      expect.objectContaining({
        codigo: 'validacion',
        errores: [expect.objectContaining({ campo: 'cod_cobrado', codigo: 'fuera_de_rango' })],
      }),
    );
  });

  it.each([
    [100, ['entrega_lejos']],
    [90, ['entrega_lejos', 'cod_distinto']],
  ])('to %d of 100 leaves the warnings %j', (sum, after) => {
    const guia = delivered(100, ['cod_distinto', 'entrega_lejos']);
    expect(decideCorrection(guia, OPEN, { cod_cobrado: sum }).advertencias).toEqual(after);
  });

  it.each([0, 100])('to %d is refused once the amount is settled', (sum) => {
    for (const due of [0, 100])
      expect(() => decideCorrection(delivered(due), SETTLED, { cod_cobrado: sum })).toThrow(
        expect.objectContaining({ codigo: 'cobro_liquidado' }),
      );
  });

  it.each(GUIA_ESTADOS.filter((estado) => estado !== 'entregado'))(
    'of a guide in %s is refused, and the state is named',
    (estado) => {
      expect(() => decideCorrection({ ...delivered(100), estado }, OPEN, { cod_cobrado: 100 })).toThrow(
        expect.objectContaining({
          codigo: 'transicion_invalida',
          detail: expect.stringContaining(`\`${estado}\``),
        }),
      );
    },
  );
});
