// CPU time of reading a request, in µs (run `npm run build` first):
//
//   node test/bench/validation.mjs [--rounds 61] [--dist dist] [--json]
//
// Prints the median and the middle half of many short rounds. It measures CPU time, because the machine may
// be busy. Bodies are already parsed, except in `JSON.parse`. To compare two builds, run them in turn.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '61' },
    dist: { type: 'string', default: 'dist' },
    json: { type: 'boolean', default: false },
  },
});

/** Different requests in one round. */
const REQUESTS = 500;
/** Rounds that do not count. */
const WARM_UP = 10;

const sources = Array.from({ length: REQUESTS }, (_, i) =>
  JSON.stringify({
    telefono: `+57300${String(1_234_567 + i * 37)}`,
    departamento: 'Antioquia',
    municipio: 'Medellin',
    direccion: `Calle ${i % 90} # 45-12 apto 301`,
    referencia: 'Frente al parque',
    contenido: 'Ropa',
    notas: 'Llamar antes',
    cod_amount: 45_000.5 + i,
    nombre: 'Maria Perez',
    lat: 6.2442 + i / 1_000,
    lng: -75.5812,
    external_ref: `b-${i}`,
    recogida: { lat: 4.65123, lng: -74.05432, nombre: 'Bodega central', direccion: 'Cra 7 # 12-30' },
  }),
);
const bodies = sources.map((source) => JSON.parse(source));
const local = bodies.map((body, i) => ({ ...body, telefono: `${5_000 + i} ${1_234 + i}` }));
const refused = bodies.map((body) => ({ ...body, cod_amount: -1 }));
// Without a prototype, like those of Fastify.
const query = (parameters) => Object.assign(Object.create(null), parameters);
const lists = bodies.map((_, i) => query({ limit: String((i % 100) + 1), estado: 'recogido' }));
const filtered = bodies.map(({ telefono, external_ref }) =>
  query({ desde: '2026-11-01', hasta: '2026-11-21T15:04:05.123Z', telefono, external_ref, limit: '50' }),
);
const none = bodies.map(() => query({}));

const load = (path) => import(resolve(options.dist, 'src', path));
const { inspect } = await load('validation/read-input.js');
const { CrearGuiaDto } = await load('guias/dto/crear-guia.dto.js');
const { ListarGuiasDto } = await load('guias/dto/listar-guias.dto.js');
const { NoFields } = await load('validation/no-fields.dto.js');

const read = (type, country) => (raw) => inspect(type, raw, { country });
const cases = [
  ['JSON.parse of a body', sources, JSON.parse],
  ['create', bodies, read(CrearGuiaDto, 'CO')],
  ['create, local phone', local, read(CrearGuiaDto, 'GT')],
  ['create, refused', refused, read(CrearGuiaDto, 'CO')],
  ['list', lists, read(ListarGuiasDto, 'CO')],
  ['list, filtered', filtered, read(ListarGuiasDto, 'CO')],
  ['no query', none, read(NoFields, 'CO')],
].map(([name, inputs, run]) => ({ name, inputs, run, times: [] }));

/** µs per call. */
function measure({ inputs, run }) {
  const start = process.cpuUsage();
  for (const input of inputs) run(input);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / inputs.length;
}

for (let round = -WARM_UP; round < Number(options.rounds); round += 1) {
  for (const one of cases) {
    const us = measure(one);
    if (round >= 0) one.times.push(us);
  }
}

const results = cases.map(({ name, times }) => {
  const sorted = times.sort((a, b) => a - b);
  const quantile = (q) => Number(sorted[Math.floor((sorted.length - 1) * q)].toFixed(2));
  return [name, { us: quantile(0.5), from: quantile(0.25), to: quantile(0.75) }];
});
if (options.json) console.log(JSON.stringify(Object.fromEntries(results)));
else console.table(Object.fromEntries(results));
