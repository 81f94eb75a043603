// The reference that the service is compared with: Fastify and pg, named prepared statements, keys in a Map,
// no validation and no framework. MODE=plain reads rows as pg does; MODE=text keeps timestamps and numbers as
// PostgreSQL's text, which makes the fastest list. MODE=batch is `text` and writes the guides that arrive at the same
// time in one statement, which makes the fastest create. Prints its address when it listens.
import { randomFillSync } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

const { DATABASE_URL, MODE } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const merchants = new Map(
  (await pool.query('select id, clave from comercios')).rows.map(({ id, clave }) => [`Bearer ${clave}`, id]),
);

/** UUID version 7; random bytes are fetched 4,096 at a time. */
const random = Buffer.alloc(4_096);
let used = random.length;
function uuid7() {
  if (used + 10 > random.length) {
    randomFillSync(random);
    used = 0;
  }
  const noise = random.toString('hex', used, used + 10);
  used += 10;
  const ms = Date.now().toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${noise.slice(0, 3)}-a${noise.slice(3, 6)}-${noise.slice(6, 18)}`;
}

/** The columns of a guide, in the order of its values. */
const COLUMNS = {
  id: 'uuid',
  comercio_id: 'uuid',
  external_ref: 'text',
  destinatario: 'text',
  telefono: 'text',
  direccion: 'text',
  departamento: 'text',
  municipio: 'text',
  referencia: 'text',
  contenido: 'text',
  notas: 'text',
  cod_amount: 'numeric',
  direccion_confirmada: 'boolean',
  destino_lat: 'float8',
  destino_lng: 'float8',
  recogida_lat: 'float8',
  recogida_lng: 'float8',
  recogida_maps_url: 'text',
  recogida_nombre: 'text',
  recogida_direccion: 'text',
};
const NAMES = Object.keys(COLUMNS);

const insert = (guides) => `with nueva as (
  insert into guias (guia, ${NAMES})
  select 'SG' || lpad(nextval('guia_numero')::text, 10, '0'), ${NAMES} from ${guides}
  on conflict (comercio_id, external_ref) do nothing
  returning id, comercio_id, guia, estado, external_ref
), evento as (
  insert into guia_eventos (guia_id, comercio_id, tipo) select id, comercio_id, 'creada' from nueva
)
select id, guia, estado, external_ref from nueva`;

const INSERT = insert(`(values (${NAMES.map((name, i) => `$${i + 1}::${COLUMNS[name]}`)})) as g (${NAMES})`);

const INSERT_MANY = insert(
  `json_to_recordset($1::json) as g (${NAMES.map((name) => `${name} ${COLUMNS[name]}`)})`,
);

async function writeOne(values) {
  const { rows } = await pool.query({ name: 'insert', text: INSERT, values });
  return rows[0];
}

/** Two statements are under way at the same time; what comes meanwhile is the next, of 32 guides at most. */
const waiting = [];
let underWay = 0;
let isGathering = false;

function writeTogether(values) {
  return new Promise((resolve, reject) => {
    const guide = Object.fromEntries(NAMES.map((name, i) => [name, values[i]]));
    waiting.push({ guide, reference: `${guide.comercio_id} ${guide.external_ref}`, resolve, reject });
    if (isGathering || underWay === 2) return;
    isGathering = true;
    setImmediate(() => {
      isGathering = false;
      while (underWay < 2 && waiting.length > 0) void writeWaiting();
    });
  });
}

async function writeWaiting() {
  underWay++;
  while (waiting.length > 0) {
    // In one order, or two statements could deadlock on each other's references.
    const calls = waiting.splice(0, 32).sort((a, b) => (a.reference < b.reference ? -1 : 1));
    try {
      const values = [JSON.stringify(calls.map(({ guide }) => guide))];
      const { rows } = await pool.query({ name: 'insert-many', text: INSERT_MANY, values });
      const made = new Map(rows.map((row) => [row.id, row]));
      for (const { guide, resolve } of calls) resolve(made.get(guide.id));
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }
  underWay--;
}

const write = MODE === 'batch' ? writeTogether : writeOne;

const FIND = 'select id, guia, estado, external_ref from guias where comercio_id = $1 and external_ref = $2';

function listText(hasEstado, hasCursor) {
  const estado = hasEstado ? 'and estado = $3' : '';
  const at = hasEstado ? 4 : 3;
  const cursor = hasCursor ? `and (creada_en, id) < ($${at}::timestamptz, $${at + 1}::uuid)` : '';
  return `select guia, id, external_ref, estado, destinatario, telefono, direccion, departamento, municipio, referencia,
      contenido, notas, cod_amount, direccion_confirmada, creada_en, actualizada_en
    from guias where comercio_id = $1 ${estado} ${cursor} order by creada_en desc, id desc limit $2`;
}

/** `2026-11-21 15:04:05.12+00` → `2026-11-21T15:04:05.120Z`; the server's time zone is UTC. */
const toIso = (text) => `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`;

const AS_TEXT = {
  types: {
    getTypeParser(oid, format) {
      if (oid === pg.types.builtins.TIMESTAMPTZ) return toIso;
      if (oid === pg.types.builtins.NUMERIC) return Number;
      return pg.types.getTypeParser(oid, format);
    },
  },
};

const reading =
  MODE === 'text' || MODE === 'batch'
    ? { query: AS_TEXT, toGuias: (rows) => rows, toIso: (text) => text }
    : {
        query: {},
        toGuias: (rows) => rows.map((row) => ({ ...row, cod_amount: Number(row.cod_amount) })),
        toIso: (date) => date.toISOString(),
      };

const app = Fastify();

app.get('/api/v1/guias', async (request, reply) => {
  const merchant = merchants.get(request.headers.authorization);
  if (!merchant) return reply.code(401).send({ ok: false });
  const { estado, cursor, limit = 50 } = request.query;
  const values = [merchant, Number(limit) + 1];
  if (estado) values.push(estado);
  if (cursor) values.push(...Buffer.from(cursor, 'base64url').toString().split('|'));
  const name = `list${estado ? '-estado' : ''}${cursor ? '-cursor' : ''}`;
  const { rows } = await pool.query({ name, text: listText(estado, cursor), values, ...reading.query });
  let siguiente_cursor = null;
  if (rows.length > limit) {
    rows.pop();
    const last = rows.at(-1);
    siguiente_cursor = Buffer.from(`${reading.toIso(last.creada_en)}|${last.id}`).toString('base64url');
  }
  return { ok: true, guias: reading.toGuias(rows), siguiente_cursor };
});

app.post('/api/v1/guias', async (request, reply) => {
  const merchant = merchants.get(request.headers.authorization);
  if (!merchant) return reply.code(401).send({ ok: false });
  const { recogida, ...guia } = request.body;
  const values = [
    uuid7(),
    merchant,
    guia.external_ref,
    guia.nombre ?? '',
    guia.telefono,
    guia.direccion ?? '',
    guia.departamento,
    guia.municipio,
    guia.referencia,
    guia.contenido ?? '',
    guia.notas,
    guia.cod_amount ?? 0,
    guia.lat !== undefined,
    guia.lat,
    guia.lng,
    recogida.lat,
    recogida.lng,
    recogida.maps_url,
    recogida.nombre,
    recogida.direccion,
  ];
  const made = await write(values);
  if (made) return reply.code(201).send({ ok: true, ...made });
  const found = await pool.query({ name: 'find', text: FIND, values: [merchant, guia.external_ref] });
  return { ok: true, ...found.rows[0], duplicada: true };
});

console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
process.once('SIGTERM', () => void app.close().then(() => pool.end()));
