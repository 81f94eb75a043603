import type { QueryConfig } from 'pg';
import { firstIdAt } from '../../src/platform/database/row-id.js';
import { KEPT, RETENTION, type Retention } from '../../src/platform/retention/retention.js';
import { deleteExpired } from '../../src/platform/retention/retention.queries.js';
import { withClient } from '../support/database.js';
import { withRetention } from '../support/retention.js';
import { useDatabase } from '../support/use.js';

const DAY_MS = 86_400_000;
const OLD = 50;
const YOUNG = 5;
const LIMIT = 20;

const ENDPOINT = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';

/** Statements that insert rows that are `days` old, in every table that has an age; `$1` is the age, `$2` the ids. */
const INSERTS: Record<string, string> = {
  confirmaciones: `insert into confirmaciones (huella, comercio_id, guia_id, creada_en, expira_en)
    select sha256(id::text::bytea), id, id, now() - $1::interval, now() from unnest($2::uuid[]) id`,
  mensajes: `insert into mensajes (id, tipo, estado, telefono, creado_en, actualizado_en, proximo_en)
    select id, 'ayuda', $3, '+50255551234', now() - $1::interval, now(), now() from unnest($2::uuid[]) id`,
  cupos_telefono: `insert into cupos_telefono select sha256(id::text::bytea), '{}', now() - $1::interval
    from unnest($2::uuid[]) id`,
  entrantes: `insert into entrantes (id, clave, cuerpo, recibido_en, procesado_en)
    select id, id::text, '{}', now() - $1::interval, case when $3 = 'pendiente' then null else now() - $1::interval end
    from unnest($2::uuid[]) id`,
  textos: `insert into textos (comercio_id, guia_id, id, texto, recibido_en)
    select id, id, id, 'Hola', now() - $1::interval from unnest($2::uuid[]) id`,
  simulaciones: `insert into simulaciones (id, comercio_id, guia_id, guion, cada_segundos, pasos, estado, creada_en, proximo_en)
    select id, id, id, 'entrega', 0, '[]', case when $3 = 'pendiente' then 'en_curso' else 'terminada' end,
      now() - $1::interval, now() from unnest($2::uuid[]) id`,
  masivas: `insert into masivas (id, accion, causa, usuario, creado_en, proximo_en, terminado_en)
    select id, 'pedir', 'sin-confirmar', 'ana', now() - $1::interval, now(), case when $3 <> 'pendiente' then now() end
    from unnest($2::uuid[]) id`,
  correos: `insert into correos (id, para, clase, asunto, estado)
    select id, 'a@b.example', 'aviso', 'Hola', case when $3 = 'pendiente' then $3 else 'enviado' end
    from (select $1::interval) age, unnest($2::uuid[]) id`,
  correo_avisos: `with comercio as (
      insert into comercios (id, nombre, pais) values ('${ENDPOINT}', 'Una', 'GT') on conflict do nothing
    )
    insert into correo_avisos (id, comercio_id, codigo, escrito_en)
    select id, '${ENDPOINT}', 'extraviado', case when $3 <> 'pendiente' then now() end
    from (select $1::interval) age, unnest($2::uuid[]) id`,
  avisos: `insert into avisos (id, comercio_id, mensaje_id)
    select id, id, id from (select $1::interval) age, unnest($2::uuid[]) id`,
  panel_sesiones: `insert into panel_sesiones (huella, clave_id, vence_en, texto, texto_en)
    select sha256(id::text::bytea), id, now() - $1::interval, 'Hola',
      case when $3 <> 'pendiente' then now() - $1::interval end
    from unnest($2::uuid[]) id`,
  panel_enlaces: `insert into panel_enlaces (huella, correo, vence_en)
    select sha256(id::text::bytea), 'ana@tienda.example', now() - $1::interval from unnest($2::uuid[]) id`,
  panel_formularios: `insert into panel_formularios (comercio_id, clave, creado_en)
    select id, id, now() - $1::interval from unnest($2::uuid[]) id`,
  panel_archivos: `insert into panel_archivos (comercio_id, id, nombre, separador, tabla, columnas, creado_en)
    select id, id, 'a.csv', ',', '{}', '{}', now() - $1::interval from unnest($2::uuid[]) id`,
  solicitudes: `insert into solicitudes (id, peticion, metodo, estado, ms)
    select id, id::text, 'GET', 200, 1 from (select $1::interval) age, unnest($2::uuid[]) id`,
  piloto_rechazos: `insert into piloto_rechazos (piloto_id, ref, guia, codigo, creado_en)
    select id, id, id::text, 'tarde', now() - $1::interval from unnest($2::uuid[]) id`,
  mensaje_intentos: `insert into mensaje_intentos (mensaje_id, id, en, resultado)
    select id, id, now() - $1::interval, 'aceptado' from unnest($2::uuid[]) id`,
  webhook_entregas: `with comercio as (
      insert into comercios (id, nombre, pais) values ('${ENDPOINT}', 'Una', 'GT') on conflict do nothing
    ), endpoint as (
      insert into webhooks (id, comercio_id, url, eventos, creado_en, actualizado_en)
      values ('${ENDPOINT}', '${ENDPOINT}', 'https://example.com', '{guia.creada}', now(), now()) on conflict do nothing
    )
    insert into webhook_entregas (webhook_id, mensaje_id, estado, creado_en, actualizado_en, proximo_en)
    select '${ENDPOINT}', id, 'entregada', now() - $1::interval, now(), now() from unnest($2::uuid[]) id`,
  webhook_intentos: `insert into webhook_intentos (webhook_id, mensaje_id, id, en, ms, estado_http)
    select id, id, id, now() - $1::interval, 1, 200 from unnest($2::uuid[]) id`,
  webhook_mensajes: `insert into webhook_mensajes (id, comercio_id, evento, cuerpo, creado_en)
    select id, id, 'webhook.prueba', '{}', now() - $1::interval from unnest($2::uuid[]) id`,
};

