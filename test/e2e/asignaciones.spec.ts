import { Lives } from '../support/lives.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import type { TestMerchant } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const OPERACIONES = '/api/v1/operaciones';
const UNKNOWN_ID = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';

interface Piloto {
  id: string;
  nombre: string;
}

describe('assigned guides', () => {
  const test = useSharedApp();
  let [marvin, rosa]: Piloto[] = [];

  const merchant = opened(() => test.merchant());
  const operator = opened(() => test.operator());
  const lives = new Lives(test, merchant);

  beforeAll(async () => {
    [marvin, rosa] = [await newPiloto('Marvin'), await newPiloto('Rosa')];
  });

  const newPiloto = async (nombre: string): Promise<Piloto> => {
    const { id } = (await operator.post(`${OPERACIONES}/pilotos`, { nombre })).body.piloto;
    return { id, nombre };
  };
  const assign = (piloto: Piloto | undefined, guias: string[], query = '') =>
    operator.post(`${OPERACIONES}/asignaciones${query}`, { piloto: piloto?.id ?? null, guias });
  const results = async (piloto: Piloto | undefined, guias: string[]) => {
    const { status, body } = await assign(piloto, guias);
    expect([status, body.ok]).toEqual([200, true]);
    return body.resultados;
  };
  const shown = async (id: string) => (await operator.get(`${OPERACIONES}/guias/${id}`)).body.guia.piloto;
  const assignments = async (
    id: string,
    by: Pick<TestMerchant, 'get'> = operator,
    at = `${OPERACIONES}/guias`,
  ) => (await by.get(`${at}/${id}/eventos`)).body.eventos.filter(({ tipo }: any) => tipo === 'guia.asignada');

  it('belong to the driver that they were last assigned to, or to nobody', async () => {
    const { id, guia } = await lives.create();
    expect(await shown(id)).toBeNull();
    expect(await results(marvin, [guia])).toEqual([{ ok: true, guia, id, piloto: marvin }]);
    expect(await shown(id)).toEqual(marvin);
    await results(rosa, [id]);
    expect(await shown(id)).toEqual(rosa);
    expect(await results(undefined, [id])).toEqual([{ ok: true, guia, id, piloto: null }]);
    expect(await shown(id)).toBeNull();
  });

  it('have each assignment in their history; for merchants without the name', async () => {
    const { id } = await lives.create();
    await results(marvin, [id]);
    await operator.move(id, { estado: 'en_camino_a_recoger' });
    await results(rosa, [id]);
    await results(undefined, [id]);
    const ofOperator = await assignments(id);
    expect(ofOperator.map(({ actor, piloto, secuencia }: any) => [actor, piloto, secuencia])).toEqual([
      ['operador', marvin, 1],
      ['operador', rosa, 2],
      ['operador', null, 2],
    ]);
    const ofMerchant = await assignments(id, merchant, '/api/v1/guias');
    expect(ofMerchant).toEqual(ofOperator.map(({ piloto: _, ...evento }: any) => evento));
    expect(JSON.stringify(ofMerchant)).not.toMatch(/Marvin|Rosa/);
  });

  it('have a history whose pages show each event once, also those of one version', async () => {
    const { id } = await lives.create();
    for (const piloto of [marvin, rosa, marvin]) await results(piloto, [id]);
    await operator.move(id, { estado: 'en_camino_a_recoger' });
    for (const piloto of [rosa, undefined]) await results(piloto, [id]);
    const path = `${OPERACIONES}/guias/${id}/eventos`;
    const all = (await operator.get(path)).body.eventos;
    expect(all.map(({ tipo }: any) => tipo.replace('guia.', ''))).toEqual([
      ...['creada', 'asignada', 'asignada', 'asignada', 'estado_cambiado', 'asignada', 'asignada'],
    ]);
    const walked: any[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await operator.get(`${path}?limit=2${cursor && `&cursor=${cursor}`}`);
      walked.push(...body.eventos);
      cursor = body.siguiente_cursor;
    }
    expect(walked).toEqual(all);
  });

  it('keep their actualizada_en, ETag and version, and tell no webhook', async () => {
    const { id } = await lives.create();
    const before = await lives.read({ id });
    await results(marvin, [id]);
    expect(await lives.read({ id })).toEqual(before);
    const [evento] = await test.database.query(
      `select exists (select from eventos_pendientes p where p.id = e.id) as pending
       from eventos e where guia_id = $1 and tipo = 'guia.asignada'`,
      [id],
    );
    expect(evento).toEqual({ pending: false });
  });

  it('have no event where they were the driver’s already', async () => {
    const { id } = await lives.create();
    for (let n = 0; n < 2; n++)
      expect(await results(marvin, [id, id])).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await assignments(id)).toHaveLength(1);
    expect(await results(undefined, [(await lives.create()).id])).toMatchObject([{ piloto: null }]);
  });

  it('are assigned each alone: ended, unknown and malformed ones refused', async () => {
    const open = await lives.create();
    const ended = await Promise.all(
      (['entregado', 'devuelto', 'cancelado', 'extraviado'] as const).map((estado) => lives.in(estado)),
    );
    const found = await results(marvin, [...ended.map(({ id }) => id), UNKNOWN_ID, 'x', open.guia]);
    expect(found.map(({ status, codigo }: any) => [status, codigo])).toEqual([
      ...ended.map(() => [409, 'transicion_invalida']),
      [404, 'no_encontrado'],
      [404, 'no_encontrado'],
      [undefined, undefined],
    ]);
    expect(await shown(open.id)).toEqual(marvin);
  });

  it('are refused as a whole for an unknown or inactive driver', async () => {
    const { id } = await lives.create();
    expectProblem(await assign({ id: UNKNOWN_ID, nombre: '' }, [id]), 'no_encontrado');
    expectProblem(await assign({ id: 'x', nombre: '' }, [id]), 'no_encontrado');
    const gone = await newPiloto('Ida');
    await operator.patch(`${OPERACIONES}/pilotos/${gone.id}`, { activo: false });
    expectProblem(await assign(gone, [id]), 'piloto_inactivo');
    expect(await shown(id)).toBeNull();
  });

  it('are refused as a whole in a body that is none', async () => {
    const send = (body: object) => operator.post(`${OPERACIONES}/asignaciones`, body);
    const guias = ['483920175567'];
    expectFaults(await send({ guias }), ['piloto: requerido']);
    expectFaults(await send({ piloto: 5, guias }), ['piloto: tipo']);
    expectFaults(await send({ piloto: null }), ['guias: requerido']);
    expectFaults(await send({ piloto: null, guias: [] }), ['guias: fuera_de_rango']);
    expectFaults(await send({ piloto: null, guias: [5] }), ['guias: tipo']);
    expectFaults(await send({ piloto: null, guias: Array(101).fill('x') }), ['guias: fuera_de_rango']);
  });

  it('have one driver at a time, however many assign them at once', async () => {
    const guias = await Promise.all(Array.from({ length: 5 }, () => lives.create()));
    const ids = guias.map(({ id }) => id);
    const all = await Promise.all(
      [marvin, rosa, undefined, marvin, rosa].map((piloto) => results(piloto, ids)),
    );
    for (const id of ids) {
      const [last] = (await assignments(id)).slice(-1);
      expect(await shown(id)).toEqual(last?.piloto ?? null);
    }
    expect(all.flat().every(({ ok }) => ok)).toBe(true);
  });

  it('are found by their driver, with every other filter, and without one', async () => {
    const ana = await newPiloto('Ana');
    const made = [
      await lives.create({ municipio: 'Mixco' }),
      await lives.in('en_ruta', { municipio: 'Cobán' }),
      await lives.create({ municipio: 'Cobán' }),
    ].map(({ id }) => id);
    const nobodys = (await lives.create({ municipio: 'Cobán' })).id;
    await results(ana, made);
    const found = async (query: string) => {
      const { status, body } = await operator.get(`${OPERACIONES}/guias?limit=100&${query}`);
      expect(status).toBe(200);
      return body.guias.map(({ id }: any) => id);
    };
    expect(await found(`piloto=${ana.id}`)).toEqual(made.toReversed());
    expect(await found(`piloto=${ana.id}&estado=en_ruta`)).toEqual([made[1]]);
    expect(await found(`piloto=${ana.id}&estado=aceptado,en_ruta&municipio=coban`)).toEqual([
      made[2],
      made[1],
    ]);
    expect(await found(`piloto=${ana.id}&comercio=${merchant.id}`)).toEqual(made.toReversed());
    expect(await found(`piloto=${ana.id}&comercio=${UNKNOWN_ID}`)).toEqual([]);
    expect(await found(`piloto=${ana.id}&actualizada_desde=2026-01-01`)).toHaveLength(3);
    expect(await found(`piloto=${UNKNOWN_ID}`)).toEqual([]);
    for (const query of ['', '&estado=aceptado', '&municipio=coban']) {
      const nobody = await found(`piloto=ninguno&comercio=${merchant.id}${query}`);
      expect(nobody).toContain(nobodys);
      for (const id of made) expect(nobody).not.toContain(id);
    }
    expectFaults(await operator.get(`${OPERACIONES}/guias?piloto=yo`), ['piloto: formato']);
  });

  it('of test keys are assigned with modo=prueba alone', async () => {
    const tester = await test.tester();
    const { id } = await new Lives(test, tester).create();
    expect((await results(marvin, [id]))[0]).toMatchObject({ status: 404 });
    expect((await assign(marvin, [id], '?modo=prueba')).body.resultados).toMatchObject([{ ok: true, id }]);
    const { body } = await operator.get(`${OPERACIONES}/guias?modo=prueba&piloto=${marvin!.id}`);
    expect(body.guias.map((one: any) => one.id)).toEqual([id]);
  });

  it('are assigned by no key that only reads, and by no merchant', async () => {
    const reader = await test.operator('Lectora', { scopes: ['operaciones:leer'] });
    for (const by of [reader, merchant])
      expectProblem(
        await by.post(`${OPERACIONES}/asignaciones`, { piloto: null, guias: [UNKNOWN_ID] }),
        'sin_permiso',
      );
  });
});
