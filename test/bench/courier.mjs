// A courier's day: the service with a merchant, an operator and guides of many towns.
import { startCluster } from './cluster.mjs';
import { runCommand, startService } from './servers.mjs';

/** Guides in a request that creates or assigns them. */
const BATCH = 100;

const OPERACIONES = '/api/v1/operaciones';

/**
 * Starts the service with its embedded database and `count` guides, which a driver may be given.
 * @param env variables of the service besides its defaults.
 */
export async function startCourier(count, env = {}) {
  const { dataDir } = await startCluster();
  const database = { DATA_DIR: dataDir };
  const { port } = await startService({ ...database, ROLE: 'api', ...env }, { folder: dataDir });
  const url = `http://127.0.0.1:${port}`;
  const { merchant_id } = await runCommand(['merchants', 'create', '--name', 'Tienda Maya'], database);
  const { api_key: merchant } = await runCommand(['keys', 'create', '--merchant', merchant_id], database);
  const { api_key: operator } = await runCommand(['keys', 'create', '--operator', 'Mensajería'], database);

  async function ask(path, key, body) {
    const response = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok || answer.resultados?.some(({ ok }) => ok === false))
      throw new Error(`${path}: ${response.status} ${JSON.stringify(answer).slice(0, 300)}`);
    return answer;
  }

  const guias = [];
  for (let from = 0; from < count; from += BATCH) {
    const length = Math.min(BATCH, count - from);
    const lote = Array.from({ length }, (_, n) => guiaOf(from + n));
    const { resultados } = await ask('/api/v1/guias/lote', merchant, { guias: lote });
    guias.push(...resultados.map(({ guia }) => guia));
  }
  const operate = (path, body) => ask(OPERACIONES + path, operator, body);
  return {
    url,
    guias,
    operate,
    /** A driver with these guides, all on their way; with the link to the page. */
    async driver(nombre, own) {
      const { piloto } = await operate('/pilotos', { nombre });
      for (let from = 0; from < own.length; from += BATCH) {
        const some = own.slice(from, from + BATCH);
        await operate('/asignaciones', { piloto: piloto.id, guias: some });
        for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta'])
          await operate('/eventos', { eventos: some.map((guia) => ({ guia, estado })) });
      }
      const { enlace } = await operate(`/pilotos/${piloto.id}/enlace`, {});
      return { id: piloto.id, enlace: url + new URL(enlace).pathname };
    },
  };
}

const NAMES = ['María', 'José', 'Ana Lucía', 'Luis', 'Carmen', 'Juan Carlos', 'Rosa', 'Byron', 'Wendy'];
const SURNAMES = [
  'López',
  'García',
  'Hernández',
  'Pérez',
  'Xicará',
  'Cux',
  'Morales',
  'Ajú',
  'Tzoc',
  'Ruano',
];
const STREETS = ['avenida', 'calle', 'callejón', 'diagonal', 'calzada'];
const MARKS = [
  'tienda La Bendición',
  'iglesia católica',
  'cancha',
  'escuela',
  'molino',
  'gasolinera',
  'pila',
];
const COLOURS = ['verde', 'celeste', 'de dos niveles', 'con portón negro', 'amarilla', 'sin repello'];
const TOWNS = [
  'Mixco',
  'Villa Nueva',
  'Amatitlán',
  'San Juan Sacatepéquez',
  'Santa Catarina Pinula',
  'Guatemala',
];

/** Texts as long and as different as those of real parcels. */
function guiaOf(n) {
  const of = (list, factor) => list[(n * factor) % list.length];
  const street = `${(n % 38) + 1} ${of(STREETS, 7)} ${(n * 3) % 29}-${(n * 13) % 97}, zona ${(n % 21) + 1}`;
  return {
    external_ref: `pedido-${n}`,
    nombre: `${of(NAMES, 5)} ${of(SURNAMES, 3)} ${of(SURNAMES, 7)}`,
    telefono: String(30_000_000 + ((n * 7919) % 30_000_000)),
    direccion: `${street}, casa ${(n * 17) % 60}`,
    departamento: 'Guatemala',
    municipio: of(TOWNS, 11),
    ...(n % 3 > 0 && { referencia: `Casa ${of(COLOURS, 3)}, ${(n % 9) + 1} cuadras de la ${of(MARKS, 5)}` }),
    ...(n % 4 === 0 && { notas: 'Llamar antes de llegar, el timbre no sirve.' }),
    ...(n % 5 > 0 && { lat: 14.5 + ((n * 37) % 200) / 1_000, lng: -90.6 + ((n * 53) % 200) / 1_000 }),
    recogida: { lat: 14.6, lng: -90.5, nombre: 'Bodega central', direccion: '7a avenida 12-30, zona 4' },
    cod_amount: n % 3 === 0 ? 0 : 25 + ((n * 31) % 900) + 0.5,
  };
}