describe('old rows', () => {
  const database = useDatabase();
  beforeEach(() => database.query(`truncate ${RETENTION.map(({ table }) => table).join()} cascade`));

  let inserted = 0;
  const insert = (table: string, days: number, count: number, estado = 'aceptado') => {
    const ids = Array.from({ length: count }, () =>
      firstIdAt(Date.now() - days * DAY_MS).replace(/.{12}$/, String(++inserted).padStart(12, '0')),
    );
    const text = INSERTS[table];
    if (text === undefined) throw new Error(`INSERTS above has no statement for ${table}`);
    const values = [`${days} days`, ids, estado].slice(0, text.includes('$3') ? 3 : 2);
    return database.query(text, values);
  };
  /** Of a table that is divided by month: where its rows are deleted one by one. */
  const inRows = (rule: Retention) => (rule.isDivided ? { ...rule, table: `${rule.table}_inicio` } : rule);
  const left = async ({ table, clears }: Retention) => {
    const what = clears === undefined ? '*' : clears;
    const [row] = await database.query<{ n: number }>(`select count(${what})::int as n from ${table}`);
    return row!.n;
  };

  it('of every table have a period in RETENTION, or a reason to stay in KEPT', async () => {
    const tables = await database.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    );
    const decided = new Set([...RETENTION.map(({ table }) => table), ...Object.keys(KEPT)]);
    expect([...decided].sort()).toEqual(tables.map(({ name }) => name).sort());
  });

  const titled = RETENTION.map(
    (rule) => [`${rule.table}${rule.clears ? `.${rule.clears}` : ''}`, rule] as const,
  );

  it.each(titled)('%s are deleted in batches, younger ones are kept', async (_, rule) => {
    await insert(rule.table, rule.keepDays - 0.5, YOUNG);
    await insert(rule.table, rule.keepDays + 0.5, OLD);
    const { text, values } = deleteExpired(inRows(rule), LIMIT);
    for (const rest of [OLD - LIMIT, OLD - 2 * LIMIT, 0, 0]) {
      await database.query(text, values);
      expect(await left(rule)).toBe(YOUNG + rest);
    }
  });

  it.each(titled.filter(([, { where }]) => where))('%s are kept while they are pending', async (_, rule) => {
    await insert(rule.table, rule.keepDays + 0.5, OLD, 'pendiente');
    const { text, values } = deleteExpired(inRows(rule), LIMIT);
    await database.query(text, values);
    expect(await left(rule)).toBe(OLD);
  });

  it.each(titled)('%s are found by index, and skipped while locked', async (_, rule) => {
    await insert(rule.table, rule.keepDays - 0.5, 5_000);
    await insert(rule.table, rule.keepDays + 0.5, OLD);
    await database.query(`analyze ${rule.table}`);
    const { text, values } = deleteExpired(inRows(rule), LIMIT);
    const plan = await planOf(database.url, { text, values });
    expect(plan).toMatch(/Index (Only )?Scan using/);
    expect(plan).not.toContain('Seq Scan');

    await withClient(database.url, async (other) => {
      await other.query('begin');
      await other.query(`select from ${rule.table} where ${rule.by} < $1 for update`, [values![0]]);
      await database.query(text, values);
      await other.query('rollback');
    });
    expect(await left(rule)).toBe(5_000 + OLD);
  });

  it('are deleted in one sweep of many batches, with one sweep per table', async () => {
    await withRetention(database, async (sweeps) => {
      const [rule] = RETENTION;
      await insert(rule!.table, rule!.keepDays + 0.5, 1_050);
      expect([...sweeps.keys()]).toHaveLength(RETENTION.length);
      await sweeps.get(`old ${rule!.table}`)!();
      expect(await left(rule!)).toBe(0);
    });
  });
});

function planOf(url: string, { text, values }: QueryConfig): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}
