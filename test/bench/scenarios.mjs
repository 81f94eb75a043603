// The requests of each scenario, and what the service is compared with. Every request comes with its expected
// answer, which is fetched and checked once before the measurement.
import { FREQUENT_PHONE } from './guides.mjs';

const PATH = '/api/v1/guias';
const PAGE = 50;
/** Pages of a walk. */
const DEPTH = 50;
/** Placeholder that the load generator replaces with a new reference for each guide. */
const REFERENCE = 'reference-12';
const PHONE = '+50200000000';

const GUIDE = {
  telefono: '+50255551235',
  nombre: 'Ana López',
  departamento: 'Guatemala',
  municipio: 'Mixco',
  direccion: '4a calle 5-10, zona 1, apartamento 301',
  referencia: 'Frente al parque central',
  contenido: 'Ropa y accesorios',
  notas: 'Llamar antes de llegar',
  cod_amount: 450.5,
  lat: 14.6407,
  lng: -90.5133,
  recogida: { lat: 14.6349, lng: -90.5069, nombre: 'Bodega central', direccion: '7a avenida 12-30, zona 4' },
};
const halfAYearAgo = () => new Date(Date.now() - 182 * 86_400_000).toISOString();

/**
 * `prepare` returns the requests of a scenario for one server. `against` names the server that the service is
 * compared with, or another scenario of the service itself.
 */
export const SCENARIOS = {
  list: { against: 'text', prepare: (server) => firstPage(server, {}) },
  estado: { against: 'text', prepare: (server) => firstPage(server, { estado: 'recogido' }) },
  cursor: { against: 'text', prepare: walk },
  deep: { against: 'text', prepare: async (server) => (await walk(server)).slice(-1) },
  confirmada: { against: 'list', prepare: (server) => firstPage(server, { direccion_confirmada: 'false' }) },
  telefono: { against: 'list', prepare: (server) => firstPage(server, { telefono: FREQUENT_PHONE }) },
  actualizada: {
    against: 'list',
    prepare: (server) => firstPage(server, { actualizada_desde: halfAYearAgo() }),
  },
  replay: { against: 'plain', prepare: replay },
  // The reference writes the guides that arrive at the same time in one statement, as the service does.
  create: { against: 'batch', prepare: (server) => create(server, GUIDE) },
  // The reference writes each guide in a statement of its own.
  single: { against: 'plain', prepare: (server) => create(server, GUIDE) },
  // The recipient is asked for the address: the relay in the same process makes a message and a job of each
  // guide.
  relayed: {
    against: 'create',
    prepare: (server) => create(server, { ...GUIDE, lat: undefined, lng: undefined }),
  },
  // Meanwhile the relay in the same process dispatches a backlog that lasts longer than a round.
  draining: { against: 'create', prepare: (server) => create(server, GUIDE), isBesideBacklog: true },
};

function text({ key }, method, path, body = '') {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${key}`];
  if (body) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

async function ask({ port, key }, method, path, body) {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body });
  return { status: response.status, body: await response.text() };
}

/** Fetches a page; returns its request and the cursor of the next page. */
async function page(server, filters) {
  const path = `${PATH}?${new URLSearchParams({ ...filters, limit: PAGE })}`;
  const { status, body } = await ask(server, 'GET', path);
  const { guias, siguiente_cursor: next } = status === 200 ? JSON.parse(body) : {};
  const isFull = new Set(guias?.map(({ id }) => id)).size === PAGE;
  // Only the last page of a walk may be short, and it is not part of any scenario.
  if (!isFull && (next || !filters.cursor))
    throw new Error(`not a full page: ${path} gave ${status} ${body.slice(0, 500)}`);
  return { request: { text: text(server, 'GET', path), status, body }, next };
}

async function firstPage(server, filters) {
  return [(await page(server, filters)).request];
}

/** The pages after the first. */
async function walk(server) {
  const requests = [];
  let { next } = await page(server, {});
  while (next && requests.length < DEPTH - 1) {
    const found = await page(server, { cursor: next });
    ({ next } = found);
    if (next) requests.push(found.request);
  }
  return requests;
}

function create(server, guide) {
  const body = JSON.stringify({ ...guide, telefono: PHONE, external_ref: REFERENCE });
  const request = text(server, 'POST', PATH, body);
  const at = (mark) => Buffer.from(request).indexOf(mark);
  const varies = { referenceAt: at(REFERENCE), phoneAt: at(PHONE) + '+502'.length };
  return [{ text: request, status: 201, varies }];
}

async function replay(server) {
  const body = JSON.stringify({ ...GUIDE, external_ref: 'the-same-again' });
  await ask(server, 'POST', PATH, body);
  const again = await ask(server, 'POST', PATH, body);
  if (again.status !== 200 || !JSON.parse(again.body).duplicada)
    throw new Error(`not recognised as a repeat: ${again.status} ${again.body}`);
  return [{ text: text(server, 'POST', PATH, body), ...again }];
}
