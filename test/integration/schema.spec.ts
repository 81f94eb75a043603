import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cobros1795380000000 } from '../../migrations/1795380000000-cobros.js';
import { EventosPendientes1796240000000 } from '../../migrations/1796240000000-eventos-pendientes.js';
import { migrations } from '../../migrations/index.js';
import { PuntosDeRecogida1796460800000 } from '../../migrations/1796460800000-puntos-de-recogida.js';
import {
  DataSource,
  getMetadataArgsStorage,
  type DataSourceOptions,
  type EntityTarget,
  type ObjectLiteral,
} from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { EVENTO_ACTORES, EVENTO_TIPOS } from '../../src/platform/events/evento-tipo.js';
import { GUIA_ESTADOS } from '../../src/guias/guia/guia-estado.js';
import { Respuestas1795341000000 } from '../../migrations/1795341000000-respuestas.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { schemaSql } from '../support/schema-sql.js';

/** Every entity of `src/`, in its files `*.entity.ts`. */
const entities = await findEntities();
const withEntities = (url: string) => ({ ...dataSourceOptions(url), entities }) as DataSourceOptions;

async function findEntities(): Promise<EntityTarget<ObjectLiteral>[]> {
  const files = readdirSync(join(import.meta.dirname, '../../src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.entity.ts'))
    .map((name) => `../../src/${name.replace(/ts$/, 'js')}`);
  const modules = await Promise.all(files.map((file) => import(file) as Promise<Record<string, unknown>>));
  const { tables } = getMetadataArgsStorage();
  return modules.flatMap((exported) =>
    tables.map(({ target }) => target).filter((target) => Object.values(exported).includes(target)),
  );
}

/**
 * All columns, constraints and indexes, as PostgreSQL describes them, but for those of partitions, which follow their table,
 * and for indexes on expressions or trigrams, which entities cannot have. A condition on a column of a domain has casts to the domain's base type, which the entities do not know.
 */
const STRUCTURE = `
  with part as (select relname::text as name from pg_class where relispartition)
  select table_name::text as of_table, 'column' as kind, table_name || '.' || column_name as name,
    concat_ws(' ', data_type, udt_name, numeric_precision, numeric_scale, datetime_precision, is_nullable, column_default) as definition
  from information_schema.columns where table_schema = 'public' and table_name not in ('migraciones', 'typeorm_metadata')
    and table_name not in (select name from part)
  union all
  select conrelid::regclass::text, 'constraint', conname, pg_get_constraintdef(oid) from pg_constraint
  where connamespace = 'public'::regnamespace and contype <> 'n' and conrelid <> 0 and conrelid::regclass::text <> 'migraciones'
    and conrelid::regclass::text not in (select name from part)
  union all
  select tablename, 'index', indexname, regexp_replace(replace(indexdef, ' ON ONLY ', ' ON '), '\\((\\w+)\\)::(text|numeric)', '\\1', 'g')
  from pg_indexes where schemaname = 'public' and tablename <> 'migraciones' and tablename not in (select name from part)
    and indexdef !~ '(clave_lugar|reverse|translate)[(]|gin_trgm_ops'
  order by 2, 3`;

