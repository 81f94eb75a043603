import { Lives, PLACE } from '../support/lives.js';
import { expectFaults } from '../support/problem.js';
import { opened, useSharedApp } from '../support/use.js';

const DELIVERED = { estado: 'entregado' };
const LONG_AGO = '2020-01-01T00:00:00Z';

/** A point this many metres north of the destination of test guides. */
const north = (metres: number) => ({ lat: PLACE.lat + metres / 111_195, lng: PLACE.lng });

const test = useSharedApp();
const operator = opened(() => test.operator());
const lives = opened(async () => new Lives(test, await test.merchant()));

describe('a delivery', () => {
  describe('of a guide with an amount to collect', () => {
    const batch = async (guia: string, body: object) =>
      (await operator.post('/api/v1/operaciones/eventos', { eventos: [{ guia, ...body }] })).body
        .resultados[0];

    it('needs the amount collected: without it nothing is recorded', async () => {
      const guia = await lives.in('en_ruta', { cod_amount: 100 });
      const before = await lives.stored(guia);
      const faults = ['cod_cobrado: requerido'] as const;
      for (const body of [DELIVERED, { ...DELIVERED, cod_cobrado: null, ref: 'r' }])
        expectFaults(await operator.move(guia.id, body), [...faults]);
      expect(await batch(guia.id, DELIVERED)).toMatchObject({
        ok: false,
        status: 400,
        codigo: 'validacion',
        errores: [{ campo: 'cod_cobrado', codigo: 'requerido' }],
      });
      expect(await lives.stored(guia)).toEqual(before);
      expect((await operator.move(guia.id, { ...DELIVERED, cod_cobrado: 100, ref: 'r' })).status).toBe(201);
    });
  });

  it('tells who received the parcel, in the history', async () => {
    const guia = await lives.in('en_ruta');
    expect((await operator.move(guia.id, { ...DELIVERED, recibio: ' Rosa Pérez ' })).status).toBe(201);
    expect((await lives.events(guia)).at(-1)).toMatchObject({ estado: 'entregado', recibio: 'Rosa Pérez' });
  });

  it('far away with another amount has both warnings', async () => {
    const guia = await lives.in('en_ruta', { cod_amount: 10 });
    const repeated = { ...DELIVERED, ...north(1_000), cod_cobrado: 9, recibio: 'Rosa', ref: 'r' };
    expect((await operator.move(guia.id, repeated)).status).toBe(201);
    expect((await lives.read(guia)).guia.advertencias).toEqual(['cod_distinto', 'entrega_lejos']);
    const moved = (await lives.events(guia)).find(({ estado }) => estado === 'entregado');
    expect(moved).toMatchObject({ distancia_m: 1_000, recibio: 'Rosa' });
    const again = await operator.move(guia.id, { ...repeated, recibio: 'Rita' });
    expect([again.status, again.headers.get('guias-campos-distintos')]).toEqual([200, 'recibio']);
  });
});

describe("an operator's cancellation of a cancelled guide", () => {
  const CANCEL = { estado: 'cancelado' };

  it('is a repeat, whoever cancelled: 200 with the recorded event', async () => {
    for (const by of ['operator', 'merchant']) {
      const guia = await lives.create();
      if (by === 'operator') await operator.move(guia.id, { ...CANCEL, nota: 'una' });
      else await lives.merchant.post(`/api/v1/guias/${guia.id}/cancelar`, { nota: 'una' });
      const before = await lives.stored(guia);
      const [, cancelled] = await lives.events(guia);
      for (const [over, distintos] of [
        [{}, null],
        [{ ref: 'r' }, null],
        [{ nota: 'otra' }, 'nota'],
        [{ ocurrido_en: LONG_AGO }, 'ocurrido_en'],
      ] as const) {
        const { status, body, headers } = await operator.move(guia.id, { ...CANCEL, ...over });
        expect([status, body]).toEqual([
          200,
          {
            ok: true,
            ...guia,
            evento: cancelled.id,
            secuencia: 2,
            estado: 'cancelado',
            estado_anterior: 'aceptado',
            aplicado: true,
            duplicado: true,
          },
        ]);
        expect(headers.get('guias-campos-distintos')).toBe(distintos);
      }
      expect(await lives.stored(guia)).toEqual(before);
    }
  });
});
