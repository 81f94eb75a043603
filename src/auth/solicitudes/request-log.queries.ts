import type { QueryConfig } from 'pg';
import { raw, sql, statement } from '../../platform/database/sql.js';
import { unnest } from '../../platform/database/unnest.js';
import type { Solicitud } from './solicitud.entity.js';

const TYPES = {
  ...{
    id: 'uuid',
    peticion: 'text',
    metodo: 'text',
    ruta: 'text',
    estado: 'smallint',
    codigo: 'text',
    ms: 'integer',
  },
  ...{ comercio_id: 'uuid', operador_id: 'uuid', clave_id: 'uuid' },
} satisfies Record<keyof Solicitud, string>;

const COLUMNS = Object.keys(TYPES).join(', ');

/** As arrays: for each row, PostgreSQL takes half of what it takes to read JSON. */
export function insertRequests(requests: Solicitud[]): QueryConfig {
  return statement(
    sql`insert into solicitudes (${raw(COLUMNS)}) select ${raw(COLUMNS)} from ${unnest(requests, 's', TYPES)}`,
    { name: 'solicitudes-insert' },
  );
}

const FIND_OWN = `select ${COLUMNS} from solicitudes where peticion = $1 and comercio_id = $2 order by id desc limit $3`;

/** A merchant's requests with an `X-Request-Id`, newest first. @param comercioId of a live merchant or a test twin. */
export function findOwnRequests(peticion: string, comercioId: string, limit: number): QueryConfig {
  return { name: 'solicitudes-own', text: FIND_OWN, values: [peticion, comercioId, limit] };
}

/** The requests of a key, newest first. */
export function findRequestsOfKey(claveId: string, limit: number): QueryConfig {
  const text = `select ${COLUMNS} from solicitudes where clave_id = $1 order by id desc limit $2`;
  return { text, values: [claveId, limit] };
}

/** A request with its caller's name; a test twin has the name of its live merchant, as the twin has no page. */
export interface FoundRequest extends Solicitud {
  comercio: string | null;
  /** ISO 3166; of the merchant. */
  pais: string | null;
  operador: string | null;
}

const FIND = `select s.id, s.peticion, s.metodo, s.ruta, s.estado, s.codigo, s.ms, coalesce(c.prueba_de, s.comercio_id) as comercio_id,
    s.operador_id, c.nombre as comercio, c.pais, o.nombre as operador
  from solicitudes s left join comercios c on c.id = s.comercio_id left join operadores o on o.id = s.operador_id
  where s.peticion = $1 order by s.id desc limit $2`;

/** The requests with an `X-Request-Id`, newest first; retention deletes them after 30 days. */
export function findRequests(peticion: string, limit: number): QueryConfig {
  return { text: FIND, values: [peticion, limit] };
}
