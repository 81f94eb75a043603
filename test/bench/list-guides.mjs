// The guides of the lists' bench: common, rare and absent values of every filter, some of which never meet.
import { migrate } from '../../dist/src/platform/database/migrate.js';
import { bulkLoad } from './bulk-load.mjs';
import { FREQUENT_PHONE, guides, MERCHANT, merchantId, MERCHANTS } from './guides.mjs';
import { withPg } from './stores.mjs';

const idOf = (n) => `019aa000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

/** What the values of a filter's parameter are called, and how often they occur. */
export const FILTERS = {
  estado: { comun: 'entregado', raro: 'extraviado', varios: 'aceptado,en_ruta,extraviado' },
  direccion_confirmada: { comun: 'true', raro: 'false' },
  advertencia: { cualquiera: 'cualquiera', comun: 'mensaje_fallido', raro: 'entrega_lejos' },
  telefono: { comun: FREQUENT_PHONE, raro: '+50230007919' },
  desde: { comun: -300, raro: -2 },
  hasta: { comun: -60, raro: -364 },
  actualizada_desde: { comun: -300, raro: -2 },
  external_ref: { uno: 'pedido-1' },
  departamento: { comun: 'guatemala', raro: 'peten' },
  municipio: { comun: 'mixco', raro: 'flores' },
  comercio: { grande: idOf(MERCHANT), chico: idOf(2) },
};

/** Columns that differ from those of the other benches, as SQL over one of their guides. */
const VARIED = {
  // One guide in ten thousand got lost, and none of these is confirmed; one in 50 of the others is not.
  estado: `case when n % 10000 = 77 then 'extraviado' when n % 25 = 3 then 'en_ruta' else estado end`,
  direccion_confirmada: 'n % 50 <> 27 and n % 10000 <> 77',
  departamento: `case when n % 10 < 6 then 'Guatemala' when n % 2000 = 1999 then 'Petén'
    else (array['Escuintla', 'Sacatepéquez', 'Quetzaltenango', 'Izabal'])[n % 4 + 1] end`,
  municipio: `case when n % 10 < 2 then 'Mixco' when n % 2000 = 1999 then 'Flores' else 'Municipio ' || n % 300 end`,
};

const PLAIN = `comercio_id, id, guia, external_ref, destinatario, telefono, direccion, referencia, contenido, notas,
  cod_amount, recogida_lat, recogida_lng, recogida_nombre, recogida_direccion, creada_en, actualizada_en`;

/** One guide in 50 has a warning; one in 300 of these has a rare one. */
const ADVERTENCIAS = `case when n % 15000 = 14 then '{entrega_lejos}'::text[] when n % 50 = 14 then '{mensaje_fallido}'
  when n % 4000 = 5 then '{cod_distinto,mensaje_fallido}' else '{}' end`;

/** Migrates an empty database and fills it. Returns the id of the merchant that has a fifth of all guides. */
export async function fillForLists(url, rows, merchants = MERCHANTS) {
  await migrate(url);
  return withPg(url, async (client) => {
    await client.query(`insert into comercios (id, nombre, pais)
      select ${merchantId('n')}, 'Comercio ' || n, 'GT' from generate_series(1, ${merchants}) n`);
    await bulkLoad(client, ['guias'], () =>
      client.query(`insert into guias (${PLAIN}, ${Object.keys(VARIED).join(', ')}, destino_lat, destino_lng, advertencias)
        select ${PLAIN}, ${Object.values(VARIED).join(', ')}, 14.6, -90.5, ${ADVERTENCIAS} from (${guides(rows, merchants)}) g`),
    );
    return (await client.query(`select ${merchantId(MERCHANT)} as id`)).rows[0].id;
  });
}
