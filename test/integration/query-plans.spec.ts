import pg, { type PoolClient, type QueryConfig } from 'pg';
import { listCobros, type CobroFilter } from '../../src/cobros/cobro-list.queries.js';
import type { Position } from '../../src/platform/pagination/cursor.js';
import { guiaOfTracking } from '../../src/confirmations/confirmations.queries.js';
import { Database } from '../../src/platform/database/database.js';
import { firstIdAt, newRowId } from '../../src/platform/database/row-id.js';
import { claimEventos } from '../../src/platform/events/relay.queries.js';
import { RelayService } from '../../src/platform/events/relay.service.js';
import { CrearGuiaDto, toNewGuia } from '../../src/guias/dto/crear-guia.dto.js';
import { ownerCauses } from '../../src/guias/today/owner-causes.queries.js';
import { listGuias, type ListFilter } from '../../src/guias/list/guia-list.queries.js';
import { insertGuias, type GuiaInsert } from '../../src/guias/create/guia-inserts.queries.js';
import type { MensajeRow } from '../../src/notifications/messages/messages.queries.js';
import { claimMensajes, settleMensajes } from '../../src/notifications/sending/tries.queries.js';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { SweepsService } from '../../src/platform/queues/sweeps.service.js';
import { readInput } from '../../src/platform/validation/read-input.js';
import { dueDeliveries } from '../../src/webhooks/deliveries/deliveries.queries.js';
import { guiaBody } from '../support/test-app.js';
import { opened, useTestApp } from '../support/use.js';

