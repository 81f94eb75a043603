import type { QueryConfig } from 'pg';
import { isUuid } from '../../platform/database/row-id.js';
import { sql, statement } from '../../platform/database/sql.js';
import { unnest } from '../../platform/database/unnest.js';
import type { EventoRechazadoDto, RegistroDto } from '../../operations/dto/registrar-evento.dto.js';
import { isPlain } from '../../platform/validation/faults.js';

interface Refusal {
  ref: string;
  guia: string;
  codigo: string;
}

type Result = EventoRechazadoDto | Pick<RegistroDto, 'ok' | 'aplicado' | 'no_aplicado'>;

/** The refused ones among sent events: none that is to be sent again, and none without a `ref`, which nobody could read. */
export function refusalsOf(eventos: readonly unknown[], resultados: readonly Result[]): Refusal[] {
  return resultados.flatMap((resultado, i) => {
    const sent = eventos[i];
    if (!isPlain(sent)) return [];
    const { ref, guia } = sent;
    const codigo = codeOf(resultado);
    const isNamed = typeof ref === 'string' && isUuid(ref) && isGuia(guia);
    return codigo !== undefined && isNamed ? [{ ref, guia, codigo }] : [];
  });
}

/** A number or an id, whether or not there is such a guide. */
const isGuia = (sent: unknown): sent is string => typeof sent === 'string' && /^[\w-]{1,36}$/.test(sent);

function codeOf(resultado: Result): string | undefined {
  if ('codigo' in resultado) {
    const { status, codigo } = resultado;
    return status >= 500 || status === 429 ? undefined : codigo;
  }
  return resultado.aplicado ? undefined : (resultado.no_aplicado ?? 'tarde');
}

/** Keeps what was refused until its driver has read it; a repeat changes nothing. */
export function keepRefusals(pilotoId: string, refusals: readonly Refusal[]): QueryConfig {
  const refused = unnest(refusals, 'r', { ref: 'uuid', guia: 'text', codigo: 'text' });
  return statement(
    sql`insert into piloto_rechazos (piloto_id, ref, guia, codigo)
      select ${pilotoId}::uuid, r.* from ${refused} on conflict do nothing`,
    { name: 'piloto-rechazos' },
  );
}

export function markRead(pilotoId: string, refs: readonly string[]): QueryConfig {
  const text = `update piloto_rechazos set entendido_en = clock_timestamp()
    where piloto_id = $1 and ref = any($2::uuid[]) and entendido_en is null`;
  return { name: 'piloto-entendidos', text, values: [pilotoId, refs] };
}
