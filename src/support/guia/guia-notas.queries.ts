import type { QueryConfig } from 'pg';
import { textTypes } from '../../platform/database/text-types.js';

/** A note that support wrote on a guide. */
export interface NotaRow {
  id: string;
  usuario: string;
  texto: string;
  /** ISO 8601. */
  creado_en: string;
}

const INSERT = `insert into guia_notas (id, comercio_id, guia_id, usuario, texto, creado_en)
  select $1, comercio_id, id, $3, $4, now() from guias where guia = $2
  on conflict do nothing`;

/** @param guia its number. @param texto up to 1,000 characters. */
export function insertNota(id: string, guia: string, usuario: string, texto: string): QueryConfig {
  return { text: INSERT, values: [id, guia, usuario, texto] };
}

/** The last notes on a guide, by its id, newest first. */
export function notasOfGuia(guiaId: string, limit: number): QueryConfig {
  return {
    text: 'select id, usuario, texto, creado_en from guia_notas where guia_id = $1 order by id desc limit $2',
    values: [guiaId, limit],
    types: textTypes,
  };
}
