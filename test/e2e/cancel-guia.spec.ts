import { Lives } from '../support/lives.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { opened, useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';

describe('POST /api/v1/guias/{id}/cancelar', () => {
  const test = useSharedApp();
  const merchant = opened(() => test.merchant());
  const operator = opened(() => test.operator());
  const lives = new Lives(test, merchant);

  const cancel = (id: string, body?: unknown, by = merchant) => by.post(`${GUIAS}/${id}/cancelar`, body);

  it.each(['aceptado', 'en_camino_a_recoger'] as const)('cancels a guide in %s', async (estado) => {
    const guia = await lives.in(estado);
    const before = (await lives.read(guia)).guia;
    const { status, body, headers } = await cancel(guia.id, { nota: ' El cliente ya no lo quiere ' });
    expect([status, headers.get('etag')]).toEqual([200, '"2"']);
    expect(body).toEqual({
      ok: true,
      guia: { ...before, estado: 'cancelado', actualizada_en: expect.any(String) },
    });
    expect(await lives.read(guia)).toEqual({ guia: body.guia, etag: '"2"' });
    expect((await lives.events(guia)).slice(1)).toEqual([
      expect.objectContaining({
        ...{ secuencia: 2, tipo: 'guia.cancelada', actor: 'comercio', estado: 'cancelado' },
        ...{ estado_anterior: estado, nota: 'El cliente ya no lo quiere' },
      }),
    ]);
  });

  it.each(['recogido', 'entregado'] as const)(
    'refuses a guide in %s with 409 and changes nothing',
    async (estado) => {
      const guia = await lives.in(estado);
      const before = await lives.stored(guia);
      const answer = await cancel(guia.id);
      expectProblem(answer, 'transicion_invalida');
      expect(answer.body.detail).toContain(`\`${estado}\``);
      expect(await lives.stored(guia)).toEqual(before);
    },
  );

  it('is idempotent: a repeat returns 200 with the guide and records nothing', async () => {
    const guia = await lives.create();
    const first = await cancel(guia.guia, { nota: 'primera' });
    const before = await lives.stored(guia);
    for (const body of [undefined, {}, { nota: 'segunda' }]) {
      const again = await cancel(guia.id, body);
      expect([again.status, again.headers.get('etag'), again.body]).toEqual([200, '"2"', first.body]);
    }
    expect(await lives.stored(guia)).toEqual(before);
  });

  it('returns 200 for a guide that an operator has cancelled', async () => {
    const guia = await lives.create();
    await operator.move(guia.id, { estado: 'cancelado' });
    expect((await cancel(guia.id)).status).toBe(200);
    expect((await lives.events(guia)).map(({ actor }) => actor)).toEqual(['comercio', 'operador']);
  });

  it('refuses an invalid body and cancels nothing', async () => {
    const guia = await lives.create();
    const before = await lives.stored(guia);
    expectFaults(await cancel(guia.id, { nota: 'a\0' }), ['nota: formato']);
    expectFaults(await cancel(guia.id, { motivo: 'x', estado: 'cancelado' }), [
      'motivo: campo_desconocido',
      'estado: campo_desconocido',
    ]);
    expectFaults(await cancel(guia.id, []), ['cuerpo: tipo']);
    expect(await lives.stored(guia)).toEqual(before);
  });
});