describe('the schema', () => {
  const databases: TestDatabase[] = [];
  const newDatabase = async (template?: string) => {
    const database = await createTestDatabase(template);
    databases.push(database);
    return database;
  };
  afterAll(() => Promise.all(databases.map((database) => database.drop())));

  it('matches the entities of the tables that have one: columns, constraints and indexes, by name', async () => {
    const migrated = await newDatabase();
    const fromEntities = await newDatabase('template0');
    const dataSource = await new DataSource(withEntities(fromEntities.ownerUrl)).initialize();
    await dataSource.synchronize();
    await dataSource.destroy();
    const described = await fromEntities.query<{ of_table: string }>(STRUCTURE);
    const tables = new Set(described.map((row) => row.of_table));
    const kept = await migrated.query<{ of_table: string }>(STRUCTURE);
    const lines = (rows: object[]) => rows.map((row) => Object.values(row).join(' '));
    const inMigrations = lines(kept.filter((row) => tables.has(row.of_table)));
    const inEntities = lines(described);
    // The differences alone: the whole is thousands of lines.
    expect({
      inMigrationsAlone: inMigrations.filter((line) => !inEntities.includes(line)),
      inEntitiesAlone: inEntities.filter((line) => !inMigrations.includes(line)),
    }).toEqual({ inMigrationsAlone: [], inEntitiesAlone: [] });
  });

  it('stands in migrations/schema.sql, which `npm run schema` writes', async () => {
    const path = join(import.meta.dirname, '../../migrations/schema.sql');
    const database = await newDatabase();
    const text = await schemaSql((statement) => database.query(statement));
    if (process.env.WRITE_SCHEMA) writeFileSync(path, text);
    expect(text).toBe(readFileSync(path, 'utf8'));
  });

  describe('of an empty database', () => {
    let database: TestDatabase;
    let names: string[];

    beforeAll(async () => {
      database = await newDatabase('template0');
    });

    it('is migrated once by simultaneous processes', async () => {
      const results = await Promise.all(Array.from({ length: 5 }, () => migrate(database.ownerUrl)));
      const applied = results.filter((one) => one.length > 0);
      expect(applied).toHaveLength(1);
      names = applied[0]!;
    });

    it('then migrates down and up again', async () => {
      expect(await migrate(database.ownerUrl)).toEqual([]);
      const dataSource = await new DataSource(dataSourceOptions(database.ownerUrl)).initialize();
      for (const _ of names) await dataSource.undoLastMigration();
      await dataSource.destroy();
      expect(await database.query(`select tablename from pg_tables where schemaname = 'public'`)).toEqual([
        { tablename: 'migraciones' },
      ]);
      expect(await migrate(database.ownerUrl)).toEqual(names);
    });
  });
});

describe('a database of the version before amounts were kept', () => {
  const ID = (n: number) => `01a1fea2-cf03-7f3a-9c44-${String(n).padStart(12, '0')}`;
  const [GT, SV] = [ID(1), ID(2)];
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase('template0');
    const older = migrations.slice(0, migrations.indexOf(Cobros1795380000000));
    const options = { ...dataSourceOptions(database.ownerUrl), migrations: older } as DataSourceOptions;
    const dataSource = await new DataSource(options).initialize();
    await dataSource.runMigrations();
    await dataSource.destroy();
    await database.query(
      `insert into comercios (id, nombre, pais) values ($1, 'Una', 'GT'), ($2, 'Otra', 'SV')`,
      [GT, SV],
    );
    const guias: [n: number, estado: string, cod_amount: number, cod_cobrado?: number | null, at?: string][] =
      [
        [10, 'entregado', 5, 4.5, '2026-01-01T00:00:00Z'],
        [11, 'entregado', 5, null],
        [12, 'entregado', 0, 3],
        [13, 'entregado', 0, 0],
        [14, 'en_ruta', 5],
      ];
    for (const [n, estado, cod_amount, cod_cobrado, at] of guias) {
      await database.query(
        `insert into guias (comercio_id, id, guia, estado, telefono, departamento, municipio, cod_amount,
           direccion_confirmada, recogida_lat, recogida_lng, creada_en, actualizada_en)
         values ($1, $2, $3, $4, '+50255551234', 'G', 'M', $5, false, 14, -90, now(), now())`,
        [GT, ID(n), `4000000000${n}`, estado, cod_amount],
      );
      const datos = { estado, ...(cod_cobrado !== null && { cod_cobrado }) };
      await database.query(
        `insert into eventos (comercio_id, guia_id, id, tipo, secuencia, creado_en, ocurrido_en, datos)
         values ($1, $2, gen_random_uuid(), 'guia.estado_cambiado', 2, '2026-02-01T00:00:00Z', $3, $4)`,
        [GT, ID(n), at, datos],
      );
    }
    await migrate(database.ownerUrl);
  });
  afterAll(() => database.drop());

  it('has the amounts that were reported, and the others as unknown', async () => {
    const rows = await database.query(
      'select guia_id, cod_amount, cod_cobrado, cobrado_en, estado from cobros order by guia_id',
    );
    const reported = new Date('2026-01-01T00:00:00Z');
    const recorded = new Date('2026-02-01T00:00:00Z');
    expect(rows.map((row) => Object.values(row))).toEqual([
      [ID(10), '5.00', '4.50', reported, 'cobrado'],
      [ID(11), '5.00', null, null, 'por_cobrar'],
      [ID(12), '0.00', '3.00', recorded, 'cobrado'],
    ]);
  });

  it("has the currency of each merchant's country", async () => {
    const rows = await database.query('select moneda from comercios order by id');
    expect(rows).toEqual([{ moneda: 'GTQ' }, { moneda: 'USD' }]);
  });
});

