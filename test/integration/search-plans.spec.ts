import type { QueryConfig, QueryResultRow } from 'pg';
import {
  guiasByFinales,
  guiasByNumero,
  guiasByPalabras,
  guiasByReferencia,
  guiasByTelefono,
  guiasByUltimos,
} from '../../src/guias/search/search.queries.js';
import { HIGHEST_ID } from '../../src/platform/database/row-id.js';
import { indexNext, isFilling, type IndexedBatch } from '../../src/guias/search/search-index.queries.js';
import { readSearch } from '../../src/guias/search/search-terms.js';
import { settlementsBy } from '../../src/web/console/search/settlement-search.queries.js';
import { findRequests } from '../../src/auth/solicitudes/request-log.queries.js';
import { NOT_SENT } from '../../src/webhooks/deliveries/delivery-failure.js';
import { healthOfEndpoints } from '../../src/web/console/accounts/endpoint-health.queries.js';
import {
  groupsOf,
  guiasOf,
  WARNED_SEARCHED,
  type CausaGroup,
  type CausaGuia,
} from '../../src/support/causes/causes.queries.js';
import { dayCounts, failingEndpoints } from '../../src/web/console/today/today.queries.js';
import { createTestDatabase, withClient, type TestDatabase } from '../support/database.js';

const GUIAS = 40_000;

