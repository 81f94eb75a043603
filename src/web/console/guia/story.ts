import type { NotaRow } from '../../../support/guia/guia-notas.queries.js';
import type { EventoDeSoporte } from '../../../guias/dto/evento.dto.js';
import type { GuiaEstado } from '../../../guias/guia/guia-estado.js';
import { replacesAnswer } from '../../kit/evento-entry.js';
import type { TextoRow } from '../../../notifications/inbound/texts.queries.js';
import type { HistoryEntry } from '../../../notifications/messages/message-history.queries.js';
import type { DeliveryEntry } from '../../../webhooks/deliveries/delivery-log.service.js';

/** Parts of the timeline, by their name in `?ver=`. */
export const VISTAS = {
  todo: 'Todo',
  estados: 'Estados',
  mensajes: 'Mensajes',
  avisos: 'Avisos',
  notas: 'Notas',
} as const;

export type Vista = keyof typeof VISTAS;

export const vistaOf = (name: string | undefined): Vista =>
  name !== undefined && Object.hasOwn(VISTAS, name) ? (name as Vista) : 'todo';

/** A line of the timeline. `at` is ISO 8601. */
export type Line = { at: string } & (
  | { kind: 'evento'; evento: EventoDeSoporte; isCorrection: boolean; entregas: DeliveryEntry[] }
  | { kind: 'mensaje'; mensaje: HistoryEntry; hasLink: boolean }
  | { kind: 'aviso'; entrega: DeliveryEntry; estado: GuiaEstado | undefined; hasEvento: boolean }
  | { kind: 'texto'; texto: TextoRow }
  | { kind: 'nota'; nota: NotaRow }
);

const VISTA_OF: Record<Line['kind'], Vista> = {
  evento: 'estados',
  mensaje: 'mensajes',
  texto: 'mensajes',
  aviso: 'avisos',
  nota: 'notas',
};

interface Parts {
  eventos: EventoDeSoporte[];
  mensajes: HistoryEntry[];
  entregas: DeliveryEntry[];
  textos: TextoRow[];
  notas: NotaRow[];
}

/** Everything that happened to a guide, the newest first; of lines of the same time, effects before their cause. */
export function storyOf({ eventos, mensajes, entregas, textos, notas }: Parts): Line[] {
  const newPhone = eventos.findLast(({ campos }) => campos?.includes('telefono'));
  const estados = new Map(eventos.map(({ secuencia, estado }) => [secuencia, estado]));
  const lines: Line[] = [
    ...eventos.map((evento) => ({
      kind: 'evento' as const,
      at: evento.ocurrido_en,
      evento,
      isCorrection: replacesAnswer(eventos, evento),
      entregas: entregas.filter(({ secuencia }) => secuencia === evento.secuencia),
    })),
    ...mensajes.map((mensaje) => ({
      kind: 'mensaje' as const,
      at: mensaje.creado_en,
      mensaje,
      // An earlier phone's link leads nowhere.
      hasLink:
        mensaje.tipo === 'confirmacion_ubicacion' &&
        (newPhone === undefined || mensaje.creado_en >= newPhone.creado_en),
    })),
    ...textos.map((texto) => ({ kind: 'texto' as const, at: texto.recibido_en, texto })),
    ...notas.map((nota) => ({ kind: 'nota' as const, at: nota.creado_en, nota })),
    ...entregas.map((entrega) => ({
      kind: 'aviso' as const,
      at: entrega.creado_en,
      entrega,
      hasEvento: estados.has(entrega.secuencia),
      estado: (entrega.evento === 'guia.estado_cambiado' && estados.get(entrega.secuencia)) || undefined,
    })),
  ];
  return lines
    .map((line, n) => ({ line, n }))
    .sort((a, b) => b.line.at.localeCompare(a.line.at) || b.n - a.n)
    .map(({ line }) => line);
}

/** The lines of a part; among all of them, notices stand with the event that they are about. */
export function linesOf(lines: Line[], vista: Vista): Line[] {
  return lines.filter((line) =>
    vista === 'todo' ? line.kind !== 'aviso' || !line.hasEvento : VISTA_OF[line.kind] === vista,
  );
}
