import {
  INITIAL_ESTADO,
  OPEN_ESTADOS,
  GUIA_ESTADOS,
  isGuiaEstado,
  canMove,
  nextEstados,
  type GuiaEstado,
} from './guia-estado.js';

/** The transitions, repeated on purpose so that a change must be made in both places. */
const LIFE: [estado: GuiaEstado, next: GuiaEstado[]][] = [
  ['aceptado', ['en_camino_a_recoger', 'cancelado']],
  ['en_camino_a_recoger', ['recogido', 'aceptado', 'cancelado']],
  ['recogido', ['en_ruta', 'en_devolucion', 'extraviado']],
  ['en_ruta', ['entregado', 'intento_fallido', 'recogido', 'extraviado']],
  ['intento_fallido', ['en_ruta', 'en_devolucion']],
  ['entregado', []],
  ['en_devolucion', ['devuelto', 'extraviado']],
  ['devuelto', []],
  ['cancelado', []],
  ['extraviado', []],
];

const TERMINAL = ['cancelado', 'devuelto', 'entregado', 'extraviado'];

/** Every state that can be reached from `start`, itself included. */
function reachableFrom(start: GuiaEstado): Set<GuiaEstado> {
  const seen = new Set([start]);
  for (const estado of seen) nextEstados(estado).forEach((next) => seen.add(next));
  return seen;
}

describe('guia-estado', () => {
  it('has no states but these', () => {
    expect([...GUIA_ESTADOS].sort()).toEqual(LIFE.map(([estado]) => estado).sort());
  });

  it.each(LIFE)('%s allows exactly its next states', (estado, next) => {
    expect([...nextEstados(estado)].sort()).toEqual([...next].sort());
    expect(GUIA_ESTADOS.filter((other) => canMove(estado, other)).sort()).toEqual([...next].sort());
  });

  it('allows no transition of a state to itself', () => {
    expect(GUIA_ESTADOS.filter((estado) => canMove(estado, estado))).toEqual([]);
  });

  it('has no terminal states but these', () => {
    expect(GUIA_ESTADOS.filter((estado) => nextEstados(estado).length === 0).sort()).toEqual(TERMINAL);
  });

  it('reaches every state from the initial state aceptado', () => {
    expect(INITIAL_ESTADO).toBe('aceptado');
    expect([...reachableFrom(INITIAL_ESTADO)].sort()).toEqual([...GUIA_ESTADOS].sort());
  });

  it.each(GUIA_ESTADOS)('lists the states before %s', (estado) => {
    const before = LIFE.filter(([, next]) => next.includes(estado)).map(([from]) => from);
    expect(GUIA_ESTADOS.filter((anterior) => canMove(anterior, estado)).sort()).toEqual(before.sort());
  });

  it('allows cancelado only before the guide is picked up', () => {
    expect(GUIA_ESTADOS.filter((anterior) => canMove(anterior, 'cancelado'))).toEqual([
      'aceptado',
      'en_camino_a_recoger',
    ]);
  });

  it('is open until it is delivered, returned or ended', () => {
    const closed = ['cancelado', 'devuelto', 'en_devolucion', 'entregado', 'extraviado'];
    expect(GUIA_ESTADOS.filter((estado) => !OPEN_ESTADOS.includes(estado)).sort()).toEqual(closed);
  });

  it.each(GUIA_ESTADOS)('reaches a terminal state from %s', (estado) => {
    expect([...reachableFrom(estado)].some((reached) => TERMINAL.includes(reached))).toBe(true);
  });

  it.each([
    'Aceptado',
    ' aceptado',
    '',
    'toString',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    ['aceptado'],
    null,
    0,
  ])('does not accept %j as a state', (text) => {
    expect(isGuiaEstado(text)).toBe(false);
  });

  it.each(GUIA_ESTADOS)('accepts %s as a state', (estado) => {
    expect(isGuiaEstado(estado)).toBe(true);
  });
});
