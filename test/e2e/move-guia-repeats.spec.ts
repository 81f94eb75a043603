import { Lives } from '../support/lives.js';
import { opened, useSharedApp } from '../support/use.js';

describe("an operator's ref", () => {
  const test = useSharedApp();
  const operator = opened(() => test.operator());
  const lives = opened(async () => new Lives(test, await test.merchant()));

  const pickup = { estado: 'en_camino_a_recoger', ref: 'ruta-7-parada-3' };

  it('makes a repeat return 200 with the recorded event, whatever happened to the guide since', async () => {
    const guia = await lives.create();
    const first = await operator.move(guia.id, pickup);
    expect(first.status).toBe(201);
    expect(first.body).not.toHaveProperty('duplicado');
    const again = async () => {
      const { status, body, headers } = await operator.move(guia.guia, pickup);
      expect({ status, body }).toEqual({ status: 200, body: { ...first.body, duplicado: true } });
      expect(headers.get('guias-campos-distintos')).toBeNull();
    };
    await again();
    await operator.move(guia.id, { estado: 'recogido' });
    const before = await lives.stored(guia);
    await again();
    await lives.test.database.query(`update guias set estado = 'extraviado' where id = $1`, [guia.id]);
    await again();
    await lives.test.database.query(`update guias set estado = 'recogido' where id = $1`, [guia.id]);
    expect(await lives.stored(guia)).toEqual(before);
  });

  it.each<[what: string, first: object, again: object, distintos: string | null]>([
    ['no field', {}, {}, null],
    ['an omitted field, which does not count', { nota: 'a', lat: 14.6, lng: -90.5 }, {}, null],
    ['the note', { nota: 'a' }, { nota: 'b' }, 'nota'],
    ['spaces around the note, which do not count', { nota: 'a' }, { nota: ' a\r\n' }, null],
    ['the coordinates', { lat: 14.6, lng: -90.5 }, { lat: 14.7, lng: -90.6 }, 'lat, lng'],
    ['a negative zero, which does not count', { lat: 0, lng: -90.5 }, { lat: -0, lng: -90.5 }, null],
    ['the state', {}, { estado: 'cancelado' }, 'estado'],
    [
      'the time',
      { ocurrido_en: '2026-01-01T00:00:00Z' },
      { ocurrido_en: '2026-01-01T00:00:01Z' },
      'ocurrido_en',
    ],
    [
      'another format of the time, which does not count',
      { ocurrido_en: '2026-01-01T00:00:00Z' },
      { ocurrido_en: '2025-12-31T18:00:00.000-06:00' },
      null,
    ],
  ])(
    'lists in Guias-Campos-Distintos the fields of a repeat that differ: %s',
    async (_, over, again, distintos) => {
      const guia = await lives.create();
      const first = await operator.move(guia.id, { ...pickup, ...over });
      const before = await lives.stored(guia);
      const repeat = await operator.move(guia.id, { ...pickup, ...again });
      expect([repeat.status, repeat.body]).toEqual([200, { ...first.body, duplicado: true }]);
      expect(repeat.headers.get('guias-campos-distintos')).toBe(distintos);
      expect(await lives.stored(guia)).toEqual(before);
    },
  );

  it('compares the fields of a delivery and of a failed attempt too', async () => {
    const failed = await lives.in('en_ruta');
    await operator.move(failed.id, { estado: 'intento_fallido', motivo: 'ausente', ref: 'a' });
    const other = await operator.move(failed.id, { estado: 'intento_fallido', motivo: 'clima', ref: 'a' });
    const delivered = await lives.in('en_ruta');
    await operator.move(delivered.id, { estado: 'entregado', cod_cobrado: 0.3, ref: 'a' });
    const same = await operator.move(delivered.id, { estado: 'entregado', cod_cobrado: 0.3, ref: 'a' });
    const more = await operator.move(delivered.id, { estado: 'entregado', cod_cobrado: 0.31, ref: 'a' });
    const distintos = [other, same, more].map(({ headers }) => headers.get('guias-campos-distintos'));
    expect(distintos).toEqual(['motivo', null, 'cod_cobrado']);
    expect((await lives.events(delivered)).map(({ tipo }) => tipo)).toEqual([
      'guia.creada',
      'guia.estado_cambiado',
      'guia.cod_distinto',
    ]);
  });

  it('is compared exactly, except for surrounding spaces', async () => {
    const guia = await lives.create();
    await operator.move(guia.id, { ...pickup, ref: ' Ñ-1 ' });
    expect((await operator.move(guia.id, { ...pickup, ref: 'Ñ-1' })).status).toBe(200);
    for (const ref of ['ñ-1', 'N\u0303-1', 'N-1', 'Ñ -1'])
      expect({ ref, status: (await operator.move(guia.id, { ...pickup, ref })).status }).toEqual({
        ref,
        status: 409,
      });
  });

  it('identifies one event for each operator and guide', async () => {
    const other = await test.operator('Otra mensajería');
    const [one, two] = [await lives.create(), await lives.create()];
    expect((await operator.move(one.id, pickup)).status).toBe(201);
    expect((await operator.move(two.id, pickup)).status).toBe(201);
    expect((await other.move(one.id, { ...pickup, estado: 'recogido' })).status).toBe(201);
    expect((await operator.move(one.id, pickup)).status).toBe(200);
    expect(await lives.events(one)).toHaveLength(3);
  });

  it('is shared by all keys of the operator', async () => {
    const guia = await lives.create();
    const otherKey = await test.operator();
    await operator.move(guia.id, pickup);
    expect((await otherKey.move(guia.id, pickup)).status).toBe(200);
  });
});
