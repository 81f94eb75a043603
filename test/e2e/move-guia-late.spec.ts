import { Lives } from '../support/lives.js';
import { createTestApp, type TestApp, type TestOperator } from '../support/test-app.js';

const NOON = '2026-01-01T12:00:00.000Z';
/** More than five minutes before noon. */
const BEFORE = '2026-01-01T11:54:59.999Z';

describe('a late event of an operator', () => {
  let test: TestApp;
  let operator: TestOperator;
  let lives: Lives;

  beforeAll(async () => {
    test = await createTestApp();
    operator = await test.operator();
    lives = new Lives(test, await test.merchant());
  });
  afterAll(() => test.close());

  /** A guide that moved to `en_camino_a_recoger` at noon. */
  const atNoon = async () => {
    const guia = await lives.create();
    const move = { estado: 'en_camino_a_recoger', ocurrido_en: NOON };
    expect((await operator.move(guia.id, move)).body).toMatchObject({ aplicado: true, secuencia: 2 });
    return guia;
  };

  it.each(['recogido', 'entregado'])(
    'is recorded and does not move the guide, legal or not: %s',
    async (estado) => {
      const guia = await atNoon();
      const before = await lives.read(guia);
      const late = { estado, ocurrido_en: BEFORE, nota: 'tarde' };
      const { status, body } = await operator.move(guia.id, late);
      expect([status, body]).toEqual([
        201,
        {
          ok: true,
          ...guia,
          evento: expect.any(String),
          secuencia: 3,
          estado: 'en_camino_a_recoger',
          estado_anterior: null,
          aplicado: false,
          no_aplicado: 'tarde',
        },
      ]);
      const after = await lives.read(guia);
      expect(after.guia).toEqual(before.guia);
      // The history has changed, so the ETag has too.
      expect([before.etag, after.etag]).toEqual(['"2"', '"3"']);
      expect((await lives.events(guia)).at(-1)).toMatchObject({
        id: body.evento,
        secuencia: 3,
        tipo: 'guia.evento_tardio',
        actor: 'operador',
        estado,
        estado_anterior: null,
        ocurrido_en: BEFORE,
        nota: 'tarde',
      });
    },
  );

  it('is not late within the tolerance for slow clocks: a legal move is applied', async () => {
    const guia = await atNoon();
    const ocurrido_en = '2026-01-01T11:55:00.000Z';
    const { body } = await operator.move(guia.id, { estado: 'recogido', ocurrido_en });
    expect(body).toMatchObject({
      aplicado: true,
      estado: 'recogido',
      estado_anterior: 'en_camino_a_recoger',
    });
    expect((await lives.events(guia)).at(-1)).toMatchObject({ tipo: 'guia.estado_cambiado', ocurrido_en });
  });

  it('is measured against the latest move time: a move with a slow clock does not set it back', async () => {
    const guia = await atNoon();
    await operator.move(guia.id, { estado: 'recogido', ocurrido_en: '2026-01-01T11:56:00Z' });
    const { body } = await operator.move(guia.id, { estado: 'en_ruta', ocurrido_en: BEFORE });
    expect(body).toMatchObject({ aplicado: false, estado: 'recogido' });
  });

  it('does not make later events late: only the last move counts', async () => {
    const guia = await atNoon();
    await operator.move(guia.id, { estado: 'cancelado', ocurrido_en: '2025-01-01T00:00:00Z' });
    const { body } = await operator.move(guia.id, { estado: 'recogido', ocurrido_en: NOON });
    expect(body.aplicado).toBe(true);
  });

  it('is accepted for a guide in a terminal state', async () => {
    const guia = await lives.in('en_ruta');
    await operator.move(guia.id, { estado: 'entregado' });
    const tried = { estado: 'intento_fallido', motivo: 'ausente', ocurrido_en: NOON };
    expect((await operator.move(guia.id, tried)).body).toMatchObject({
      aplicado: false,
      estado: 'entregado',
    });
    expect((await lives.events(guia)).at(-1)).toMatchObject({ motivo: 'ausente', estado: 'intento_fallido' });
  });

  it('is recorded once, however often it is repeated with its ref', async () => {
    const guia = await atNoon();
    const late = { estado: 'aceptado', ocurrido_en: BEFORE, ref: 'r' };
    const first = await operator.move(guia.id, late);
    const again = await operator.move(guia.id, late);
    expect([again.status, again.body]).toEqual([200, { ...first.body, duplicado: true }]);
    expect(again.headers.get('guias-campos-distintos')).toBeNull();
  });

  it('is not caused by an earlier event whose clock was ahead', async () => {
    const guia = await lives.create();
    const ahead = new Date(Date.now() + 4 * 60_000).toISOString();
    expect((await operator.move(guia.id, { estado: 'en_camino_a_recoger', ocurrido_en: ahead })).status).toBe(
      201,
    );
    expect((await lives.events(guia)).at(-1).ocurrido_en).toBe(ahead);
    const now = new Date(Date.now() + 1_000).toISOString();
    expect((await operator.move(guia.id, { estado: 'recogido', ocurrido_en: now })).body.aplicado).toBe(true);
  });
});
