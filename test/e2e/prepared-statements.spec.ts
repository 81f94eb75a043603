import { Database } from '../../src/platform/database/database.js';
import { useTestApp } from '../support/use.js';

/** Values of each filter; `undefined` leaves it out. */
const OF_GUIAS: Record<string, (string | undefined)[]> = {
  estado: [undefined, 'aceptado', 'aceptado,en_ruta'],
  advertencia: [undefined, 'cualquiera'],
  telefono: [undefined, '+50255551234'],
  direccion_confirmada: [undefined, 'true'],
  desde: [undefined, '2026-01-01'],
  actualizada_desde: [undefined, '2026-01-01'],
};
const OF_COBROS = {
  estado: [undefined, 'por_cobrar', 'cobrado', 'liquidado', 'sin_cobro'],
  desde: [undefined, '2026-01-01'],
};

function queriesOf(filters: Record<string, (string | undefined)[]>): string[] {
  return Object.entries(filters)
    .reduce<Record<string, string>[]>(
      (queries, [name, values]) =>
        queries.flatMap((query) =>
          values.map((value) => (value === undefined ? query : { ...query, [name]: value })),
        ),
      [{}],
    )
    .map((query) => `?${new URLSearchParams(query)}`);
}

/** PostgreSQL keeps a prepared statement as long as its connection lives, and connections live as long as the service. */
describe('the statements that a connection keeps prepared', () => {
  // Of its own: the statements of all connections.
  const test = useTestApp();

  /** On any connection of the pool. */
  async function prepared(): Promise<string[]> {
    const { pool } = test.app.get(Database);
    const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
    const found = await Promise.all(
      clients.map(async (client) => {
        const { rows } = await client.query<{ name: string }>('select name from pg_prepared_statements');
        client.release();
        return rows.map(({ name }) => name);
      }),
    );
    return [...new Set(found.flat())].sort();
  }

  it('are few, however many combinations of filters its lists are asked for', async () => {
    const merchant = await test.merchant();
    const operator = await test.operator();
    const lists = [
      ...queriesOf(OF_GUIAS).map((query) => () => merchant.get(`/api/v1/guias${query}`)),
      ...queriesOf({
        estado: OF_GUIAS.estado!,
        actualizada_desde: OF_GUIAS.actualizada_desde!,
        comercio: [undefined, merchant.id],
        municipio: [undefined, 'Mixco'],
        piloto: [undefined, 'ninguno', merchant.id],
      }).map((query) => () => operator.get(`/api/v1/operaciones/guias${query}`)),
      ...queriesOf(OF_COBROS).map((query) => () => merchant.get(`/api/v1/cobros${query}`)),
    ];
    for (const list of lists) expect((await list()).status).toBe(200);
    expect((await prepared()).filter((name) => /^(guia-list|operador|cobros-list)/.test(name))).toEqual([
      ...['cobros-list', 'cobros-list-cobrado', 'cobros-list-por_cobrar', 'cobros-list-tiempo'],
      ...['guia-list', 'guia-list-cambio', 'guia-list-conf', 'guia-list-estado1', 'guia-list-telefono'],
      ...['operador', 'operador-de', 'operador-de-estado1', 'operador-todos-cambio'],
      'operador-todos-estado1',
    ]);
  });
});
