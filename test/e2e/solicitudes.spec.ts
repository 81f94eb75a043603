import { eventually } from '../support/eventually.js';
import { guiaBody } from '../support/guia-body.js';
import { expectProblem } from '../support/problem.js';
import type { Answer } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';

describe('GET /api/v1/solicitudes/{id}', () => {
  const test = useSharedApp();
  const merchant = opened(() => test.merchant());

  const idOf = ({ headers }: Answer) => headers.get('x-request-id')!;
  const find = (id: string, of = merchant) => of.get(`/api/v1/solicitudes/${id}`);
  const found = (id: string, count = 1, of = merchant): Promise<any[]> =>
    eventually(async () => {
      const { status, body } = await find(id, of);
      expect(status).toBe(200);
      expect(body.solicitudes).toHaveLength(count);
      return body.solicitudes;
    });

  it('shows a write and what it was answered, without its ids and its texts', async () => {
    const created = await merchant.post(GUIAS, guiaBody());
    const { id } = created.body;
    const cancelled = await merchant.post(`${GUIAS}/${id}/cancelar`, {});
    expect(await found(idOf(cancelled))).toEqual([
      {
        id: idOf(cancelled),
        metodo: 'POST',
        ruta: '/api/v1/guias/{id}/cancelar',
        ...{ status: cancelled.status, codigo: null, ms: expect.any(Number) },
        en: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ]);
  });

  it('shows a refusal with its code, of a read too, and of an unknown path', async () => {
    const invalid = await merchant.post(GUIAS, {});
    expect(await found(idOf(invalid))).toMatchObject([{ status: 400, codigo: 'validacion' }]);
    const missing = await merchant.get(`${GUIAS}/100000000008`);
    expect(await found(idOf(missing))).toMatchObject([
      { metodo: 'GET', status: 404, codigo: 'no_encontrado' },
    ]);
  });

  it('shows all requests with an id that the caller chose, the newest first', async () => {
    const headers = { 'x-request-id': `pedido-${Date.now()}` };
    await merchant.post(GUIAS, {}, headers);
    await merchant.post(GUIAS, guiaBody(), headers);
    const both = await found(headers['x-request-id'], 2);
    expect(both.map(({ status }) => status)).toEqual([201, 400]);
  });

  it('shows neither reads that succeeded, nor those of another merchant or mode', async () => {
    const read = await merchant.get(GUIAS);
    const tester = await test.tester(merchant.id);
    const trial = await tester.post(GUIAS, {});
    const own = await merchant.post(GUIAS, {});
    await found(idOf(own));
    expect(await found(idOf(trial), 1, tester)).toMatchObject([{ status: 400 }]);
    const other = await test.merchant();
    for (const answer of [await find(idOf(read)), await find(idOf(trial)), await find(idOf(own), other)])
      expectProblem(answer, 'no_encontrado');
    expectProblem(await find(idOf(own), tester), 'no_encontrado');
  });

  it.each(['%00', 'x'.repeat(2_000), "'; --", 'ñ'])('answers %j as an unknown one', async (id) => {
    expectProblem(await find(id), 'no_encontrado');
  });
});
