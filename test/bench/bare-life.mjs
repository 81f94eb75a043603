// The plain server of life.mjs: Fastify and pg, one transaction with plain statements for each request, and a worker in the
// same process that takes messages and webhooks from their tables with `skip locked`, fifty at a time. It validates nothing.
import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import Fastify from 'fastify';
import pg from 'pg';
import { SCHEMA } from './bare-database.mjs';

const { DATABASE_URL, RECEIVER_URL } = process.env;
const BATCH = 50;
const CONCURRENCY = 32;

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
await pool.query(`${SCHEMA};
  alter table guias add column cod_cobrado numeric(12,2), add column liquidacion_id uuid, set (fillfactor = 80);
  alter table guia_eventos add column datos jsonb;
  create table mensajes (id uuid primary key, guia_id uuid not null, texto text not null, enviado_en timestamptz(3));
  create table confirmaciones (ficha text primary key, guia_id uuid not null);
  create index on confirmaciones (guia_id);
  create index on mensajes (id) where enviado_en is null;
  create table avisos (id bigint generated always as identity primary key, comercio_id uuid not null, cuerpo text not null,
    intentos smallint not null default 0, entregado_en timestamptz(3)) with (fillfactor = 50);
  create index on avisos (id) where entregado_en is null;
  create table liquidaciones (id uuid primary key, comercio_id uuid not null, total numeric(12,2) not null)`);
const merchants = Array.from({ length: Number(process.env.MERCHANTS) }, (_, n) => ({
  id: randomUUID(),
  key: `llave-${n}`,
}));
for (const { id, key } of merchants) await pool.query('insert into comercios values ($1, $2)', [id, key]);
const ids = new Map(merchants.map(({ id, key }) => [`Bearer ${key}`, id]));

const run = async (name, text, values) => (await pool.query({ name, text, values })).rows;

const CREATE = `with g as (
    insert into guias (id, comercio_id, guia, external_ref, destinatario, telefono, direccion, departamento, municipio, contenido,
      cod_amount, recogida_lat, recogida_lng)
    values ($1, $2, 'SG' || lpad(nextval('guia_numero')::text, 10, '0'), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning *
  ), e as (insert into guia_eventos (guia_id, comercio_id, tipo) select id, comercio_id, 'guia.creada' from g),
  m as (insert into mensajes (id, guia_id, texto) select $13, id, 'Hola, confirma aquí dónde entregarlo' from g),
  c as (insert into confirmaciones select $14, id from g),
  a as (insert into avisos (comercio_id, cuerpo)
    select comercio_id, json_build_object('type', 'guia.creada', 'data', json_build_object('guia', row_to_json(g)))::text from g)
  select id, guia, estado from g`;

/** Changes a guide, with its event and what its merchant is told. */
const change = (
  set,
  where,
  tipo,
) => `with g as (update guias set ${set}, actualizada_en = now() where ${where} returning *),
  e as (insert into guia_eventos (guia_id, comercio_id, tipo) select id, comercio_id, '${tipo}' from g),
  a as (insert into avisos (comercio_id, cuerpo)
    select comercio_id, json_build_object('type', '${tipo}', 'data', json_build_object('guia', row_to_json(g)))::text from g)
  select id, estado from g`;
const CONFIRM = change(
  'direccion_confirmada = true, destino_lat = $2, destino_lng = $3',
  'id = (select guia_id from confirmaciones where ficha = $1)',
  'guia.confirmada',
);
const MOVE = change('estado = $2, cod_cobrado = $3', 'id = $1', 'guia.estado_cambiado');
const SETTLE = `with l as (
    insert into liquidaciones select $1, $2, sum(cod_cobrado) from guias
    where comercio_id = $2 and estado = 'entregado' and liquidacion_id is null returning id
  ) update guias set liquidacion_id = l.id from l where comercio_id = $2 and estado = 'entregado' and liquidacion_id is null`;

const app = Fastify();
const merchantOf = ({ headers }) => ids.get(headers.authorization);
app.post('/api/v1/guias', async (incoming, reply) => {
  const g = incoming.body;
  const values = [
    randomUUID(),
    merchantOf(incoming),
    g.external_ref,
    g.nombre,
    g.telefono,
    g.direccion,
    g.departamento,
  ];
  values.push(g.municipio, g.contenido, g.cod_amount, g.recogida.lat, g.recogida.lng);
  const [made] = await run('create', CREATE, [...values, randomUUID(), randomUUID()]);
  return reply.code(201).send({ ok: true, ...made });
});
app.post('/c/:ficha', ({ params, body }) => run('confirm', CONFIRM, [params.ficha, body.lat, body.lng]));
app.post('/api/v1/operaciones/guias/:id/eventos', ({ params, body }) =>
  run('move', MOVE, [params.id, body.estado, body.cod_cobrado]),
);
app.get('/api/v1/guias/:id', (incoming) =>
  run('detail', 'select * from guias where id = $1 and comercio_id = $2', [
    incoming.params.id,
    merchantOf(incoming),
  ]),
);
app.get('/api/v1/guias', async (incoming) => ({
  guias: await run(
    'list',
    'select * from guias where comercio_id = $1 order by creada_en desc, id desc limit 51',
    [merchantOf(incoming)],
  ),
}));
app.post('/api/v1/operaciones/liquidaciones', ({ body }) =>
  run('settle', SETTLE, [randomUUID(), body.comercio]),
);

const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });

function post(id, body) {
  const signature = createHmac('sha256', 'k'.repeat(32)).update(`${id}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-signature': `v1,${signature}`,
  };
  return new Promise((resolve, reject) => {
    const sent = request(RECEIVER_URL, { agent, method: 'POST', headers }, (response) =>
      response.resume().once('end', resolve),
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Takes rows until none is left, each batch in one transaction. */
async function drain(take, done, bodyOf) {
  for (;;) {
    const client = await pool.connect();
    await client.query('begin');
    const { rows } = await client.query({ name: take, text: take, values: [BATCH] });
    await Promise.all(rows.map((row) => post(String(row.id), bodyOf(row))));
    if (rows.length > 0) await client.query({ name: done, text: done, values: [rows.map(({ id }) => id)] });
    await client.query('commit');
    client.release();
    if (rows.length === 0) return;
  }
}

const WORK = {
  notificaciones: () =>
    drain(
      `select m.id, m.texto, g.guia, c.ficha from mensajes m join guias g on g.id = m.guia_id join confirmaciones c on c.guia_id = g.id
       where enviado_en is null order by m.id limit $1 for update of m skip locked`,
      'update mensajes set enviado_en = now() where id = any ($1)',
      ({ texto, guia, ficha }) => JSON.stringify({ texto, guia, enlace: `/c/${ficha}` }),
    ),
  webhooks: () =>
    drain(
      'select id, cuerpo from avisos where entregado_en is null order by id limit $1 for update skip locked',
      'update avisos set entregado_en = now(), intentos = intentos + 1 where id = any ($1)',
      ({ cuerpo }) => cuerpo,
    ),
};
const QUEUES = { mensajes: 'notificaciones', entregas: 'webhooks' };
const running = new Map();

process.on('message', async ({ resume = [], settled }) => {
  for (const name of resume) if (WORK[name]) running.set(name, Promise.all([WORK[name](), WORK[name]()]));
  if (settled) await running.get(QUEUES[settled]);
  process.send('done');
});
process.send({ url: await app.listen({ host: '127.0.0.1', port: 0 }), merchants });
