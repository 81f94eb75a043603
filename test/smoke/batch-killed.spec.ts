import { withClient } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { APP_SECRET } from '../support/guia-body.js';
import { insertMerchant } from '../support/merchant-rows.js';
import { useServices, type ServiceProcess } from '../support/service-process.js';
import { useDatabase } from '../support/use.js';

const ROWS = 1_000;
/** The row that another transaction holds: the rows of the steps before it are written. */
const HELD = 500;
const REFS = Array.from({ length: ROWS }, (_, n) => `pedido-${n}`);
const FILE = [
  'external_ref,telefono,departamento,municipio,recogida.lat,recogida.lng',
  ...REFS.map((ref) => `${ref},5555 1234,Guatemala,Mixco,14.6349,-90.5069`),
].join('\n');

const HOLD = `insert into guias (comercio_id, id, guia, external_ref, estado, telefono, departamento, municipio,
    direccion_confirmada, recogida_lat, recogida_lng, creada_en, actualizada_en)
  select id, gen_random_uuid(), '100000000008', $1, 'aceptado', '+50255551234', 'Guatemala', 'Mixco', false, 14, -90, now(), now()
  from comercios`;

const STALLED = `select pid from pg_stat_activity
  where datname = current_database() and application_name = 'guias' and wait_event_type = 'Lock'`;

describe('a batch whose service is killed half-way', () => {
  const { start } = useServices();
  const database = useDatabase();
  let key: string;

  beforeAll(async () => {
    key = await insertMerchant(database);
  });

  const startApi = () => start({ DATABASE_URL: database.url, APP_SECRET, ROLE: 'api' });

  async function send({ url }: ServiceProcess): Promise<any> {
    const response = await fetch(`${url}/api/v1/guias/lote`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
      body: FILE,
    });
    return response.json();
  }

  /** The guides by their reference, with the number of their creation events. */
  const written = async () =>
    new Map(
      (
        await database.query<{ external_ref: string; id: string; creadas: number }>(
          `select g.external_ref, g.id, count(e.id)::int as creadas
           from guias g left join eventos e on e.guia_id = g.id and e.tipo = 'guia.creada' group by 1, 2`,
        )
      ).map((row) => [row.external_ref, row]),
    );

  it('is sent again: each guide exists once, and the results say which existed', async () => {
    const killed = await startApi();
    await withClient(database.ownerUrl, async (holder) => {
      await holder.query('begin');
      await holder.query(HOLD, [REFS[HELD]]);
      const answer = send(killed).then(
        () => 'answered',
        () => 'cut off',
      );
      await eventually(async () => expect(await database.query(STALLED)).not.toEqual([]));
      await killed.stop('SIGKILL');
      expect(await answer).toBe('cut off');
      await holder.query('rollback');
    });
    // What the server was still doing for the killed service ends by itself, either way.
    await eventually(async () =>
      expect(
        await database.query(
          `select from pg_stat_activity where datname = current_database() and application_name = 'guias'`,
        ),
      ).toEqual([]),
    );
    const before = await written();
    expect(before.size).toBeGreaterThan(0);
    expect(before.size).toBeLessThan(ROWS);

    const service = await startApi();
    const again = await send(service);
    expect(again.resultados.map(({ external_ref }: any) => external_ref)).toEqual(REFS);
    expect([again.creadas, again.duplicadas, again.rechazadas]).toEqual([ROWS - before.size, before.size, 0]);
    for (const { external_ref, id, status, duplicada } of again.resultados) {
      const existing = before.get(external_ref);
      expect([external_ref, status, duplicada]).toEqual([
        external_ref,
        existing ? 200 : 201,
        existing !== undefined,
      ]);
      if (existing) expect(id).toBe(existing.id);
    }
    const after = await written();
    const ids = (all: typeof after) => REFS.map((ref) => all.get(ref)?.id);
    expect(ids(after)).toEqual(again.resultados.map(({ id }: any) => id));
    expect(await database.query('select from guias')).toHaveLength(ROWS);
    expect(new Set([...after.values()].map(({ creadas }) => creadas))).toEqual(new Set([1]));

    const third = await send(service);
    expect([third.creadas, third.duplicadas, third.rechazadas]).toEqual([0, ROWS, 0]);
    expect(third.resultados.map(({ id }: any) => id)).toEqual(ids(after));
  });
});
