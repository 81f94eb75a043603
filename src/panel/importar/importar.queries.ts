import type { QueryConfig } from 'pg';
import { firstIdAt } from '../../database/row-id.js';
import { textTypes } from '../../database/text-types.js';
import { DETAILED } from '../../guias/guia-row.js';
import type { PanelArchivo } from './panel-archivo.entity.js';

const COLUMNS = 'id, nombre, separador, tabla, columnas, resultados';

export type ArchivoRow = Omit<PanelArchivo, 'comercio_id' | 'creado_en'>;

export function insertArchivo(comercioId: string, archivo: ArchivoRow): QueryConfig {
  const { id, nombre, separador, tabla, columnas, resultados } = archivo;
  const text = `insert into panel_archivos (comercio_id, ${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7)`;
  const json = [tabla, columnas, resultados].map((value) => JSON.stringify(value));
  return { text, values: [comercioId, id, nombre, separador, ...json] };
}

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
  const text = `update panel_archivos set tabla = $3, columnas = $4, resultados = (
      select coalesce(jsonb_object_agg(linea, resultado), '{}') from jsonb_each(resultados) as e (linea, resultado)
      where resultado ? 'guia' or linea <> all ($5::text[])
    )
    where comercio_id = $1 and id = $2`;
  return { text, values: [comercioId, id, JSON.stringify(tabla), JSON.stringify(columnas), mended] };
}

/** What became of rows; what is known of a row stays. */
export function addResultados(
  comercioId: string,
  id: string,
  resultados: ArchivoRow['resultados'],
): QueryConfig {
  const text = `update panel_archivos set resultados = $3::jsonb || resultados where comercio_id = $1 and id = $2`;
  return { text, values: [comercioId, id, JSON.stringify(resultados)] };
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
  const text = `select ${DETAILED} from guias where comercio_id = $1
      and reverse(telefono) = any (array(select reverse(t) from unnest($2::text[]) t)) and id >= $3
      and starts_with(external_ref, $4) and not starts_with(external_ref, $5) and estado <> 'cancelado'
    order by id`;
  const values = [comercioId, telefonos, firstIdAt(since), references.all, references.own];
  return { text, values, types: textTypes };
}
