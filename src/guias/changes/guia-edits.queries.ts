import type { QueryConfig } from 'pg';
import { v7 } from 'uuid';
import { textTypes } from '../../database/text-types.js';
import { recordEvento } from '../../events/record-evento.js';
import { DETAILED, type GuiaDetalleRow } from '../guias.queries.js';
import type { Edit } from './guia-edit.js';
import { touch } from './guia-version.js';

const EDIT = `with editada as (
  update guias set telefono = $4, direccion = $5, referencia = $6, notas = $7,
    destino_lat = $8, destino_lng = $9, destino_maps_url = $10, direccion_confirmada = $11,
    enlaces_pendientes = $12, advertencias = $13,
    confirmada_en = case when $14 then null else confirmada_en end,
    telefono_secuencia = case when $15 then $3 + 1 else telefono_secuencia end,
    ${touch('1 + $16::int + $17::int')}
  where comercio_id = $1 and id = $2 and version = $3
  returning comercio_id, ${DETAILED}
), edicion as (
  ${recordEvento({
    from: 'editada',
    id: '$18::uuid',
    tipo: 'guia.actualizada',
    actor: 'comercio',
    datos: '$19::jsonb',
    secuencia: '$3 + 1',
  })}
), confirmacion as (
  ${recordEvento({
    from: 'editada',
    id: '$20::uuid',
    tipo: 'guia.confirmada',
    actor: 'comercio',
    secuencia: '$3 + 2',
    where: '$16::int = 1',
  })}
), pregunta as (
  ${recordEvento({
    from: 'editada',
    id: '$21::uuid',
    tipo: 'guia.confirmacion_pedida',
    actor: 'comercio',
    where: '$17::int = 1',
  })}
)
select * from editada`;

/** Writes an edit with its events, in one statement. Returns no row if the guide changed since it was read. */
export function writeEdit(
  comercioId: string,
  { id, version }: GuiaDetalleRow,
  { row, campos, hasNewDestination, isNewlyConfirmed, hasNewPhone }: Edit,
): QueryConfig {
  return {
    name: 'guia-edit',
    text: EDIT,
    values: [
      comercioId,
      id,
      version,
      row.telefono,
      row.direccion,
      row.referencia,
      row.notas,
      row.destino_lat,
      row.destino_lng,
      row.destino_maps_url,
      row.direccion_confirmada,
      row.enlaces_pendientes,
      row.advertencias,
      hasNewDestination,
      hasNewPhone,
      Number(isNewlyConfirmed),
      Number(hasNewPhone && !row.direccion_confirmada),
      v7(),
      { campos },
      v7(),
      v7(),
    ],
    types: textTypes,
  };
}
