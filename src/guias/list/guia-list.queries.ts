import { toIso } from '../../database/text-types.js';
import type { GuiaEstado } from '../guia-estado.js';
import { LISTED, type GuiaRow } from '../guias.queries.js';
import {
  pageOfGuias,
  type ListFilter,
  type ListQuery,
  type ListSource,
  type PageRequest,
} from './guia-page.queries.js';

const COLUMNS = LISTED.join(', ');

/** The text that PostgreSQL sends for each column. */
type Written<Columns extends readonly (keyof GuiaRow)[]> = {
  readonly [I in keyof Columns]: null extends GuiaRow[Columns[I]] ? string | null : string;
};

/** A row from the texts of its columns, in the order of `LISTED`. */
export function toGuiaRow(values: Written<typeof LISTED>): GuiaRow {
  return {
    guia: values[0],
    id: values[1],
    external_ref: values[2],
    estado: values[3] as GuiaEstado,
    destinatario: values[4],
    telefono: values[5],
    direccion: values[6],
    departamento: values[7],
    municipio: values[8],
    referencia: values[9],
    contenido: values[10],
    notas: values[11],
    cod_amount: Number(values[12]),
    direccion_confirmada: values[13] === 't',
    creada_en: toIso(values[14]),
    actualizada_en: toIso(values[15]),
  };
}

/** A merchant's own list. */
export function listGuias(comercioId: string, filter: ListFilter, page: PageRequest): ListQuery {
  const scope: ListSource['scope'] = (param) => [`comercio_id = ${param(comercioId)}`];
  return pageOfGuias({ name: 'guia-list', columns: COLUMNS, scope, isMerchant: true }, filter, page);
}