/** Deliveries of each of three endpoints; of 1,001 the pages of support say that there are more. */
const DELIVERIES = 20_000;
const COUNTED = 1_001;
/** Their ids are made from the milliseconds after this one. */
const FIRST_MS = 1_795_219_200_000;
/** The last delivery that the disabled endpoint was sent. */
const LAST_ATTEMPTED = 200;
const LIMIT = 50;
/** Guides that are searched for words before all others. */
const NEWEST = 5_000;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** Performance in numbers of rows, which do not depend on the machine. */
describe('what support looks for, among many guides', () => {
  let database: TestDatabase;
  let merchants: string[];
  const read = <Row extends object>({ text, values }: QueryConfig) => database.query<Row>(text, values);

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(`insert into comercios (id, nombre, pais)
      select md5(n || 'm')::uuid, 'Comercio ' || n, 'GT' from generate_series(1, 20) n`);
    await database.query(
      `insert into guias (comercio_id, id, guia, external_ref, estado, destinatario, telefono, departamento, municipio,
         direccion_confirmada, destino_lat, destino_lng, recogida_lat, recogida_lng, creada_en, actualizada_en, advertencias)
       select md5(n % 20 + 1 || 'm')::uuid,
         (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - 172800000 + n), 12, '0') || '7000a000' || lpad(to_hex(n), 12, '0'))::uuid,
         200000000000 + n, 'ref-' || n, case when n % 10 = 0 then 'aceptado' else 'entregado' end,
         chr(65 + n % 26) || 'na ' || n, '+5025' || lpad((n * 7919 % 10000000)::text, 7, '0'), 'Guatemala', 'Mixco', n % 10 > 0,
         14.6, -90.5, 14.6, -90.5, now(), now(), case when n % 1000 = 0 then '{recogida_sin_coordenadas}'::text[] else '{}' end
       from generate_series(1, $1::int) n`,
      [GUIAS],
    );
    await database.query(`insert into mensajes (id, tipo, estado, comercio_id, guia_id, telefono, creado_en, actualizado_en, proximo_en)
      select id, 'confirmacion_ubicacion', case when guia::bigint % 1000 = 0 then 'fallido' else 'leido' end, comercio_id, id, telefono,
        now(), now(), now() from guias`);
    await database.query(`insert into solicitudes (id, peticion, metodo, estado, ms)
      select id, 'p-' || guia, 'GET', 200, 1 from guias`);
    // One endpoint takes all but its first deliveries, one fails, one is so slow that few of its deliveries were tried, and one
    // is disabled: its last delivery before that failed, and later ones were not attempted.
    await database.query(
      `insert into webhooks (id, comercio_id, url, eventos, creado_en, actualizado_en, falla_desde, activo, desactivado_en,
         desactivado_por)
       select md5(n || 'w')::uuid, md5('3m')::uuid, 'https://example.com/' || n, '{guia.creada}', now(), now(), now(), n < 4,
         case when n = 4 then to_timestamp($1 / 1000.0) end, case when n = 4 then 'respuesta_410' end
       from generate_series(1, 4) n`,
      [FIRST_MS + LAST_ATTEMPTED + 1],
    );
    await database.query(
      `insert into webhook_entregas (webhook_id, mensaje_id, estado, causa, creado_en, actualizado_en, proximo_en)
       select md5(w || 'w')::uuid, (lpad(to_hex($2::bigint + n), 12, '0') || '7000a000000000000000')::uuid,
         (array[case when n <= 5 then 'fallida' else 'entregada' end, 'fallida', 'pendiente', 'fallida'])[w],
         (array[case when n <= 5 then 'primera' end, 'respondió 500', case when n <= 5 then 'sin respuesta' end,
           case when n = $3 then 'respondió 410' else $4 end])[w],
         now(), now(), now()
       from generate_series(1, 4) w, generate_series(1, $1) n`,
      [DELIVERIES, FIRST_MS, LAST_ATTEMPTED, NOT_SENT],
    );
    await database.query(`insert into webhook_intentos (webhook_id, mensaje_id, id, en, ms, estado_http)
      select webhook_id, mensaje_id, gen_random_uuid(), now(), 1, 200 from webhook_entregas where estado <> 'pendiente'`);
    // As a pass that was interrupted goes on.
    expect(await filling()).toBe(true);
    const batches = [await indexed(GUIAS - 1_000), await indexed(GUIAS), await indexed(GUIAS)];
    expect(batches.map(({ guias }) => guias)).toEqual([GUIAS - 1_000, 1_000, 0]);
    expect(await filling()).toBe(false);
    await database.query(
      'analyze busqueda, guias, comercios, mensajes, solicitudes, webhooks, webhook_entregas, webhook_intentos',
    );
    merchants = [(await database.query<{ id: string }>(`select md5('3m')::uuid as id`))[0]!.id];
  });
  afterAll(() => database.drop());

  const run = async <Row extends QueryResultRow>({ text, values }: QueryConfig) =>
    (await database.query<Row>(text, values))[0]!;
  /** Makes so many guides searchable. */
  const indexed = (limit: number) => run<IndexedBatch>(indexNext('repaso', HIGHEST_ID, limit));
  const filling = async () => (await run<{ filling: boolean }>(isFilling(HIGHEST_ID))).filling;

  it('makes each guide searchable once, and leaves a pass of another process alone', async () => {
    const texts = await database.query('select count(*)::int from busqueda');
    expect(texts).toEqual([{ count: GUIAS }]);
    await withClient(database.url, async (other) => {
      await other.query(`begin; select from busqueda_avance where paso = 'repaso' for update`);
      expect(await indexed(GUIAS)).toEqual({ isOurs: false, guias: 0 });
      await other.query('rollback');
    });
    expect(await indexed(GUIAS)).toEqual({ isOurs: true, guias: 0 });
  });

  /** The nodes of an executed plan that read a table. */
  async function scansOf({ text, values }: QueryConfig): Promise<Plan[]> {
    const { rows } = await withClient(database.url, async (client) => {
      await client.query('set random_page_cost to 1.1');
      return client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, format json) ${text}`,
        values,
      );
    });
    const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];
    return flatten(rows[0]!['QUERY PLAN'][0].Plan).filter(
      (node) => node['Relation Name'] || node['Index Name'],
    );
  }

  /** Rows are averages over the loops. */
  const readBy = (scan: Plan) =>
    Math.round((scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops']);

  const numbers = ['+50250079190', '+50450079190'];
  it.each<[what: string, query: () => QueryConfig, index: string, rows: number]>([
    ['a number', () => guiasByNumero(['200000000500']), 'guias_guia_key', 1],
    ['a phone', () => guiasByTelefono(numbers, null), 'guias_telefono_idx', 1],
    ['a phone of a merchant', () => guiasByTelefono(numbers, merchants), 'guias_telefono_idx', 1],
    ['the end of a phone', () => guiasByUltimos('9190', merchants), 'guias_telefono_idx', LIMIT],
    [
      'a reference, however it is written',
      () => guiasByReferencia(readSearch('#REF-77', [], false).referencias!, null),
      'guias_external_ref_key',
      1,
    ],
  ])('finds %s by an index, and reads no row more than it shows', async (_, query, index, rows) => {
    const scans = (await scansOf(query())).filter((node) => node['Relation Name'] === 'guias');
    expect(new Set(scans.map((node) => node['Index Name']))).toEqual(new Set([index, 'guias_pkey']));
    for (const scan of scans) expect(readBy(scan)).toBeLessThanOrEqual(rows);
  });

  it.each([null, 'a merchant'])('finds open guides by the last digits of their number, of %s', async (of) => {
    const scans = await scansOf(guiasByFinales('0500', of === null ? null : merchants));
    const read = scans.filter((node) => /^(guias|busqueda)$/.test(node['Relation Name'] ?? ''));
    expect(read.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    const [ofEnd, newest] = [GUIAS / 10_000, 500];
    for (const scan of read) expect(readBy(scan)).toBeLessThanOrEqual(newest + ofEnd);
    const [ends] = read.filter((node) => node['Index Name'] === 'busqueda_ultimos_idx');
    expect(readBy(ends!)).toBe(ofEnd);
  });

  it('finds settlements by their id and by the reference of their payment, by indexes', async () => {
    await database.query(
      `insert into liquidaciones (comercio_id, id, moneda, guias, cobrado, desde, hasta, creada_en, operador_id, pagada_en, referencia_pago,
         pago_operador_id)
       select $1, gen_random_uuid(), 'GTQ', 1, 1, now(), now(), now(), $1, now(), 'BI-' || n, $1 from generate_series(1, 5000) n`,
      merchants,
    );
    await database.query('analyze liquidaciones');
    const [row] = await database.query<{ id: string }>(
      `select id from liquidaciones where referencia_pago = 'BI-77'`,
    );
    const name = (referencia: string) =>
      database.query(`update liquidaciones set referencia_pago = $2 where id = $1`, [row!.id, referencia]);
    for (const [stored, typed] of [
      ['Depósito Ñ-9', 'Depósito Ñ-9'],
      ['DEPÓSITO Ñ-9', 'depósito ñ9'],
      ['depósito ñ-9', 'DEPÓSITO Ñ 9'],
    ] as const) {
      await name(stored);
      expect(await read(settlementsBy(typed, null))).toMatchObject([{ id: row!.id }]);
    }
    await name('BI-77');
    for (const typed of ['bi 77', row!.id]) {
      expect(await read(settlementsBy(typed, null))).toMatchObject([{ id: row!.id, neto: '1.00' }]);
      const scans = (await scansOf(settlementsBy(typed, null))).filter(
        (node) => node['Relation Name'] === 'liquidaciones',
      );
      for (const scan of scans) expect(readBy(scan)).toBeLessThanOrEqual(1);
    }
  });

  it.each<[what: string, palabras: string[], isOfMerchant: boolean, guias: number]>([
    ['a word that few guides have', ['ref-77', 'na'], false, NEWEST],
    ['a reference that is said without its separator', ['ref77'], false, NEWEST],
    ['a reference that is said with another one', ['re_f-77'], false, NEWEST],
    ['a word that all guides have', ['ref'], false, NEWEST],
    ['a word that no guide has', ['zoraida'], false, NEWEST],
    ['a word of a merchant', ['ref-77'], true, GUIAS / 20],
  ])(
    'finds %s among the newest guides, and others by an index',
    async (_, palabras, isOfMerchant, newest) => {
      const scans = await scansOf(guiasByPalabras(palabras, isOfMerchant ? merchants : null));
      const few = 200;
      const tables = scans.filter(
        (node) => /^(guias|busqueda)$/.test(node['Relation Name'] ?? '') && node['Actual Loops'] > 0,
      );
      expect(tables.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
      for (const scan of tables) expect(readBy(scan)).toBeLessThanOrEqual(newest + few);
      const trigrams = scans.filter((node) => node['Index Name'] === 'busqueda_texto_idx');
      const isByTrigrams = trigrams.some((node) => node['Actual Loops'] > 0);
      // Of few guides of a merchant the planner reads all.
      if (!isOfMerchant) expect(isByTrigrams).toBe(palabras[0] !== 'ref');
    },
  );

  it.each<[what: string, query: () => QueryConfig]>([
    ['first page', failingEndpoints],
    ['page of a merchant', () => healthOfEndpoints(merchants[0]!)],
  ])(
    'the %s reads of an endpoint no more deliveries than it counts, however many there are',
    async (_, query) => {
      const scans = (await scansOf(query())).filter((node) => /^webhook_(e|i)/.test(node['Relation Name']!));
      const read = scans.map(
        (scan) => (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops'],
      );
      const [searched, endpoints, states] = [100, 4, 2];
      expect(read.reduce((sum, rows) => sum + rows, 0)).toBeLessThanOrEqual(
        endpoints * states * (COUNTED + searched),
      );
    },
  );

  it('says why an endpoint fails, where few of the deliveries were tried and where it was disabled since', async () => {
    const { text, values } = healthOfEndpoints(merchants[0]!);
    const rows = await database.query<{ causa: string; pendientes: number; fallidas: number }>(text, values);
    expect(rows.map(({ causa, pendientes, fallidas }) => [causa, pendientes, fallidas])).toEqual(
      expect.arrayContaining([
        ['primera', 0, 5],
        ['respondió 500', 0, COUNTED],
        ['sin respuesta', COUNTED, 0],
        ['respondió 410', 0, COUNTED],
      ]),
    );
  });

  it('finds a request by its id, by an index', async () => {
    const scans = await scansOf(findRequests('p-200000000500', LIMIT));
    expect(scans.map((node) => node['Index Name'])).toContain('solicitudes_peticion_idx');
    expect(
      scans.filter((node) => node['Relation Name'] === 'solicitudes' && node['Node Type'] === 'Seq Scan'),
    ).toEqual([]);
  });

  it('shows all guides that wait for a confirmation, page by page', async () => {
    const groups = await read<CausaGroup>(groupsOf('sin-confirmar'));
    const all = groups.reduce((sum, { guias }) => sum + guias, 0);
    const seen: string[] = [];
    for (;;) {
      const page = { clave: 'sin-confirmar', comercioId: null, after: seen.at(-1) ?? null, limit: 100 };
      const rows = await read<CausaGuia>(guiasOf('sin-confirmar', page));
      seen.push(...rows.map(({ id }) => id));
      if (rows.length < 100) break;
    }
    expect(seen).toEqual([...new Set(seen)].sort());
    expect(seen).toHaveLength(all);
    expect(all).toBeGreaterThan(100);
  });

  it('shows the open guides of all merchants that warn', async () => {
    const page = {
      clave: 'advertencias-recogida_sin_coordenadas',
      comercioId: null,
      after: null,
      limit: 1_000,
    };
    const rows = await read<CausaGuia>(guiasOf('advertencias', page));
    const all = Array.from({ length: GUIAS / 1_000 }, (_, i) => String(200_000_001_000 + 1_000 * i));
    expect(rows.map(({ guia }) => guia)).toEqual(all);
  });

  it('looks notes up by their guides, however many notes there are', async () => {
    // One on each guide, written before its last change.
    await database.query(`insert into guia_notas (id, comercio_id, guia_id, usuario, texto, creado_en)
      select gen_random_uuid(), comercio_id, id, 'ana', 'Llamó.', actualizada_en - interval '1 hour' from guias`);
    await database.query('analyze guia_notas');
    const scans = (await scansOf(groupsOf('advertencias'))).filter(
      (node) => node['Relation Name'] === 'guia_notas',
    );
    expect(scans.map((node) => node['Index Name'])).toEqual(scans.map(() => 'guia_notas_guia_idx'));
    const read = scans.reduce(
      (sum, node) =>
        sum +
        Math.round((node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']),
      0,
    );
    expect(read).toBeLessThanOrEqual((2 * GUIAS) / 1_000);
    expect(read).toBeGreaterThan(0);
  });

  it('reads of a merchant no more guides that warn than it searches, however many have ended', async () => {
    // All two thousand guides of this merchant have ended.
    const warn = (advertencias: string) =>
      database.query('update guias set advertencias = $2 where comercio_id = $1', [
        merchants[0],
        advertencias,
      ]);
    await warn('{cod_distinto}');
    await database.query('analyze guias');
    try {
      const scans = (await scansOf(groupsOf('advertencias'))).filter(
        (node) => node['Relation Name'] === 'guias',
      );
      const read = scans
        .filter((node) => node['Index Name'] === 'guias_advertencias_idx')
        .reduce((sum, node) => sum + Math.round(node['Actual Rows'] * node['Actual Loops']), 0);
      const openOnes = GUIAS / 1_000;
      expect(read).toBeGreaterThanOrEqual(WARNED_SEARCHED);
      expect(read).toBeLessThanOrEqual(WARNED_SEARCHED + 2 * openOnes);
    } finally {
      await warn('{}');
      await database.query('analyze guias');
    }
  });

  it.each<[what: string, query: () => QueryConfig]>([
    ['messages that failed', () => groupsOf('mensajes')],
    ['guides without a confirmation', () => groupsOf('sin-confirmar')],
    ['failed attempts without an answer', () => groupsOf('intentos')],
    ['guides with warnings to act on', () => groupsOf('advertencias')],
    ['guides on their way, and delivered since', () => dayCounts(new Date(Date.now() + 60_000))],
  ])('finds %s without reading all guides or messages', async (_, query) => {
    const scans = await scansOf(query());
    // Few merchants; all messages are in the first partition.
    const small = /^(comercios|mensajes_(?!inicio).+)$/;
    const whole = scans.filter(
      (node) => node['Node Type'] === 'Seq Scan' && !small.test(node['Relation Name']!),
    );
    expect(whole).toEqual([]);
  });
});
