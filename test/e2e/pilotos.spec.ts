import type { FieldErrorCode } from '../../src/platform/errors/error-codes.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { createTestApp } from '../support/test-app.js';
import { opened } from '../support/use.js';

const PILOTOS = '/api/v1/operaciones/pilotos';
type Faults = `${string}: ${FieldErrorCode}`[];

const UNKNOWN_ID = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';

describe('drivers', () => {
  const test = opened(() => createTestApp({ env: { PUBLIC_URL: 'https://guias.example' } }));
  const operator = opened(() => test.operator());

  const create = async (body: object = {}) =>
    (await operator.post(PILOTOS, { nombre: 'Marvin', ...body })).body.piloto;
  const link = (id: string, body?: object) => operator.post(`${PILOTOS}/${id}/enlace`, body);
  const stored = async (id: string) =>
    (
      await test.database.query<{ hash: string | null; h: number | null }>(
        `select encode(enlace_hash, 'hex') as hash,
           round(extract(epoch from enlace_vence_en - now()) / 3600)::int as h from pilotos where id = $1`,
        [id],
      )
    )[0]!;

  it('are made with a name and a phone, local ones of DEFAULT_COUNTRY, and shown', async () => {
    const { status, body } = await operator.post(PILOTOS, {
      nombre: '  Marvin Xicará ',
      telefono: '5555 8080',
    });
    expect([status, body]).toEqual([
      201,
      {
        ok: true,
        piloto: {
          ...{ id: expect.any(String), nombre: 'Marvin Xicará', telefono: '+50255558080', activo: true },
          ...{ creado_en: expect.stringMatching(/Z$/), visto_en: null },
        },
      },
    ]);
    expect((await operator.get(`${PILOTOS}/${body.piloto.id}`)).body).toEqual(body);
    expect((await create()).telefono).toBeNull();
  });

  it('are made once for a ref of an operator, also by requests at the same time', async () => {
    const [ref, other] = ['empleado-1', await test.operator('Otra')];
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => operator.post(PILOTOS, { nombre: 'Rosa', ref })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
    const [{ id }] = answers.map(({ body }) => body.piloto);
    expect(answers.every(({ body }) => body.piloto.id === id)).toBe(true);
    const repeat = await operator.post(PILOTOS, { nombre: 'Ana', telefono: '55551234', ref });
    expect(repeat.body).toMatchObject({ duplicado: true, piloto: { id, nombre: 'Rosa' } });
    expect(repeat.headers.get('guias-campos-distintos')).toBe('nombre, telefono');
    expect((await other.post(PILOTOS, { nombre: 'Rosa', ref })).status).toBe(201);
  });

  it('are changed field by field', async () => {
    const { id } = await create({ telefono: '5555 8080' });
    const patch = async (body: object) => (await operator.patch(`${PILOTOS}/${id}`, body)).body.piloto;
    expect(await patch({})).toMatchObject({ nombre: 'Marvin', telefono: '+50255558080', activo: true });
    expect(await patch({ nombre: 'Rosa' })).toMatchObject({ nombre: 'Rosa', telefono: '+50255558080' });
    expect(await patch({ telefono: null })).toMatchObject({ nombre: 'Rosa', telefono: null });
    expect(await patch({ activo: false })).toMatchObject({ nombre: 'Rosa', activo: false });
  });

  it.each<[body: object, faults: Faults]>([
    [{}, ['nombre: requerido']],
    [{ nombre: 'x'.repeat(121) }, ['nombre: demasiado_largo']],
    [{ nombre: 5, telefono: '123' }, ['nombre: tipo', 'telefono: formato']],
    [{ nombre: 'Ana', telefno: '55551234' }, ['telefno: campo_desconocido']],
  ])('are refused with %j', async (body, faults) => {
    expectFaults(await operator.post(PILOTOS, body), faults);
  });

  it('says whose local format the phone may have', async () => {
    const { body } = await operator.post(PILOTOS, { nombre: 'Ana', telefono: 'abc' });
    expect(body.errores[0].mensaje).toMatch(/o en el formato local del país de este servicio\.$/);
  });

  it.each<[body: object, faults: Faults]>([
    [{ nombre: '' }, ['nombre: requerido']],
    [{ activo: 'false' }, ['activo: tipo']],
    [{ ref: 'x' }, ['ref: campo_desconocido']],
  ])('are not changed by %j', async (body, faults) => {
    expectFaults(await operator.patch(`${PILOTOS}/${(await create()).id}`, body), faults);
  });

  it('are listed page by page, newest first, all or by activo', async () => {
    const made = [await create(), await create(), await create()];
    await operator.patch(`${PILOTOS}/${made[1].id}`, { activo: false });
    const ids = async (query: string): Promise<string[]> => {
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const { body } = await operator.get(`${PILOTOS}?limit=2${query}${cursor && `&cursor=${cursor}`}`);
        found.push(...body.pilotos.map(({ id }: { id: string }) => id));
        cursor = body.siguiente_cursor;
      }
      return found;
    };
    expect((await ids('')).slice(0, 3)).toEqual([made[2].id, made[1].id, made[0].id]);
    expect((await ids('&activo=true')).slice(0, 2)).toEqual([made[2].id, made[0].id]);
    expect((await ids('&activo=false'))[0]).toBe(made[1].id);
    expectFaults(await operator.get(`${PILOTOS}?activo=si`), ['activo: formato']);
    expectProblem(await operator.get(`${PILOTOS}?cursor=x`), 'cursor_invalido');
  });

  it('have one link each, of which the hash alone is stored', async () => {
    const { id } = await create();
    const { status, body } = await link(id);
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        enlace: expect.stringMatching(/^https:\/\/guias\.example\/r\/[\w-]{48}$/),
        vence_en: expect.stringMatching(/Z$/),
      },
    ]);
    const first = await stored(id);
    expect(first).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/), h: 16 });
    const again = (await link(id, { horas: 168 })).body;
    expect(again.enlace).not.toBe(body.enlace);
    expect(await stored(id)).toEqual({ hash: expect.not.stringMatching(first.hash!), h: 168 });
    for (const [horas, codigo] of [
      [0, 'fuera_de_rango'],
      [169, 'fuera_de_rango'],
      [1.5, 'formato'],
      ['8', 'tipo'],
    ] as const)
      expectFaults(await link(id, { horas }), [`horas: ${codigo}`]);
  });

  it('lose their link once they are inactive, for good', async () => {
    const { id } = await create();
    await link(id);
    await operator.patch(`${PILOTOS}/${id}`, { activo: false });
    expectProblem(await link(id), 'piloto_inactivo');
    await operator.patch(`${PILOTOS}/${id}`, { activo: true });
    expect((await stored(id)).hash).toBeNull();
    expect((await link(id)).status).toBe(200);
  });

  it('are not found by an unknown id, nor by a text that is none', async () => {
    for (const id of [UNKNOWN_ID, 'x'])
      for (const answer of [
        await operator.get(`${PILOTOS}/${id}`),
        await operator.patch(`${PILOTOS}/${id}`, { activo: true }),
        await link(id),
      ])
        expectProblem(answer, 'no_encontrado');
  });

  it('are shown to keys that read, and changed by none of those', async () => {
    const reader = await test.operator('Lectora', { scopes: ['operaciones:leer'] });
    const { id } = await create();
    expect((await reader.get(`${PILOTOS}/${id}`)).status).toBe(200);
    expect((await reader.get(PILOTOS)).status).toBe(200);
    expectProblem(await reader.post(PILOTOS, { nombre: 'Ana' }), 'sin_permiso');
    expectProblem(await reader.patch(`${PILOTOS}/${id}`, { activo: false }), 'sin_permiso');
    expectProblem(await reader.post(`${PILOTOS}/${id}/enlace`), 'sin_permiso');
  });
});
