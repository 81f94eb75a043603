// The database of the service: migrated, and filled with rows like those that the service writes.
import { migrate } from '../../dist/src/platform/database/migrate.js';
import { bulkLoad } from './bulk-load.mjs';
import { guides, MERCHANT, merchantId, MERCHANTS } from './guides.mjs';
import { withPg } from './stores.mjs';

const COLUMNS = `comercio_id, id, guia, external_ref, estado, destinatario, telefono, direccion, departamento, municipio,
  referencia, contenido, notas, cod_amount, direccion_confirmada, destino_lat, destino_lng, recogida_lat, recogida_lng,
  recogida_nombre, recogida_direccion, creada_en, actualizada_en`;

/** Migrates an empty database and fills it. Returns the id of the merchant whose requests are measured. */
export async function fillServiceDatabase(url, rows) {
  await migrate(url);
  return withPg(url, async (client) => {
    await client.query(`insert into comercios (id, nombre, pais)
      select ${merchantId('n')}, 'Comercio ' || n, 'GT' from generate_series(1, ${MERCHANTS}) n`);
    await bulkLoad(client, ['guias', 'eventos'], async () => {
      await client.query(`insert into guias (${COLUMNS}) select ${COLUMNS} from (${guides(rows)}) g`);
      await client.query(`insert into eventos (comercio_id, guia_id, id, tipo, creado_en)
        select comercio_id, id, (left(id::text, 24) || right(md5(id::text), 12))::uuid, 'guia.creada', creada_en
        from guias`);
    });
    return (await client.query(`select ${merchantId(MERCHANT)} as id`)).rows[0].id;
  });
}
