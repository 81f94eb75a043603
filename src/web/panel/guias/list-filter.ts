import { ADVERTENCIA_CODES, type GuiaAdvertencia } from '../../../guias/guia/guia-advertencia.js';
import { isGuiaEstado } from '../../../guias/guia/guia-estado.js';
import { MAX } from '../../../guias/guia/limits.js';
import type { ListFilter } from '../../../guias/list/guia-list.queries.js';
import { firstIdAt } from '../../../platform/database/row-id.js';
import type { FieldError } from '../../../platform/errors/app-error.js';
import type { Form } from '../../../platform/http/form-texts.js';
import { parseInstant } from '../../../platform/validation/instant.js';
import { hasForbiddenCharacter } from '../../../platform/validation/text.js';

const NAMES = ['estado', 'advertencia', 'confirmada', 'desde', 'hasta', 'municipio'] as const;

/** The filters of the page of guides, as they were typed and as the list takes them. */
export interface PanelFilter {
  /** Without the empty ones. */
  fields: Partial<Record<(typeof NAMES)[number], string>>;
  filter: ListFilter;
  faults: FieldError[];
}

const isAdvertencia = (text: string): text is GuiaAdvertencia =>
  ADVERTENCIA_CODES.some((code) => code === text);

/** @param zone in which the merchant's days begin and end. */
export function readFilter(query: Form, zone: string): PanelFilter {
  const typed = NAMES.flatMap((name) => {
    const text = query[name]?.trim().slice(0, MAX.nombre);
    return text ? [[name, text] as const] : [];
  });
  const fields: PanelFilter['fields'] = Object.fromEntries(typed);
  const { estado, advertencia, confirmada, desde, hasta, municipio } = fields;
  const from = desde && parseInstant(desde, 'from', zone);
  const until = hasta && parseInstant(hasta, 'until', zone);
  const day = 'Escriba un día, como 2026-11-25.';
  const wrong: [isWrong: unknown, campo: string, mensaje: string][] = [
    [estado && !isGuiaEstado(estado), 'estado', 'Elija uno de la lista.'],
    [advertencia && !isAdvertencia(advertencia), 'advertencia', 'Elija una de la lista.'],
    [confirmada && !/^(si|no)$/.test(confirmada), 'confirmada', 'Debe ser sí o no.'],
    [desde && from === undefined, 'desde', day],
    [hasta && until === undefined, 'hasta', day],
    [from && until && from > until, 'hasta', 'Debe ser el mismo día que «Desde», o después.'],
    [municipio && hasForbiddenCharacter(municipio, false), 'municipio', 'Escríbalo sin signos raros.'],
  ];
  const faults = wrong.flatMap(([isWrong, campo, mensaje]): FieldError[] =>
    isWrong ? [{ campo, codigo: 'formato', mensaje }] : [],
  );
  return {
    fields,
    faults,
    filter: {
      ...(isGuiaEstado(estado) && { estados: [estado] }),
      ...(advertencia !== undefined && isAdvertencia(advertencia) && { advertencia }),
      ...(confirmada !== undefined && { direccion_confirmada: confirmada === 'si' }),
      ...(from && { from: firstIdAt(from) }),
      ...(until && { before: firstIdAt(until + 1) }),
      ...(municipio !== undefined && { lugar: municipio }),
    },
  };
}