/** Performance in numbers of statements and rows, which do not depend on the machine. */
describe('the hot queries', () => {
  const test = useTestApp();
  const merchant = opened(() => test.merchant());

  beforeAll(async () => {
    await merchant.post('/api/v1/guias', guiaBody({ external_ref: 'warm' }));
    await test.app.get(RelayService).beforeApplicationShutdown();
    await test.app.get(QueuesService).stop();
    await test.app.get(SweepsService).beforeApplicationShutdown();
  });

  /** The statements that a request sends. */
  async function statementsOf(request: () => Promise<unknown>): Promise<QueryConfig[]> {
    const database = test.app.get(Database);
    // Its key is known again for a few seconds.
    await merchant.get('/api/v1/guias/100000000001');
    const [query, rows] = [jest.spyOn(database, 'query'), jest.spyOn(database, 'rows')];
    try {
      await request();
      return [...query.mock.calls, ...rows.mock.calls].map(([config]) => config);
    } finally {
      query.mockRestore();
      rows.mockRestore();
    }
  }

  it('the outbox is read in its order, however many wait, also where it was empty when last vacuumed', async () => {
    await test.database.query('delete from eventos_pendientes');
    await test.database.query('vacuum analyze eventos_pendientes');
    await test.database.query(
      `with nuevos as (
         insert into eventos (id, comercio_id, guia_id, tipo, actor, datos, creado_en)
         select gen_random_uuid(), $1, gen_random_uuid(), 'guia.creada', 'sistema', '{}', now() from generate_series(1, 5000)
         returning id, comercio_id, guia_id
       )
       insert into eventos_pendientes (id, comercio_id, guia_id) select * from nuevos`,
      [merchant.id],
    );
    await test.database.query('analyze eventos');
    const statements = await statementsOf(() => test.request('/metrics'));
    const { text } = statements.find((statement) => statement.text.includes(' as age '))!;
    for (const [statement, rows] of [
      [{ text }, 1],
      [claimEventos(20), 20],
    ] as const) {
      const [row] = await test.database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, format json) ${statement.text}`,
        statement.values,
      );
      const nodes = flatten(row!['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] !== undefined);
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      for (const node of nodes) expect(rowsRead(node) * node['Actual Loops']).toBeLessThanOrEqual(rows);
    }
  });

  describe('on 60,000 guides, of which the merchant holds a fifth', () => {
    /** Creation of the first guide; the others follow one millisecond apart. */
    const START = 1_795_219_200_000;
    const GUIAS = 60_000;
    const ROWS = 51;
    const LIQUIDACION = firstIdAt(START);
    const idAt = (n: number) => firstIdAt(START + n);

    let client: PoolClient;

    beforeAll(async () => {
      // Last changes in another order; one guide in 100 is `recogido`, one in ten of the merchant's is confirmed.
      await test.database.query(
        `insert into guias (comercio_id, id, guia, external_ref, estado, telefono, departamento, municipio,
           direccion_confirmada, destino_lat, destino_lng, recogida_lat, recogida_lng, creada_en, actualizada_en,
           advertencias, cod_amount)
         select case when n % 5 = 0 then $1::uuid else md5(n % 100 || 'm')::uuid end,
           (lpad(to_hex($2::bigint + n), 12, '0') || '7000a000' || lpad(to_hex(n), 12, '0'))::uuid,
           200000000000 + n, 'ref-' || n,
           case when n % 100 = 0 then 'recogido' else 'entregado' end,
           '+502555512' || lpad((n / 5 % 25)::text, 2, '0'), 'Guatemala', 'Mixco', n % 50 = 5, 14.6, -90.5, 14.6, -90.5,
           timestamptz 'epoch' + ($2::bigint + n) * interval '1 millisecond',
           timestamptz 'epoch' + ($2::bigint + n::bigint * 7919 % $3) * interval '1 millisecond',
           case when n % 50 = 0 then '{cod_distinto}'::text[] else '{}' end, case when n % 3 = 0 then 10 else 0 end
         from generate_series(1, $3::int) n`,
        [merchant.id, START, GUIAS],
      );
      // Amounts in another order than their guides; of the merchant's 2 % are not settled yet.
      await test.database.query(
        `insert into liquidaciones (comercio_id, id, moneda, guias, cobrado, desde, hasta, creada_en, operador_id)
         values ($1, $2, 'GTQ', 1, 10, now(), now(), now(), $2)`,
        [merchant.id, LIQUIDACION],
      );
      await test.database.query(
        `insert into cobros (comercio_id, guia_id, cod_amount, cod_cobrado, cobrado_en, liquidacion_id, estado, pago)
         select comercio_id, id, cod_amount, case when is_direct then 0 else 10 end, actualizada_en,
           case when is_settled and not is_direct then $2::uuid end,
           case when is_direct then 'sin_cobro' when is_settled then 'liquidado' else 'cobrado' end,
           case when is_direct then 'directo' else 'efectivo' end
         from (select *, comercio_id = $1 and guia::bigint % 50 <> 0 as is_settled, guia::bigint % 5 = 1 as is_direct from guias) g
         where estado = 'entregado' and cod_amount > 0`,
        [merchant.id, LIQUIDACION],
      );
      // So many endpoints that a sequential scan of them would show in the plan.
      await test.database.query(`insert into comercios (id, nombre, pais)
        select md5(n || 'm')::uuid, 'Comercio ' || n, 'GT' from generate_series(1, 5000) n`);
      await test.database
        .query(`insert into webhooks (id, comercio_id, url, eventos, creado_en, actualizado_en)
        select gen_random_uuid(), md5(n || 'm')::uuid, 'https://example.com/' || n, '{guia.creada}', now(), now()
        from generate_series(1, 5000) n`);
      await test.database.query('analyze guias, cobros, webhooks');
      client = await test.app.get(Database).pool.connect();
    });
    afterAll(() => client.release(true));

    /** The executed plan of a prepared statement. */
    async function planOf({ text, values }: QueryConfig, mode: 'generic' | 'custom'): Promise<Plan[]> {
      const literals = values!
        .map((value) =>
          pg.escapeLiteral(
            Array.isArray(value) ? `{${value.map((one) => one ?? 'null').join()}}` : String(value),
          ),
        )
        .join(', ');
      await client.query(`set plan_cache_mode to force_${mode}_plan`);
      await client.query(`prepare listed as ${text}`);
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, format json) execute listed (${literals})`,
      );
      await client.query('deallocate listed');
      return flatten(rows[0]!['QUERY PLAN'][0].Plan);
    }

    const positions = [
      ['first', undefined],
      ['deep', { id: idAt(GUIAS / 2), ms: START + GUIAS / 2 }],
    ] as const;
    const modes = ['generic', 'custom'] as const;
    const variants = modes.flatMap((mode) =>
      positions.map(([position, after]): Variant => ({ mode, position, after })),
    );

    const singles: [filter: ListFilter, index: string][] = [
      [{}, 'guias_pkey'],
      [{ from: idAt(10_000), before: idAt(50_000) }, 'guias_pkey'],
      [{ estados: ['recogido'] }, 'guias_estado_idx'],
      [{ estados: ['entregado'] }, 'guias_estado_idx'],
      [{ advertencia: 'cualquiera' }, 'guias_advertencias_idx'],
      [{ telefono: '+50255551207' }, 'guias_telefono_idx'],
      [{ direccion_confirmada: true }, 'guias_direccion_confirmada_idx'],
      [{ direccion_confirmada: false }, 'guias_direccion_confirmada_idx'],
      [{ actualizada_desde: 0 }, 'guias_actualizada_idx'],
      [{ actualizada_desde: START + 20_000 }, 'guias_actualizada_idx'],
      [{ external_ref: 'ref-500' }, 'guias_external_ref_key'],
      [{ guia: '200000000500' }, 'guias_guia_key'],
    ];
    const cases = singles.flatMap(([filter, index]) =>
      variants.map((variant) => ({ filter, index, ...variant })),
    );
    it.each(cases)(
      '$filter, $position page, $mode plan: reads $index in its order, and no row more than a page',
      async ({ filter, index, mode, after }) => {
        const plan = await planOf(listGuias(merchant.id, filter, { after, rows: ROWS }), mode);
        const [scan, ...others] = plan.filter((node) => !['Limit', 'Result'].includes(node['Node Type']));
        expect(others).toEqual([]);
        expect([scan?.['Node Type'], scan?.['Index Name']]).toEqual(['Index Scan', index]);
        expect(rowsRead(scan!)).toBeGreaterThan(0);
        expect(rowsRead(scan!)).toBeLessThanOrEqual(ROWS);
      },
    );

    const BY_GUIA = [
      ...['cobros_pkey', 'guias_pkey', 'guias_por_cobrar_idx', 'guias_sin_cobro_idx', 'cobros_deshechos_idx'],
    ];
    const ofCobros: [filter: CobroFilter, indexes: string[]][] = [
      [{}, BY_GUIA],
      [{ estado: 'por_cobrar' }, ['cobros_por_cobrar_idx', 'guias_por_cobrar_idx', 'cobros_deshechos_idx']],
      [{ estado: 'cobrado' }, ['cobros_cobrado_idx', 'guias_pkey']],
      [{ estado: 'liquidado' }, ['cobros_liquidado_idx', 'guias_pkey']],
      [
        { estado: 'sin_cobro' },
        ['cobros_sin_cobro_idx', 'guias_pkey', 'guias_sin_cobro_idx', 'cobros_deshechos_idx'],
      ],
      [{ from: START, until: START + GUIAS }, ['cobros_cobrado_en_idx', 'guias_pkey']],
      [{ from: START + 100, estado: 'cobrado' }, ['cobros_cobrado_en_idx', 'guias_pkey']],
      [{ liquidacion: LIQUIDACION }, ['cobros_liquidacion_idx', 'guias_pkey']],
    ];
    const casesOfCobros = ofCobros.flatMap(([filter, indexes]) =>
      variants.map((variant) => ({ filter, indexes, ...variant })),
    );
    it.each(casesOfCobros)(
      'amounts $filter, $position page, $mode plan: reads by $indexes, and no row more than a page from each',
      async ({ filter, indexes, mode, after }) => {
        const plan = await planOf(
          listCobros({ comercioId: merchant.id }, filter, { after, rows: ROWS })!,
          mode,
        );
        expect(plan.map((node) => node['Node Type'])).not.toContain('Seq Scan');
        const scans = plan.filter((node) => node['Index Name'] !== undefined);
        // A guide that no amount of the page names is not looked up at all.
        const read = scans.filter((node) => node['Actual Loops'] > 0);
        expect(indexes).toEqual(expect.arrayContaining(read.map((node) => node['Index Name'])));
        expect(scans.map((node) => node['Index Name'])).toEqual(expect.arrayContaining(indexes.slice(0, 1)));
        for (const scan of read) expect(rowsRead(scan) * scan['Actual Loops']).toBeLessThanOrEqual(ROWS + 1);
      },
    );

    it.each(modes)(
      "a merchant's causes, %s plan: reads its guides that warn and those that wait, and no other",
      async (mode) => {
        const sent: QueryConfig[] = [];
        const database = test.app.get(Database);
        const query = jest.spyOn(database, 'query').mockImplementation((config) => {
          sent.push(config);
          return Promise.resolve({ rows: [] } as never);
        });
        await ownerCauses(database, merchant.id).finally(() => query.mockRestore());
        const plan = await planOf(sent[0]!, mode);
        const scans = plan.filter((node) => node['Relation Name'] === 'guias');
        expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
        const indexes = scans.map((node) => node['Index Name']);
        expect(indexes).toContain('guias_advertencias_idx');
        const [warning, waiting] = [GUIAS / 50, GUIAS / 100];
        for (const scan of scans)
          expect(rowsRead(scan) * scan['Actual Loops']).toBeLessThanOrEqual(
            scan['Index Name'] === 'guias_advertencias_idx' ? warning : waiting,
          );
      },
    );

    it.each(variants)(
      'several states, $position page, $mode plan: merges their lists, and reads no row twice',
      async ({ mode, after }) => {
        const estados: ListFilter['estados'] = ['recogido', 'entregado', 'cancelado'];
        const plan = await planOf(listGuias(merchant.id, { estados }, { after, rows: ROWS }), mode);
        const scans = plan.filter((node) => node['Relation Name']);
        expect(scans.map((node) => node['Index Name'])).toEqual(estados.map(() => 'guias_estado_idx'));
        expect(plan.map((node) => node['Node Type'])).toContain('Merge Append');
        const read = scans.reduce((sum, scan) => sum + rowsRead(scan), 0);
        expect(read).toBeLessThanOrEqual(ROWS + estados.length);
      },
    );

    it.each(modes.flatMap((mode) => [1, 32].map((count) => ({ mode, count }))))(
      'inserting $count guides at once, $mode plan: reads every table by index',
      async ({ mode, count }) => {
        const guias = Array.from({ length: count }, (_, n) => newGuia(merchant.id, n, mode));
        const plan = await planOf(insertGuias(guias, Number.MAX_SAFE_INTEGER), mode);
        const scans = plan.filter((node) => node['Relation Name'] && node['Node Type'] !== 'ModifyTable');
        expect(scans.map((node) => [node['Node Type'], node['Index Name']]).sort()).toEqual([
          // Whether it is closed, and whether it keeps notices.
          ['Index Scan', 'comercios_pkey'],
          ['Index Scan', 'comercios_pkey'],
          ['Index Scan', 'guias_external_ref_key'],
          ['Index Scan', 'webhooks_comercio_idx'],
          ['Index Scan', 'webhooks_operador_idx'],
        ]);
      },
    );

    it.each(modes.flatMap((mode) => [false, true].map((isTest) => ({ mode, isTest }))))(
      'the guide of a tracking link, $mode plan, test guide: $isTest: is found by its id alone, in the indexes by id',
      async ({ mode, isTest }) => {
        await client.query('begin');
        const { rows } = await client.query<{ id: string }>(
          `update guias set de_prueba = $1, estado = 'recogido' where guia = '200000000500' returning id`,
          [isTest],
        );
        const plan = await planOf(guiaOfTracking(rows[0]!.id), mode);
        await client.query('rollback');
        const scans = plan.filter((node) => node['Relation Name'] === 'guias');
        expect(scans.map((node) => node['Index Name']).sort()).toEqual([
          'guias_id_idx',
          'guias_prueba_id_idx',
        ]);
        expect(scans.reduce((sum, scan) => sum + rowsRead(scan), 0)).toBe(1);
      },
    );

    it('due deliveries and their messages are found by indexes, also before the tables have statistics', async () => {
      const plan = await planOf(dueDeliveries(LIQUIDACION, true, 8), 'generic');
      const scans = plan.filter((node) => node['Relation Name']?.startsWith('webhook_'));
      expect(scans.length).toBeGreaterThan(2);
      for (const scan of scans)
        expect(scan['Index Name']).toMatch(/^webhook_mensajes_.*_pkey$|^webhook_entregas_.*lenta_proximo/);
    });

    it.each(modes)(
      'messages are claimed by their keys, and only a retry reads the events of its guide, %s plan',
      async (mode) => {
        await client.query('begin');
        await client.query(
          `insert into mensajes (id, tipo, estado, comercio_id, guia_id, telefono, creado_en, actualizado_en, proximo_en, primer_intento_en)
           select id, 'confirmacion_ubicacion', 'pendiente', comercio_id, id, telefono, now(), now(), now(),
             case when guia::bigint % 2 = 0 then now() end
           from guias order by id limit 2000`,
        );
        // Asked again: the scan of a retry's events looks up that of its own message.
        await client.query(
          `insert into eventos (id, comercio_id, guia_id, tipo, actor, secuencia, creado_en)
           select gen_random_uuid(), comercio_id, guia_id, 'guia.confirmacion_pedida', 'sistema', 2, now() from mensajes`,
        );
        await client.query('analyze mensajes, eventos');
        const claims = await client.query<MensajeRow>(
          'select id, estado, intentos, telefono, primer_intento_en, false as cambiada from mensajes order by id limit 20',
        );
        const retries = claims.rows.filter(({ primer_intento_en }) => primer_intento_en !== null).length;
        expect(retries).toBeGreaterThan(0);
        expect(retries).toBeLessThan(claims.rows.length);
        const plan = await planOf(
          claimMensajes(
            claims.rows.map((mensaje) => ({
              mensaje,
              proveedor: 'sandbox',
              enlaceBase: 'http://localhost',
              huella: null,
            })),
            10,
          ),
          mode,
        );
        await client.query('rollback');
        const scans = plan.filter((node) => node['Relation Name'] && node['Node Type'] !== 'ModifyTable');
        expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
        const events = scans.filter((node) => node['Relation Name'] === 'eventos');
        expect(events.map((node) => [node['Index Name'], node['Actual Loops']])).toEqual([
          ['eventos_pkey', retries],
          ['eventos_pkey', retries],
        ]);
      },
    );

    it('messages are settled by their keys, also before the tables have statistics', async () => {
      await client.query('begin');
      const { rows } = await client.query<{ id: string }>(
        `insert into mensajes (id, tipo, estado, comercio_id, guia_id, telefono, creado_en, actualizado_en, proximo_en)
         select id, 'confirmacion_ubicacion', 'enviando', comercio_id, id, telefono, now(), now(), now()
         from guias order by id limit 2000 returning id`,
      );
      await client.query(
        `insert into mensaje_intentos (mensaje_id, id, en, resultado, causa)
         select id, gen_random_uuid(), now(), 'detenido', 'Sin_saldo' from mensajes`,
      );
      const settled = rows.slice(0, 20).map(({ id }, n) => ({
        ...{ id, desde: 'enviando' as const, estado: 'pendiente' as const, causa: 'Sin_saldo' },
        resultado: n % 2 ? ('detenido' as const) : ('reintenta' as const),
        aparcado: n < 3 || undefined,
      }));
      const plan = await planOf(settleMensajes(settled), 'generic');
      const counted = await client.query('select from mensaje_intentos where veces = 2');
      await client.query('rollback');
      const scans = plan.filter((node) => node['Relation Name'] && node['Node Type'] !== 'ModifyTable');
      expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      // Only tries that found the sender paused read what was logged before.
      const logged = scans.filter(({ 'Relation Name': name }) => name!.startsWith('mensaje_intentos'));
      expect(Math.max(...logged.map((node) => node['Actual Loops']))).toBe(10);
      // Only parked ones read their guides.
      const guias = scans.filter(({ 'Relation Name': name }) => name === 'guias');
      expect(guias.map((node) => node['Actual Loops'])).toEqual([3]);
      expect(counted.rowCount).toBe(10);
    });

    const PARTS: ListFilter[] = [
      { estados: ['recogido', 'entregado'] },
      { advertencia: 'cod_distinto' },
      { telefono: '+50255551207' },
      { direccion_confirmada: true },
      { actualizada_desde: START + 100 },
      { from: idAt(10_000), before: idAt(50_000) },
    ];
    const combinations = Array.from({ length: 2 ** PARTS.length }, (_, bits): ListFilter =>
      Object.assign({}, ...PARTS.filter((_part, i) => bits & (1 << i))),
    );
    /** Whether a list by change has a filter that few guides may match. */
    const isInTwoSteps = ({ actualizada_desde, telefono, from: _, before: __, ...others }: ListFilter) =>
      actualizada_desde !== undefined && telefono === undefined && Object.keys(others).length > 0;
    it.each(combinations.filter((filter) => !isInTwoSteps(filter)))(
      '%j: never scans the whole table, and sorts only the guides of one phone',
      async (filter) => {
        for (const { mode, after } of [variants[0]!, variants[3]!]) {
          const plan = await planOf(listGuias(merchant.id, filter, { after, rows: ROWS }), mode);
          const types = plan.map((node) => node['Node Type']);
          expect(types).not.toContain('Seq Scan');
          if (types.includes('Sort')) expect(plan.at(-1)!['Index Name']).toBe('guias_telefono_idx');
        }
      },
    );

    /**
     * The reads of a list in two steps: in the order of changes; of the first guide beyond these; and of all that match, one
     * for each state.
     */
    const readingsOf = async (filter: ListFilter, { mode, after }: Variant) => {
      const plan = await planOf(listGuias(merchant.id, filter, { after, rows: ROWS }), mode);
      expect(plan.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      const [inOrder, rest, ...matching] = plan.filter((node) => node['Relation Name'] === 'guias');
      expect(matching).toHaveLength(filter.estados?.length ?? 1);
      expect(rest!['Node Type']).toBe('Index Only Scan');
      const indexes = plan.map((node) => node['Index Name']);
      return { inOrder: inOrder!, rest: rest!, matching, indexes };
    };

    it.each(combinations.filter(isInTwoSteps))(
      '%j: reads in the order of the last change, never the whole table',
      async (filter) => {
        for (const variant of [variants[0]!, variants[3]!]) {
          const { inOrder } = await readingsOf(filter, variant);
          expect(inOrder['Index Name']).toBe('guias_actualizada_idx');
        }
      },
    );

    const few: [filter: ListFilter, index: string, guias: number][] = [
      [{ estados: ['extraviado'] }, 'guias_estado_idx', 0],
      [{ estados: ['extraviado', 'cancelado'] }, 'guias_estado_idx', 0],
      [{ advertencia: 'entrega_lejos' }, 'guias_advertencias_idx', 1_200],
      [{ estados: ['extraviado'], before: idAt(501) }, 'guias_estado_idx', 0],
    ];
    it.each(few.flatMap(([filter, index, guias]) => modes.map((mode) => ({ filter, index, guias, mode }))))(
      '$filter by change, $mode plan: after 5,000 guides in order reads all of $index that match',
      async ({ filter, index, guias, mode }) => {
        const variant = { mode, position: 'first', after: undefined };
        const found = await readingsOf({ ...filter, actualizada_desde: START }, variant);
        expect([rowsRead(found.inOrder), rowsRead(found.rest)]).toEqual([5_000, 5_001]);
        expect(found.indexes).toContain(index);
        expect(found.matching.reduce((sum, scan) => sum + rowsRead(scan), 0)).toBe(guias);
      },
    );

    it.each(modes)('a list by change, %s plan: reads no more once its page is full', async (mode) => {
      const filter: ListFilter = { actualizada_desde: START, estados: ['entregado'] };
      const { inOrder, rest, matching } = await readingsOf(filter, {
        mode,
        position: 'first',
        after: undefined,
      });
      expect(rowsRead(inOrder)).toBeLessThan(2 * ROWS);
      expect([rest, ...matching].map((scan) => scan['Actual Loops'])).toEqual([0, 0]);
    });

    it.each(modes)('a list by change, %s plan: reads no more where all changes were read', async (mode) => {
      const filter: ListFilter = { actualizada_desde: START + GUIAS - 1_000, estados: ['cancelado'] };
      const { inOrder, matching } = await readingsOf(filter, { mode, position: 'first', after: undefined });
      expect(rowsRead(inOrder)).toBeLessThan(1_000);
      expect(matching.map((scan) => scan['Actual Loops'])).toEqual([0]);
    });
  });
});

/** Every other one repeats a reference. */
function newGuia(comercioId: string, n: number, kind: string): GuiaInsert {
  const body = guiaBody({ lat: 14.6, lng: -90.5 });
  const dto = readInput(CrearGuiaDto, body, { country: 'GT' });
  const now = Date.now();
  return {
    ...toNewGuia(dto),
    comercio_id: comercioId,
    de_prueba: false,
    id: newRowId(now),
    guia: `3${kind === 'generic' ? 1 : 2}${String(process.hrtime.bigint()).slice(-8)}${String(n).padStart(2, '0')}`,
    estado: 'aceptado',
    creada_en: new Date(now).toISOString(),
    external_ref: n % 2 ? `ref-${5 * n}` : `new-${kind}-${newRowId(now)}`,
  };
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Rows Removed by Filter'?: number;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

/** A plan mode and a page. */
interface Variant {
  mode: 'generic' | 'custom';
  position: string;
  after: Position | undefined;
}

function rowsRead(scan: Plan): number {
  return scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0);
}

function flatten(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flatten)];
}