describe('a database of the version before the outbox was a table', () => {
  let database: TestDatabase;
  const undo = async () => {
    const dataSource = await new DataSource(dataSourceOptions(database.ownerUrl)).initialize();
    const last = migrations.length - migrations.indexOf(EventosPendientes1796240000000);
    for (let n = 0; n < last; n++) await dataSource.undoLastMigration();
    await dataSource.destroy();
  };
  const INSERT = `insert into eventos (comercio_id, guia_id, id, tipo, creado_en, despachado_en, proximo_en, causa)
    select gen_random_uuid(), gen_random_uuid(), md5($1)::uuid, 'guia.creada', now(), $2, $3, $1`;
  const NOW = new Date();
  const ROWS = [
    ['waits', null, null],
    ['parked', null, NOW],
    ['dispatched', NOW, null],
    ['parked before', NOW, NOW],
  ];

  beforeAll(async () => {
    database = await createTestDatabase('template0');
    await migrate(database.ownerUrl);
    await undo();
    for (const row of ROWS) await database.query(INSERT, row);
    await migrate(database.ownerUrl);
  });
  afterAll(() => database.drop());

  it('keeps the events that wait, and those that are parked', async () => {
    expect(
      await database.query(
        'select causa from eventos_pendientes join eventos using (comercio_id, guia_id, id)',
      ),
    ).toEqual([{ causa: 'waits' }]);
    expect(await database.query('select causa from eventos where proximo_en is not null')).toEqual([
      { causa: 'parked' },
    ]);
  });

  it('takes no event of a process of that version, whose change fails', async () => {
    await expect(database.query(INSERT, ['late', null, null])).rejects.toMatchObject({ code: '42703' });
  });

  it('has them again after the migration is undone', async () => {
    await undo();
    expect(
      await database.query('select causa from eventos where despachado_en is null order by causa'),
    ).toEqual([{ causa: 'parked' }, { causa: 'waits' }]);
  });
});

