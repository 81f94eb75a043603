import { NO_APLICADO_ADVERTENCIAS, type GuiaAdvertencia, type NoAplicado } from '../guia/guia-advertencia.js';
import { inCash } from '../guia/pago.js';
import type { Movimiento } from './guia-move.js';
import type { TextRow } from '../../platform/database/text-row.js';
import type { Evento } from '../../platform/events/evento.entity.js';

/** An event that was recorded and did not move its guide. Times are ISO 8601. */
export interface NoAplicadoRow extends TextRow<
  Evento,
  'id' | 'actor' | 'operador_id' | 'creado_en' | 'ocurrido_en'
> {
  datos: Omit<Movimiento, 'ocurrido_en' | 'ref' | 'pin' | 'sin_pin'> & {
    dicho_en?: string;
    distancia_m?: number;
    no_aplicado?: NoAplicado;
  };
}

/** SQL condition: the event `e` asks for a move, and nobody has applied it since. */
export const IS_UNAPPLIED = `e.tipo = 'guia.evento_tardio' and not e.datos ? 'deshacer' and not exists (
    select from eventos a where a.comercio_id = e.comercio_id and a.guia_id = e.guia_id
      and a.tipo = 'guia.estado_cambiado' and a.datos->>'aplica' = e.id::text)`;

/** The warning of an event that was not applied; undefined for one that needs nobody. */
function warningOf({ datos }: NoAplicadoRow): GuiaAdvertencia | undefined {
  if (datos.no_aplicado === 'de_otro_piloto') return 'evento_de_otro_piloto';
  const cash = inCash({ cod_cobrado: datos.cod_cobrado ?? 0, pago: datos.pago });
  return datos.estado === 'entregado' && cash > 0 ? 'entrega_tardia' : undefined;
}

/** The warnings of a guide of whose events these alone are still not applied. A pure function. */
export function warningsLeft(advertencias: readonly string[], left: readonly NoAplicadoRow[]): string[] {
  const codigos = left.map(warningOf);
  return advertencias.filter(
    (advertencia) =>
      !NO_APLICADO_ADVERTENCIAS.some((codigo) => codigo === advertencia) ||
      codigos.some((codigo) => codigo === advertencia),
  );
}
