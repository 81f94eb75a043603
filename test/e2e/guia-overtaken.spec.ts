import { Database } from '../../src/platform/database/database.js';
import { Money } from '../support/money.js';
import { expectProblem } from '../support/problem.js';
import { opened, useSharedApp } from '../support/use.js';

const OPERACIONES = '/api/v1/operaciones';

/** A change reads its guide without a lock, and writes it only as it was read: here somebody else comes in between. */
describe('a change of a guide that is overtaken', () => {
  const test = useSharedApp();
  const money = opened(() => Money.start(test));

  afterEach(() => jest.restoreAllMocks());

  /** @param happens runs after each of the next `times` reads, and names the guide otherwise: it has a turn of its own. */
  function overtake(happens: () => Promise<unknown>, times = 1): string[] {
    const database = test.app.get(Database);
    const query = database.query.bind(database);
    const names: string[] = [];
    let isInside = false;
    jest.spyOn(database, 'query').mockImplementation(async (config) => {
      const result = await query(config);
      if (isInside || !/^guia-(read|update)/.test(config.name ?? '')) return result;
      names.push(config.name!.split('-', 2).join('-'));
      const reads = names.filter((name) => name === 'guia-read').length;
      if (names.at(-1) === 'guia-read' && reads <= times) {
        isInside = true;
        await happens();
        isInside = false;
      }
      return result;
    });
    return names;
  }

  const rowsOf = async ({ id }: { id: string }) => {
    const [row] = await test.database.query<Record<string, number>>(
      `select (select count(*)::int from cobros where guia_id = $1) as cobros,
        (select count(*)::int from caja_movimientos where guia_id = $1) as caja`,
      [id],
    );
    return row;
  };
  const tiposOf = async (guia: { id: string }) => (await money.lives.events(guia)).map(({ tipo }) => tipo);
  const deliver = (id: string) => money.operator.move(id, { estado: 'entregado', cod_cobrado: 10 });

  it('by an assignment, which raises no version, gives the cash of a delivery to the new driver, once', async () => {
    const guia = await money.lives.in('en_ruta', { cod_amount: 10 });
    const piloto = (await money.operator.post(`${OPERACIONES}/pilotos`, { nombre: 'Marvin' })).body.piloto
      .id as string;
    const names = overtake(() =>
      money.operator.post(`${OPERACIONES}/asignaciones`, { piloto, guias: [guia.guia] }),
    );
    expect((await deliver(guia.id)).status).toBe(201);
    expect(names).toEqual(['guia-read', 'guia-update', 'guia-read', 'guia-update']);
    const { caja } = (await money.operator.get(`${OPERACIONES}/pilotos/${piloto}/caja`)).body;
    expect(caja).toMatchObject([{ monto: 10, guias: [{ id: guia.id }] }]);
    expect(await rowsOf(guia)).toEqual({ cobros: 1, caja: 1 });
    expect(await tiposOf(guia)).toEqual(['guia.creada', 'guia.asignada', 'guia.estado_cambiado']);
  });

  it('by a change that forbids it is refused, and nothing of it is written', async () => {
    const guia = await money.lives.create();
    overtake(() => money.merchant.post(`/api/v1/guias/${guia.guia}/cancelar`, {}));
    expectProblem(
      await money.operator.move(guia.id, { estado: 'en_camino_a_recoger' }),
      'transicion_invalida',
    );
    expect(await tiposOf(guia)).toEqual(['guia.creada', 'guia.cancelada']);
  });

  it('by its own repeat is answered as a repeat', async () => {
    const guia = await money.lives.create();
    const move = (name: string) => money.operator.move(name, { estado: 'en_camino_a_recoger', ref: 'a' });
    let first: { body: { evento: string } } | undefined;
    overtake(async () => (first = await move(guia.guia)));
    const { status, body } = await move(guia.id);
    expect({ status, evento: body.evento }).toEqual({ status: 200, evento: first!.body.evento });
    expect(await tiposOf(guia)).toEqual(['guia.creada', 'guia.estado_cambiado']);
  });

  it('by an edit keeps both, and the answer to an edit is the guide after it', async () => {
    const guia = await money.lives.create();
    const edit = (name: string, body: object) => money.merchant.patch(`/api/v1/guias/${name}`, body);
    overtake(() => edit(guia.guia, { notas: 'Timbre roto' }));
    const { body, headers } = await edit(guia.id, { nombre: 'Rosa Pérez', cod_amount: 20 });
    expect(body.guia).toEqual((await money.lives.read(guia)).guia);
    expect(body.guia).toMatchObject({ notas: 'Timbre roto', destinatario: 'Rosa Pérez', cod_amount: 20 });
    expect(headers.get('etag')).toBe('"3"');
  });

  it('again and again is made under the lock in the end', async () => {
    const guia = await money.lives.in('en_ruta', { cod_amount: 10 });
    let n = 0;
    const names = overtake(() => money.merchant.patch(`/api/v1/guias/${guia.guia}`, { notas: `${++n}` }), 5);
    expect((await deliver(guia.id)).status).toBe(201);
    // In the transaction, `query` sees nothing.
    expect(names).toEqual(Array.from({ length: 5 }, () => ['guia-read', 'guia-update']).flat());
    expect(await rowsOf(guia)).toEqual({ cobros: 1, caja: 0 });
    expect((await money.lives.read(guia)).guia).toMatchObject({ estado: 'entregado', notas: '5' });
  });

  it('by a settlement is in the next one', async () => {
    const [first, guia] = [await money.deliver(5), await money.lives.in('en_ruta', { cod_amount: 10 })];
    let settled: { status: number } | undefined;
    overtake(async () => (settled = await money.settle()));
    expect((await deliver(guia.id)).status).toBe(201);
    jest.restoreAllMocks();
    expect(settled!.status).toBe(201);
    expect([(await money.of(first)).estado, (await money.of(guia)).estado]).toEqual(['liquidado', 'cobrado']);
    expect((await money.settle()).body.liquidacion).toMatchObject({ guias: 1, cobrado: 10 });
  });

  it('by a settlement of what its undo left is an adjustment of it', async () => {
    const guia = await money.deliver(10);
    await money.settle();
    const undo = { motivo: 'Otra puerta', ajustar: true };
    expect((await money.operator.post(`${OPERACIONES}/guias/${guia.id}/deshacer`, undo)).status).toBe(201);
    overtake(() => money.settle());
    expect((await deliver(guia.id)).status).toBe(201);
    const { rows } = await test.app.get(Database).query<{ monto: string }>({
      text: 'select monto from ajustes where guia_id = $1 order by id',
      values: [guia.id],
    });
    expect(rows.map(({ monto }) => Number(monto))).toEqual([-10, 10]);
    expect(await rowsOf(guia)).toMatchObject({ cobros: 1 });
  });
});
