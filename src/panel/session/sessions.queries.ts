import type { QueryConfig } from 'pg';

/** @param seconds until it ends, by the database's clock. */
export function insertSession(huella: Buffer, claveId: string, seconds: number): QueryConfig {
  const text = `insert into panel_sesiones (huella, clave_id, vence_en)
    values ($1, $2, now() + $3 * interval '1 second')`;
  return { text, values: [huella, claveId, seconds] };
}

/** The public id of the key of a session that has not ended. */
export function findSession(huella: Buffer): QueryConfig {
  const text = `select k.identificador from panel_sesiones s join claves_api k on k.id = s.clave_id
    where s.huella = $1 and s.vence_en > now()`;
  return { name: 'panel-session', text, values: [huella] };
}

export function deleteSession(huella: Buffer): QueryConfig {
  return { text: 'delete from panel_sesiones where huella = $1', values: [huella] };
}
