import type { QueryConfig } from 'pg';
import { MIB } from '../../../platform/config/body-limit.js';
import { firstIdAt } from '../../../platform/database/row-id.js';
import { raw, sql, statement } from '../../../platform/database/sql.js';
import { textTypes } from '../../../platform/database/text-types.js';
import { DETAILED } from '../../../guias/guia/guia-row.js';
import type { PanelArchivo } from './panel-archivo.entity.js';

const COLUMNS = 'id, nombre, separador, tabla, columnas, resultados, recogida_id';

export type ArchivoRow = Omit<PanelArchivo, 'comercio_id' | 'creado_en' | 'importado_en'>;

/** Files that are kept for a merchant, and their bytes as they are stored. */
const MAX_FILES = 10;
const MAX_STORED = 50 * MIB;

const STAYS = `importado_en > now() - interval '1 hour'`;

/**
 * Deletes the oldest files that need not stay, until those that are left keep the limits; of a file whose guides are being made,
 * or were within an hour, nothing goes. The new file is not among those that go.
 */
export const DELETE_OLDEST = `with sized as (
      select id, pg_column_size(a.*) + pg_column_size(tabla) + pg_column_size(resultados) as bytes,
        coalesce(${STAYS}, false) or id = $2 as stays, creado_en
      from panel_archivos a where comercio_id = $1
    ), ranked as (
      -- Those that stay count first, then the newest.
      select id, stays, row_number() over kept as files, sum(bytes) over kept as bytes from sized
      window kept as (order by stays desc, creado_en desc, id desc rows unbounded preceding)
    )
    delete from panel_archivos where comercio_id = $1 and id in (
      select id from ranked where not stays and (files > ${MAX_FILES} or bytes > ${MAX_STORED})
    )`;

/** Whether what is left is more than is kept. */
export const COUNT_FILES = `select count(*) > ${MAX_FILES}
      or sum(pg_column_size(a.*) + pg_column_size(tabla) + pg_column_size(resultados)) > ${MAX_STORED} as excede
    from panel_archivos a where comercio_id = $1`;

/** For a day after it was sent. @param isToChange others who change it wait for the end of the transaction. */
export function findArchivo(comercioId: string, id: string, isToChange: boolean): QueryConfig {
  const text = `select ${COLUMNS} from panel_archivos
    where comercio_id = $1 and id = $2 and creado_en > now() - interval '1 day' ${isToChange ? 'for update' : ''}`;
  return { text, values: [comercioId, id] };
}

/** @param mended lines whose refusal no longer holds; a guide that was made of one meanwhile stays known. */
export function updateTabla(
  comercioId: string,
  { id, tabla, columnas }: ArchivoRow,
  mended: string[] = [],
): QueryConfig {
  return statement(sql`update panel_archivos
    set tabla = ${JSON.stringify(tabla)}, columnas = ${JSON.stringify(columnas)}, resultados = (
      select coalesce(jsonb_object_agg(linea, resultado), '{}') from jsonb_each(resultados) as e (linea, resultado)
      where resultado ? 'guia' or linea <> all (${mended}::text[])
    )
    where comercio_id = ${comercioId} and id = ${id}`);
}

/** Outcomes of rows; a guide that another press made of one stays known. */
export function addResultados(
  comercioId: string,
  id: string,
  resultados: ArchivoRow['resultados'],
): QueryConfig {
  const text = `update panel_archivos set resultados = resultados || $3::jsonb || (
      select coalesce(jsonb_object_agg(linea, resultado), '{}') from jsonb_each(resultados) as e (linea, resultado)
      where resultado ? 'guia'
    ) where comercio_id = $1 and id = $2`;
  return { text, values: [comercioId, id, JSON.stringify(resultados)] };
}

/** The phones among these whose people want no messages. */
export function findOptedOut(telefonos: string[]): QueryConfig {
  return {
    text: 'select destinatario from bajas where destinatario = any ($1) and vigente',
    values: [telefonos],
  };
}

/** That the guides of these lines were taken back. */
export function takeBackResultados(comercioId: string, id: string, lineas: string[]): QueryConfig {
  const text = `update panel_archivos set resultados = (
      select jsonb_object_agg(linea, case when linea = any ($3::text[]) then resultado || '{"deshecha": true}' else resultado end)
      from jsonb_each(resultados) as e (linea, resultado)
    ) where comercio_id = $1 and id = $2`;
  return { text, values: [comercioId, id, lineas] };
}

/** The guides of the merchant with these references, as of a repeated create. */
export function findReferences(comercioId: string, references: string[]): QueryConfig {
  const text = `select ${DETAILED} from guias where comercio_id = $1 and external_ref = any ($2)`;
  return { text, values: [comercioId, references], types: textTypes };
}

/**
 * The guides to these phones that files of the last day made of rows without a reference, oldest first; not cancelled ones. The
 * index is of the reversed phone.
 * @param references how the references of all files begin, and those of the file that asks
 * @param since ms
 */
export function findOfOtherFiles(
  comercioId: string,
  telefonos: string[],
  references: { all: string; own: string },
  since: number,
): QueryConfig {
  return statement(
    sql`select ${raw(DETAILED)} from guias where comercio_id = ${comercioId}
      and reverse(telefono) = any (array(select reverse(t) from unnest(${telefonos}::text[]) t))
      and id >= ${firstIdAt(since)} and estado <> 'cancelado'
      and starts_with(external_ref, ${references.all}) and not starts_with(external_ref, ${references.own})
    order by id`,
    { types: textTypes },
  );
}
