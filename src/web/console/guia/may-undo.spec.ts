import type { EventoActor, EventoTipo } from '../../../platform/events/evento-tipo.js';
import { mayUndo } from './may-undo.js';

const NOW = Date.parse('2026-11-28T12:00:00.000Z');
const evento = (tipo: EventoTipo, actor: EventoActor, daysAgo = 1) => ({
  tipo,
  actor,
  creado_en: new Date(NOW - daysAgo * 86_400_000).toISOString(),
});
const created = evento('guia.creada', 'comercio');
const moved = evento('guia.estado_cambiado', 'operador');
const undone = evento('guia.estado_corregido', 'soporte');
const settled = { liquidacion: '019aa000-0000-7000-8000-000000000001' };

describe('support may take back', () => {
  it.each([
    ['the last move of an operator', true, [created, moved], undefined],
    ['that of a driver', true, [created, evento('guia.estado_cambiado', 'piloto')], undefined],
    ['a delivery that is not settled yet', true, [created, moved], { liquidacion: null }],
    ['the move before one that was taken back', true, [created, moved, moved, undone], undefined],
    ['nothing of a new guide', false, [created], undefined],
    ['nothing once all was taken back', false, [created, moved, undone], undefined],
    ['no cancellation by the merchant', false, [created, evento('guia.cancelada', 'comercio')], undefined],
    ['nothing after 7 days', false, [created, evento('guia.estado_cambiado', 'operador', 8)], undefined],
    ['no delivery that is settled', false, [created, moved], settled],
  ])('%s: %s', (_what, may, eventos, cobro) => {
    expect(mayUndo(eventos, cobro, NOW)).toBe(may);
  });
});
