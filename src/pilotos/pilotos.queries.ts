import type { QueryConfig } from 'pg';
import { HIGHEST_ID } from '../platform/database/row-id.js';
import { textTypes } from '../platform/database/text-types.js';
import type { CrearPilotoDto, EditarPilotoDto } from './dto/piloto.dto.js';

/** A driver; times are ISO 8601. */
export interface PilotoRow {
  id: string;
  nombre: string;
  /** E.164. */
  telefono: string | null;
  activo: boolean;
  creado_en: string;
  visto_en: string | null;
}

const COLUMNS = 'id, nombre, telefono, activo, creado_en, visto_en';

const INSERT = `insert into pilotos (id, nombre, telefono, creado_en, operador_id, ref)
  values ($1, $2, $3, clock_timestamp(), $4, $5)
  on conflict (operador_id, ref) where ref is not null do nothing
  returning ${COLUMNS}`;

/** Returns the driver; no row if the operator has made one under this `ref`. */
export function insertPiloto(
  id: string,
  { nombre, telefono, ref }: CrearPilotoDto,
  operadorId: string,
): QueryConfig {
  return { text: INSERT, values: [id, nombre, telefono, operadorId, ref], types: textTypes };
}

/** The driver that an operator made under this `ref`. */
export function findPilotoByRef(operadorId: string, ref: string): QueryConfig {
  const text = `select ${COLUMNS} from pilotos where operador_id = $1 and ref = $2`;
  return { text, values: [operadorId, ref], types: textTypes };
}

export function findPiloto(id: string): QueryConfig {
  return { text: `select ${COLUMNS} from pilotos where id = $1`, values: [id], types: textTypes };
}

/** The driver who has a guide; no row without one. */
export function pilotoOfGuia(comercioId: string, guiaId: string): QueryConfig {
  const text = `select ${COLUMNS} from pilotos
    where id = (select piloto_id from guias where comercio_id = $1 and id = $2)`;
  return { text, values: [comercioId, guiaId], types: textTypes };
}

const LIST = `select ${COLUMNS} from pilotos
  where id < $1 and ($2::boolean is null or activo = $2) order by id desc limit $3`;

/** The first `rows` drivers after `after`, newest first. */
export function listPilotos(
  activo: boolean | undefined,
  { after, rows }: { after?: { id: string }; rows: number },
): QueryConfig {
  return { text: LIST, values: [after?.id ?? HIGHEST_ID, activo, rows], types: textTypes };
}

/** Absent fields stay. The link of a driver who is made inactive ends, and comes back with no later change. */
const UPDATE = `update pilotos set nombre = coalesce($2, nombre), activo = coalesce($3, activo),
    telefono = case when $4 then $5 else telefono end,
    enlace_hash = case when $3 is not false then enlace_hash end,
    enlace_vence_en = case when $3 is not false then enlace_vence_en end
  where id = $1 returning ${COLUMNS}`;

export function updatePiloto(id: string, { nombre, telefono, activo }: EditarPilotoDto): QueryConfig {
  const values = [id, nombre, activo, telefono !== undefined, telefono];
  return { text: UPDATE, values, types: textTypes };
}

const SET_LINK = `update pilotos set enlace_hash = $2,
    enlace_vence_en = clock_timestamp() + make_interval(hours => $3)
  where id = $1 and activo returning enlace_vence_en as vence_en`;

/** Replaces the link of an active driver; the one before ends. No row: unknown or inactive. */
export function setLink(id: string, hash: Buffer, horas: number): QueryConfig {
  return { text: SET_LINK, values: [id, hash, horas], types: textTypes };
}
