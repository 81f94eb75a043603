import type { GuiaEstado } from '../../src/guias/guia/guia-estado.js';
import { Lives } from '../support/lives.js';
import { expectProblem } from '../support/problem.js';
import { opened, useSharedApp } from '../support/use.js';

/** A failed attempt needs a reason. */
const moveTo = (estado: GuiaEstado) => ({
  estado,
  ...(estado === 'intento_fallido' && { motivo: 'ausente' }),
});
const UNKNOWN = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';

describe('POST /api/v1/operaciones/guias/{id}/eventos', () => {
  const test = useSharedApp();
  const merchant = opened(() => test.merchant());
  const operator = opened(() => test.operator());
  const lives = new Lives(test, merchant);

  it.each<[from: GuiaEstado, to: GuiaEstado]>([
    ['aceptado', 'en_camino_a_recoger'],
    ['en_camino_a_recoger', 'cancelado'],
    ['en_ruta', 'intento_fallido'],
  ])('moves a guide from %s to %s', async (from, to) => {
    const guia = await lives.in(from);
    const before = (await lives.read(guia)).guia;
    const { status, body } = await operator.move(guia.id, moveTo(to));
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        ok: true,
        ...guia,
        evento: expect.stringMatching(/^[0-9a-f-]{36}$/),
        secuencia: 2,
        estado: to,
        estado_anterior: from,
        aplicado: true,
      },
    });
    const { guia: after, etag } = await lives.read(guia);
    expect({ ...after, actualizada_en: '' }).toEqual({ ...before, estado: to, actualizada_en: '' });
    expect(after.actualizada_en >= before.actualizada_en).toBe(true);
    expect(etag).toBe('"2"');
    expect((await lives.events(guia)).slice(1)).toEqual([
      expect.objectContaining({
        id: body.evento,
        secuencia: 2,
        tipo: to === 'cancelado' ? 'guia.cancelada' : 'guia.estado_cambiado',
        actor: 'operador',
        estado: to,
        estado_anterior: from,
      }),
    ]);
  });

  it.each<[from: GuiaEstado, to: GuiaEstado, detail: string]>([
    ['aceptado', 'recogido', 'de ahí solo puede pasar a: en_camino_a_recoger, cancelado.'],
    ['entregado', 'en_ruta', 'un estado final: ya no cambia.'],
  ])('refuses to move a guide from %s to %s with 409, and changes nothing', async (from, to, detail) => {
    const guia = await lives.in(from);
    const before = await lives.stored(guia);
    const answer = await operator.move(guia.id, { ...moveTo(to), ref: 'r' });
    expectProblem(answer, 'transicion_invalida');
    expect(answer.body.detail).toContain(detail);
    expect(answer.body.errores).toEqual([
      { campo: 'estado', codigo: 'fuera_de_rango', mensaje: answer.body.detail },
    ]);
    expect(await lives.stored(guia)).toEqual(before);
  });

  it('does not use up the ref of a refused move', async () => {
    const guia = await lives.create();
    expect((await operator.move(guia.id, { estado: 'recogido', ref: 'r' })).status).toBe(409);
    await operator.move(guia.id, { estado: 'en_camino_a_recoger' });
    expect((await operator.move(guia.id, { estado: 'recogido', ref: 'r' })).status).toBe(201);
  });

  it('moves guides of any merchant, by id in any letter case and by number', async () => {
    const other = new Lives(test, await test.merchant({ country: 'SV' }));
    for (const name of ['id', 'guia', 'ID'] as const) {
      const guia = await other.create();
      const named = name === 'ID' ? guia.id.toUpperCase() : guia[name];
      const { status, body } = await operator.move(named, { estado: 'en_camino_a_recoger' });
      expect([status, body.id, body.guia]).toEqual([201, guia.id, guia.guia]);
      expect((await other.read(guia)).guia.estado).toBe('en_camino_a_recoger');
    }
  });

  it.each([UNKNOWN, '483920175567', 'x'])('returns 404 for the unknown guide %s', async (name) => {
    expectProblem(await operator.move(name, { estado: 'en_camino_a_recoger' }), 'no_encontrado');
  });

  it('adds a warning and an event where another amount was collected than was due', async () => {
    const guia = await lives.in('en_ruta', { cod_amount: 349.5 });
    const delivery = { estado: 'entregado', cod_cobrado: 349.51 };
    expect((await operator.move(guia.id, delivery)).body.secuencia).toBe(2);
    const { guia: after, etag } = await lives.read(guia);
    expect([after.estado, after.advertencias, after.cod_cobrado, etag]).toEqual([
      'entregado',
      ['cod_distinto'],
      349.51,
      '"3"',
    ]);
    expect((await lives.events(guia)).slice(1)).toMatchObject([
      { tipo: 'guia.estado_cambiado', secuencia: 2, estado: 'entregado', cod_cobrado: 349.51 },
      { tipo: 'guia.cod_distinto', secuencia: 3, estado: null, actor: 'operador', cod_cobrado: 349.51 },
    ]);
  });

  describe('late', () => {
    const NOON = '2026-01-01T12:00:00.000Z';
    /** More than five minutes before noon. */
    const BEFORE = '2026-01-01T11:54:59.999Z';

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
          ...{ id: body.evento, secuencia: 3, tipo: 'guia.evento_tardio', actor: 'operador', estado },
          ...{ estado_anterior: null, ocurrido_en: BEFORE, nota: 'tarde' },
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

    it('is not caused by an earlier event whose clock was ahead', async () => {
      const guia = await lives.create();
      const ahead = new Date(Date.now() + 4 * 60_000).toISOString();
      expect(
        (await operator.move(guia.id, { estado: 'en_camino_a_recoger', ocurrido_en: ahead })).status,
      ).toBe(201);
      expect((await lives.events(guia)).at(-1).ocurrido_en).toBe(ahead);
      const now = new Date(Date.now() + 1_000).toISOString();
      expect((await operator.move(guia.id, { estado: 'recogido', ocurrido_en: now })).body.aplicado).toBe(
        true,
      );
    });
  });
});
