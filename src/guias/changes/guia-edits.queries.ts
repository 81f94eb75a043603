import type { QueryConfig } from 'pg';
import { v7 } from 'uuid';
import { textTypes } from '../../database/text-types.js';
import type { EventoActor } from '../../events/evento-tipo.js';
import { recordEvento } from '../../events/record-evento.js';
import { traceparent } from '../../tracing/spans.js';
import { DETAILED, type GuiaDetalleRow } from '../guia-row.js';
import { EDITED, type Edit } from './guia-edit.js';
import { touch } from './guia-version.js';

const COLUMNS = Object.keys(EDITED).join(', ');
const TYPED_COLUMNS = Object.entries(EDITED)
  .map(([column, type]) => `${column} ${type}`)
  .join(', ');

const editAs = (actor: EventoActor) => `with editada as (
  update guias set (${COLUMNS}) = (select ${COLUMNS} from json_to_record($4::json) as e(${TYPED_COLUMNS})),
    confirmada_en = case when $5 then null else confirmada_en end,
    telefono_secuencia = case when $6 then $3 + 1 else telefono_secuencia end,
    ${touch('1 + $7::int + $8::int')}
  where comercio_id = $1 and id = $2 and version = $3
  returning comercio_id, ${DETAILED}
), edicion as (
  ${recordEvento({
    from: 'editada',
    id: '$9::uuid',
    tipo: 'guia.actualizada',
    actor,
    datos: '$10::jsonb',
    traza: '$14::text',
    secuencia: '$3 + 1',
    despachado: 'case when not $15 then now() end',
  })}
), confirmacion as (
  ${recordEvento({
    from: 'editada',
    id: '$11::uuid',
    tipo: 'guia.confirmada',
    actor,
    datos: '$13::jsonb',
    traza: '$14::text',
    secuencia: '$3 + 2',
    where: '$7::int = 1',
  })}
), pregunta as (
  ${recordEvento({
    from: 'editada',
    id: '$12::uuid',
    tipo: 'guia.confirmacion_pedida',
    actor,
    datos: '$13::jsonb',
    traza: '$14::text',
    where: '$8::int = 1',
  })}
)
select * from editada`;

const EDIT = { comercio: editAs('comercio'), soporte: editAs('soporte') };

/** Who edits: the merchant, or somebody of support for it. */
export type Editor = { actor: 'comercio' } | { actor: 'soporte'; usuario: string };

/** Writes an edit with its events, in one statement. Returns no row if the guide changed since it was read. */
export function writeEdit(
  comercioId: string,
  { id, version }: GuiaDetalleRow,
  { row, campos, hasNewDestination, isNewlyConfirmed, hasNewPhone, hasNewPendingLink }: Edit,
  editor: Editor,
): QueryConfig {
  const { actor } = editor;
  const who = editor.actor === 'soporte' ? { usuario: editor.usuario } : null;
  return {
    name: `guia-edit-${actor}`,
    text: EDIT[actor],
    values: [
      comercioId,
      id,
      version,
      JSON.stringify(row),
      hasNewDestination,
      hasNewPhone,
      Number(isNewlyConfirmed),
      Number(hasNewPhone && !row.direccion_confirmada),
      v7(),
      { campos, ...who },
      v7(),
      v7(),
      who,
      traceparent(),
      hasNewPendingLink,
    ],
    types: textTypes,
  };
}
