import type { QueryConfig } from 'pg';
import { sql, statement } from '../platform/database/sql.js';
import type { GuiaEstado } from '../guias/guia/guia-estado.js';
import { lookupColumnOf } from '../guias/guia/guia-lookup.js';
import type { SandboxGuiaRow } from '../notifications/providers/sandbox/sandbox-recipient.queries.js';
import type { Guion, Paso } from './guiones.js';
import type { Simulacion } from './simulacion.entity.js';

export interface SimulacionRow extends Omit<Simulacion, 'comercio_id' | 'guia_id' | 'proximo_en'> {
  guia: string;
}

const COLUMNS = `s.id, s.ronda, g.guia, s.guion, s.cada_segundos, s.estado, s.causa, s.pasos, s.hechos, s.creada_en`;

/** Serialises starts of a merchant's simulations, so that they cannot exceed the limit. Run it in a transaction. */
export function lockStarts(comercioId: string): QueryConfig {
  return { text: 'select from comercios where id = $1 for no key update', values: [comercioId] };
}

export interface CandidateRow {
  id: string;
  guia: string;
  estado: GuiaEstado;
  direccion_confirmada: boolean;
  /** Running simulations of its merchant. */
  en_curso: number;
}

/** A merchant's guide, and the number of its running simulations. No row: unknown guide. */
export function findCandidate(comercioId: string, idOrGuia: string): QueryConfig {
  const text = `select id, guia, estado, direccion_confirmada,
      (select count(*)::int from simulaciones where comercio_id = $1 and estado = 'en_curso') as en_curso
    from guias where comercio_id = $1 and ${lookupColumnOf(idOrGuia)} = $2`;
  return { text, values: [comercioId, idOrGuia] };
}

/** Records a simulation whose first step is due now. */
export function insertSimulacion(
  id: string,
  { comercioId, guiaId }: { comercioId: string; guiaId: string },
  { guion, cada_segundos, pasos }: { guion: Guion; cada_segundos: number; pasos: Paso[] },
): QueryConfig {
  return statement(sql`insert into simulaciones
      (id, comercio_id, guia_id, guion, cada_segundos, pasos, estado, creada_en, proximo_en)
    values (${id}, ${comercioId}, ${guiaId}, ${guion}, ${cada_segundos}, ${JSON.stringify(pasos)}, 'en_curso', now(), now())`);
}

export function findLastSimulacion(comercioId: string, idOrGuia: string): QueryConfig {
  const by = lookupColumnOf(idOrGuia);
  const text = `select ${COLUMNS}
    from (select comercio_id, id, guia from guias where comercio_id = $1 and ${by} = $2) g
    join simulaciones s on s.comercio_id = g.comercio_id and s.guia_id = g.id
    order by s.id desc limit 1`;
  return { name: `simulacion-last-${by}`, text, values: [comercioId, idOrGuia] };
}

export interface StepRow extends SimulacionRow, SandboxGuiaRow {
  /** Milliseconds until the next step is due; negative where it is late. */
  espera_ms: number;
  guia_estado: GuiaEstado;
  direccion_confirmada: boolean;
  destinatario: string;
  cod_amount: number;
  destino_lat: number | null;
  destino_lng: number | null;
}

const STEP = `select ${COLUMNS}, extract(epoch from s.proximo_en - now())::float8 * 1000 as espera_ms,
    g.comercio_id, g.id as guia_id, g.telefono_secuencia, g.recogida_lat, g.recogida_lng, g.estado as guia_estado, g.direccion_confirmada,
    g.destinatario, g.cod_amount::float8 as cod_amount, g.destino_lat, g.destino_lng
  from simulaciones s join guias g on g.comercio_id = s.comercio_id and g.id = s.guia_id
  where s.id = $1 and s.estado = 'en_curso'`;

/** A running simulation; no row once it has ended. */
export function findStep(id: string): QueryConfig {
  return { name: 'simulacion-step', text: STEP, values: [id] };
}

const FINISH_STEP = `update simulaciones set hechos = hechos || clock_timestamp()::timestamptz(3),
    proximo_en = now() + make_interval(secs => cada_segundos),
    estado = case when cardinality(hechos) + 1 = jsonb_array_length(pasos) then 'terminada' else estado end
  where id = $1 and estado = 'en_curso' and cardinality(hechos) = $2`;

/** Marks a step as done, unless another process did. @param made number of steps done before it. */
export function finishStep(id: string, made: number): QueryConfig {
  return { name: 'simulacion-step-done', text: FINISH_STEP, values: [id, made] };
}

/** Ends a simulation before its last step. @param causa why, in Spanish. */
export function stopSimulacion(id: string, causa: string): QueryConfig {
  const text = `update simulaciones set estado = 'detenida', causa = $2 where id = $1 and estado = 'en_curso'`;
  return { name: 'simulacion-stop', text, values: [id, causa] };
}
