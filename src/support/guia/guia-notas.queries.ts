import type { QueryConfig } from 'pg';
import { sql, statement } from '../../platform/database/sql.js';
import type { TextRow } from '../../platform/database/text-row.js';
import { textTypes } from '../../platform/database/text-types.js';
import type { GuiaNota } from './guia-nota.entity.js';

/** A note that support wrote on a guide; its time is ISO 8601. */
export type NotaRow = TextRow<GuiaNota, 'id' | 'usuario' | 'texto' | 'creado_en'>;

/** @param guia its number. @param texto up to 1,000 characters. */
export function insertNota(id: string, guia: string, usuario: string, texto: string): QueryConfig {
  return statement(sql`insert into guia_notas (id, comercio_id, guia_id, usuario, texto, creado_en)
    select ${id}, comercio_id, id, ${usuario}, ${texto}, now() from guias where guia = ${guia}
    on conflict do nothing`);
}

/** The last notes on a guide, by its id, newest first. */
export function notasOfGuia(guiaId: string, limit: number): QueryConfig {
  return {
    text: 'select id, usuario, texto, creado_en from guia_notas where guia_id = $1 order by id desc limit $2',
    values: [guiaId, limit],
    types: textTypes,
  };
}