describe('the table guias', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const VALID: Record<string, unknown> = {
    comercio_id: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57',
    guia: '483920175567',
    external_ref: null,
    estado: 'aceptado',
    telefono: '+50255551234',
    departamento: 'Guatemala',
    municipio: 'Mixco',
    direccion_confirmada: false,
    recogida_lat: 14.6,
    recogida_lng: -90.5,
    creada_en: '2026-11-21T00:00:00Z',
    actualizada_en: '2026-11-21T00:00:00Z',
  };
  let inserted = 0;
  const insert = (over: Record<string, unknown>) => {
    inserted++;
    const id = `01a1fea2-cf03-7f3a-9c44-${inserted.toString(16).padStart(12, '0')}`;
    const row = { ...VALID, guia: String(100_000_000_000 + inserted), ...over, id };
    const columns = Object.keys(row);
    const text = `insert into guias (${columns.join(', ')}) values (${columns.map((_, i) => `$${i + 1}`).join(', ')})`;
    return database.query(text, Object.values(row));
  };

  it('accepts a valid guide', async () => {
    await insert({});
  });

  const tooLong: [column: string, limit: number][] = [
    ['guia', 12],
    ['external_ref', 100],
    ['destinatario', 120],
    ['direccion', 500],
    ['departamento', 120],
    ['municipio', 120],
    ['referencia', 500],
    ['contenido', 500],
    ['notas', 1_000],
    ['destino_maps_url', 4_096],
    ['recogida_maps_url', 4_096],
    ['recogida_nombre', 120],
    ['recogida_direccion', 500],
  ];
  it.each(tooLong)('limits %s to %i characters', async (column, limit) => {
    await insert({ [column]: '9'.repeat(limit) });
    await expect(insert({ [column]: '9'.repeat(limit + 1) })).rejects.toMatchObject({ code: '22001' });
  });

  const broken: [constraint: string, over: Record<string, unknown>][] = [
    ['guia_estado_check', { estado: 'perdido' }],
    ['telefono_e164_check', { telefono: '55551234' }],
    ['telefono_e164_check', { telefono: '' }],
    ['monto_check', { cod_amount: '-0.01' }],
    ['monto_check', { cod_amount: '100000000.01' }],
    ['monto_check', { cod_amount: 'NaN' }],
    ['latitud_check', { destino_lat: 91, destino_lng: 0 }],
    ['latitud_check', { destino_lat: 'NaN', destino_lng: 1 }],
    ['longitud_check', { recogida_lng: 181 }],
    ['guias_lugares_check', { destino_lat: 14.6 }],
    ['guias_lugares_check', { recogida_lng: null }],
    ['guias_lugares_check', { recogida_lat: null, recogida_lng: null }],
    ['guias_lugares_check', { direccion_confirmada: true }],
  ];
  it.each(broken.map(([constraint, over]) => [constraint, Object.keys(over).join(', '), over] as const))(
    'enforces %s for %s',
    async (constraint, _, over) => {
      await expect(insert(over)).rejects.toMatchObject({ code: '23514', constraint });
    },
  );

  it.each([
    ['guia_estado', GUIA_ESTADOS],
    ['evento_tipo', EVENTO_TIPOS],
    ['evento_actor', EVENTO_ACTORES],
  ])('uses the domain %s, which has the same values as the code', async (domain, words) => {
    const [row] = await database.query<{ rule: string }>(
      'select pg_get_constraintdef(oid) as rule from pg_constraint where contypid = $1::regtype',
      [domain],
    );
    const known = [...row!.rule.matchAll(/'([^']+)'/g)].map(([, word]) => word);
    expect(known.sort()).toEqual([...words].sort());
  });

  it('keeps guide numbers unique over all merchants', async () => {
    await insert({ guia: '483920175567' });
    const other = { comercio_id: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a58', guia: '483920175567' };
    await expect(insert(other)).rejects.toMatchObject({ code: '23505', constraint: 'guias_guia_key' });
  });

  it('keeps references unique for each merchant', async () => {
    await insert({ external_ref: 'a' });
    await insert({ external_ref: 'a', comercio_id: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a58' });
    await expect(insert({ external_ref: 'a' })).rejects.toMatchObject({
      code: '23505',
      constraint: 'guias_external_ref_key',
    });
  });
});

it('keeps incoming messages that are not processed when their keys are renamed', async () => {
  const database = await createTestDatabase();
  const dataSource = await new DataSource(dataSourceOptions(database.ownerUrl)).initialize();
  const runner = dataSource.createQueryRunner();
  const id = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';
  const de = { telefono: '+50255551234', usuario: null };
  const fallo = { kind: 'permanent', causa: 'No existe.', code: '131026' };
  const before = [
    { tipo: 'texto', id: 'a', de, respondeA: null, texto: 'hola' },
    { tipo: 'ubicacion', id: 'b', de, respondeA: 'x', lat: 14.5, lng: -90.25 },
    { tipo: 'boton', id: 'c', de, respondeA: 'x', payload: 'elegir' },
    {
      ...{ tipo: 'estado', id: 'd', mensajeProveedor: 'x', mensajeId: id, estado: 'fallido', fallo },
      usuario: null,
    },
  ];
  const stored = async () =>
    (await database.query<{ cuerpo: string }>('select cuerpo from entrantes order by clave')).map(
      ({ cuerpo }) => JSON.parse(cuerpo) as unknown,
    );
  const migration = new Respuestas1795341000000();
  try {
    await migration.down(runner);
    for (const body of before)
      await database.query(
        'insert into entrantes (id, clave, cuerpo, recibido_en) values (gen_random_uuid(), $1, $2, now())',
        [body.id, JSON.stringify(body)],
      );
    await migration.up(runner);
    expect(await stored()).toEqual([
      { kind: 'text', id: 'a', from: de, answers: null, text: 'hola' },
      { kind: 'location', id: 'b', from: de, answers: 'x', lat: 14.5, lng: -90.25 },
      { kind: 'button', id: 'c', from: de, answers: 'x', payload: 'elegir' },
      {
        kind: 'status',
        id: 'd',
        proveedorId: 'x',
        mensajeId: id,
        estado: 'fallido',
        failure: { kind: 'permanent', message: 'No existe.', code: '131026' },
        usuario: null,
      },
    ]);
    await migration.down(runner);
    expect(await stored()).toEqual(before);
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});

describe('the table claves_api', () => {
  const COMERCIO = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';
  const OPERADOR = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a58';
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(`insert into comercios (id, nombre, pais) values ($1, 'Tienda', 'GT')`, [COMERCIO]);
    await database.query(`insert into operadores (id, nombre) values ($1, 'Mensajería')`, [OPERADOR]);
  });
  afterAll(() => database.drop());

  let made = 0;
  const insert = (comercio: string | null, operador: string | null, alcances: string[]) =>
    database.query(
      `insert into claves_api (id, comercio_id, operador_id, identificador, huella, alcances)
       values (gen_random_uuid(), $1, $2, $3, decode(repeat('00', 32), 'hex'), $4)`,
      [comercio, operador, String(++made).padStart(8, '0'), alcances],
    );

  it.each([
    [
      'a merchant with every scope of merchants',
      COMERCIO,
      null,
      ['guias:leer', 'guias:escribir', 'webhooks', 'claves'],
    ],
    ['a merchant with one scope', COMERCIO, null, ['guias:leer']],
    ["an operator with the operators' scope", null, OPERADOR, ['operaciones']],
  ])('accepts a key of %s', async (_, comercio, operador, alcances) => {
    await insert(comercio, operador, alcances);
  });

  it.each([
    ['nobody', null, null, ['guias:leer']],
    ['nobody, as an operator', null, null, ['operaciones']],
    ['both', COMERCIO, OPERADOR, ['operaciones']],
    ['both, as a merchant', COMERCIO, OPERADOR, ['guias:leer']],
    ["a merchant with the operators' scope", COMERCIO, null, ['operaciones']],
    ["a merchant with the operators' scope among others", COMERCIO, null, ['guias:leer', 'operaciones']],
    ["an operator with a merchants' scope", null, OPERADOR, ['guias:leer']],
    ["an operator with a merchants' scope beside theirs", null, OPERADOR, ['operaciones', 'guias:leer']],
  ])('refuses a key of %s', async (_, comercio, operador, alcances) => {
    const constraint = 'claves_api_titular_check';
    await expect(insert(comercio, operador, alcances)).rejects.toMatchObject({ code: '23514', constraint });
  });

  it('has operators with unique names', async () => {
    const again = database.query(
      `insert into operadores (id, nombre) values (gen_random_uuid(), 'Mensajería')`,
    );
    await expect(again).rejects.toMatchObject({ code: '23505', constraint: 'operadores_nombre_key' });
  });
});

describe('a database of the version before pickup points had names', () => {
  it('makes a point of the pickup that was remembered, where its place is known', async () => {
    const database = await createTestDatabase('template0');
    try {
      const older = migrations.slice(0, migrations.indexOf(PuntosDeRecogida1796460800000));
      const options = { ...dataSourceOptions(database.ownerUrl), migrations: older } as DataSourceOptions;
      const dataSource = await new DataSource(options).initialize();
      await dataSource.runMigrations();
      await dataSource.destroy();
      const ID = (n: number) => `01a1fea2-cf03-7f3a-9c44-${String(n).padStart(12, '0')}`;
      const lugar = { departamento: 'Guatemala', municipio: 'Mixco' };
      const short = 'https://maps.app.goo.gl/x';
      const remembered: Record<string, string>[] = [
        { 'recogida.lat': '14.6349', 'recogida.lng': '-90.5069', 'recogida.nombre': 'Bodega' },
        {
          'recogida.maps_url': 'https://maps.google.com/?q=14.7000,-90.6000',
          'recogida.direccion': '4a calle',
        },
        { 'recogida.maps_url': short, 'recogida.nombre': 'Corta' },
        { 'recogida.maps_url': 'https://maps.app.goo.gl/y' },
        {},
      ];
      for (const [n, guia] of remembered.entries())
        await database.query('insert into panel_ajustes (comercio_id, guia) values ($1, $2)', [
          ID(n),
          { ...guia, ...lugar },
        ]);
      await database.query(
        `insert into guias (comercio_id, id, guia, estado, telefono, departamento, municipio, direccion_confirmada,
           recogida_lat, recogida_lng, recogida_maps_url, recogida_nombre, creada_en, actualizada_en)
         values ($1, $1, '200000000001', 'aceptado', '+50255551234', 'Guatemala', 'Mixco', false, 14.5, -90.4, $2, 'Corta', now(), now())`,
        [ID(2), short],
      );
      await migrate(database.ownerUrl);
      expect(
        await database.query(
          'select comercio_id, nombre, direccion, lat, lng from panel_recogidas order by comercio_id',
        ),
      ).toEqual([
        { comercio_id: ID(0), nombre: 'Bodega', direccion: 'Bodega', lat: 14.6349, lng: -90.5069 },
        { comercio_id: ID(1), nombre: '4a calle', direccion: '4a calle', lat: 14.7, lng: -90.6 },
        { comercio_id: ID(2), nombre: 'Corta', direccion: 'Corta', lat: 14.5, lng: -90.4 },
      ]);
      const kept = await database.query<{ guia: object }>('select guia from panel_ajustes');
      expect(kept.map(({ guia }) => guia)).toEqual(remembered.map(() => lugar));
    } finally {
      await database.drop();
    }
  });
});
