import type { MadeGuia } from './messaging.js';
import type { TestApp, TestMerchant } from './test-app.js';

/** Breaks out of attributes and elements, and says so in the title of a page on which it runs. */
export const HOSTILE = `"><img src=x onerror="document.title='hacked'"><script>document.title='hacked'</script>`;

/** Every text of a guide that a merchant chooses. */
export const HOSTILE_GUIA = {
  external_ref: HOSTILE.slice(0, 100),
  ...Object.fromEntries(
    ['nombre', 'direccion', 'referencia', 'contenido', 'notas', 'departamento', 'municipio'].map((field) => [
      field,
      HOSTILE,
    ]),
  ),
  recogida: { lat: 14.6, lng: -90.5, nombre: HOSTILE, direccion: HOSTILE },
};

/**
 * Puts it where no request can: into texts that the service itself writes, that people configure, or that support
 * writes. Of a merchant's contact a constraint of the database accepts digits alone.
 */
export async function plantEverywhere(
  { database }: TestApp,
  { merchant, guia, parked }: { merchant: TestMerchant; guia: MadeGuia; parked: { id: string } },
): Promise<void> {
  await database.query('update comercios set nombre = $1 where id = $2', [
    `Tienda ${HOSTILE}`.slice(0, 120),
    merchant.id,
  ]);
  await database.query('update claves_api set etiqueta = $1', [HOSTILE]);
  await database.query('update mensajes set causa = $1 where guia_id = $2', [HOSTILE, guia.id]);
  await database.query('update mensaje_intentos set causa = $1', [HOSTILE]);
  await database.query(`insert into pausas values ('whatsapp', $1, $1, now())`, [HOSTILE]);
  await database.query(
    `update eventos set proximo_en = now() + interval '1 day', intentos = 1, causa = $1
     where guia_id = $2 and tipo = 'guia.creada'`,
    [HOSTILE, parked.id],
  );
  await database.query(
    `insert into guia_notas select gen_random_uuid(), comercio_id, id, $1, $1, now() from guias where id = $2`,
    [HOSTILE, guia.id],
  );
  await database.query(
    `insert into textos select comercio_id, id, gen_random_uuid(), $1, now() from guias where id = $2`,
    [HOSTILE, guia.id],
  );
  await database.query(
    `insert into auditoria (id, clave, usuario, accion, guia, comercio_id, detalle, resultado, nota, creado_en)
     select gen_random_uuid(), gen_random_uuid(), $1, 'reintentar_tarea', guia, comercio_id, $1, 'hecho', $1, now()
     from guias where id = $2`,
    [HOSTILE, guia.id],
  );
}
