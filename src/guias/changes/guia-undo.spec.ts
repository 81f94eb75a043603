import { decideUndo, lastSaid, UNDO_DAYS, type MoveRow, type Undo } from './guia-undo.js';

const NOW = '2026-01-20T12:00:00.000Z';
const daysAgo = (days: number) => new Date(Date.parse(NOW) - days * 86_400_000).toISOString();

/** A move by an operator, recorded an hour before `NOW` unless `over` says otherwise. */
const move = (estado_anterior: MoveRow['estado_anterior'], over: Partial<MoveRow> = {}): MoveRow => ({
  tipo: 'guia.estado_cambiado',
  actor: 'operador',
  operador_id: 'operador',
  secuencia: 2,
  creado_en: daysAgo(1 / 24),
  ocurrido_en: null,
  dicho_en: null,
  estado_anterior,
  ...over,
});
const OPERATOR = { actor: 'operador', operador_id: 'operador' } as const;
const undone: Partial<MoveRow> = { tipo: 'guia.estado_corregido' };

const delivered = {
  estado: 'entregado' as const,
  advertencias: [
    'mensaje_fallido',
    'cod_distinto',
    'entrega_lejos',
    'entregado_sin_pin',
    'destinatario_no_recibio',
  ],
};
const AT_ONCE = { ahora: NOW, dicho_en: NOW };
const done = (undo: Undo | 'late'): Undo => {
  if (undo === 'late') throw new Error('too late');
  return undo;
};
const undo = (moves: MoveRow[], cobro?: Parameters<typeof decideUndo>[3]) =>
  done(decideUndo(OPERATOR, delivered, moves, cobro, AT_ONCE));

describe('taking back a move', () => {
  it.each<[what: string, moves: MoveRow[], estado: string, deshecho: number]>([
    ['the only one', [move('aceptado')], 'aceptado', 2],
    ['the last of two', [move('aceptado'), move('recogido', { secuencia: 3 })], 'recogido', 3],
    [
      'the one before a move that was taken back',
      [move('aceptado'), move('recogido', { secuencia: 3 }), move('en_ruta', { secuencia: 4, ...undone })],
      'aceptado',
      2,
    ],
    [
      'a move after one that was taken back',
      [move('aceptado'), move('recogido', undone), move('aceptado', { secuencia: 4 })],
      'aceptado',
      4,
    ],
    ['a driver’s move', [move('en_ruta', { actor: 'piloto', operador_id: 'piloto' })], 'en_ruta', 2],
    ['an operator’s cancellation', [move('aceptado', { tipo: 'guia.cancelada' })], 'aceptado', 2],
    ['a move of seven days ago', [move('aceptado', { creado_en: daysAgo(UNDO_DAYS) })], 'aceptado', 2],
  ])('restores the state before: %s', (_, moves, estado, deshecho) => {
    expect(undo(moves)).toMatchObject({ estado, deshecho });
  });

  it('takes the warnings of a delivery, and no others', () => {
    expect(undo([move('en_ruta')]).advertencias).toEqual(['mensaje_fallido']);
    const open = { ...delivered, estado: 'en_ruta' as const };
    expect(done(decideUndo(OPERATOR, open, [move('recogido')], undefined, AT_ONCE)).advertencias).toEqual(
      open.advertencias,
    );
  });

  it('takes the warning of a cancellation', () => {
    const cancelled = {
      estado: 'cancelado' as const,
      advertencias: ['mensaje_fallido', 'cancelada_ya_recogida'],
    };
    const moves = [move('aceptado', { tipo: 'guia.cancelada' })];
    expect(done(decideUndo(OPERATOR, cancelled, moves, undefined, AT_ONCE)).advertencias).toEqual([
      'mensaje_fallido',
    ]);
  });

  it.each<[what: string, before: MoveRow[], since: string | null]>([
    ['null for a guide that had not moved', [], null],
    ['when a move was recorded', [move('aceptado', { creado_en: daysAgo(3) })], daysAgo(3)],
    [
      'when a move happened',
      [move('aceptado', { creado_en: daysAgo(3), ocurrido_en: daysAgo(4) })],
      daysAgo(4),
    ],
    [
      'the recording of a move by a fast clock',
      [move('aceptado', { creado_en: daysAgo(3), ocurrido_en: daysAgo(2) })],
      daysAgo(3),
    ],
    [
      'the latest of moves that came in another order',
      [
        move('aceptado', { creado_en: daysAgo(3) }),
        move('recogido', { creado_en: daysAgo(2), ocurrido_en: daysAgo(5) }),
      ],
      daysAgo(3),
    ],
  ])('restores since when the guide was in that state: %s', (_, before, since) => {
    expect(undo([...before, move('en_ruta')]).estado_en).toBe(since);
  });

  it.each<[what: string, moves: MoveRow[]]>([
    ['the creation', []],
    ['all were taken back', [move('aceptado'), move('recogido', undone)]],
    ['a merchant’s cancellation', [move('aceptado', { actor: 'comercio', tipo: 'guia.cancelada' })]],
    ['older than seven days', [move('aceptado', { creado_en: daysAgo(UNDO_DAYS + 0.001) })]],
  ])('is refused where the last change of state is %s', (_, moves) => {
    expect(() => undo(moves)).toThrow(expect.objectContaining({ codigo: 'nada_que_deshacer' }));
  });

  describe('by a driver', () => {
    const DRIVER = { actor: 'piloto', operador_id: 'piloto' } as const;
    const minutesAgo = (minutes: number) => daysAgo(minutes / 24 / 60);
    const own = (ocurrido: number, over: Partial<MoveRow> = {}) =>
      move('en_ruta', { ...DRIVER, creado_en: NOW, ocurrido_en: minutesAgo(ocurrido), ...over });
    const undoBy = (moves: MoveRow[], time = AT_ONCE) =>
      decideUndo(DRIVER, delivered, moves, undefined, time);

    it.each<[rule: string, move: MoveRow, time: typeof AT_ONCE]>([
      ['five minutes apart, as they were said', own(5), AT_ONCE],
      ['said a little before the move', own(-3), AT_ONCE],
      [
        'of a phone that is a day slow',
        own(0, { dicho_en: minutesAgo(1_440) }),
        { ahora: NOW, dicho_en: minutesAgo(1_436) },
      ],
      [
        'received fifteen minutes after the move',
        own(15, { creado_en: minutesAgo(15) }),
        { ahora: NOW, dicho_en: minutesAgo(11) },
      ],
    ])('takes back their own move: %s', (_, last, time) => {
      expect(undoBy([last], time)).toMatchObject({ estado: 'en_ruta' });
    });

    it.each<[rule: string, move: MoveRow, time: typeof AT_ONCE]>([
      ['more than five minutes apart, as they were said', own(5.01), AT_ONCE],
      ['more than five minutes before the move', own(-5.01), AT_ONCE],
      [
        'of a delivery that is hours old, where the undo says a minute after it',
        own(300, { creado_en: minutesAgo(300) }),
        { ahora: NOW, dicho_en: minutesAgo(299) },
      ],
      [
        'received more than fifteen minutes after the move',
        own(16, { creado_en: minutesAgo(15.01) }),
        { ahora: NOW, dicho_en: minutesAgo(15) },
      ],
    ])('is late: %s', (_, last, time) => {
      expect(undoBy([last], time)).toBe('late');
    });

    it.each<[what: string, moves: MoveRow[]]>([
      ['another driver’s', [own(1, { operador_id: 'otro' })]],
      ['an operator’s', [own(1, { actor: 'operador' })]],
      ['staff’s', [own(1, { actor: 'soporte', operador_id: null })]],
      ['the creation', []],
    ])('is refused where the last move is %s', (_, moves) => {
      expect(() => undoBy(moves)).toThrow(expect.objectContaining({ codigo: 'nada_que_deshacer' }));
    });

    it('is compared with what the phone said of the last move that stands, if it was theirs', () => {
      const said = own(1, { dicho_en: daysAgo(40) });
      expect(lastSaid([move('aceptado'), said], 'piloto')).toBe(daysAgo(40));
      expect(lastSaid([said, move('en_ruta'), move('entregado', undone)], 'piloto')).toBe(daysAgo(40));
      expect(lastSaid([said], 'otro')).toBeUndefined();
      expect(lastSaid([said, move('en_ruta')], 'piloto')).toBeUndefined();
    });
  });

  it('takes back what staff has applied', () => {
    expect(undo([move('en_ruta', { actor: 'soporte', operador_id: null })]).estado).toBe('en_ruta');
  });

  it('clears the warning of an undo that came too late, of an open guide too', () => {
    const open = { estado: 'en_ruta' as const, advertencias: ['deshacer_tarde', 'entrega_tardia'] };
    expect(done(decideUndo(OPERATOR, open, [move('recogido')], undefined, AT_ONCE)).advertencias).toEqual([
      'entrega_tardia',
    ]);
  });

  it('is refused once the amount is in a settlement, and not before', () => {
    expect(() => undo([move('en_ruta')], { liquidacion_id: 'una', cod_cobrado: '5.00' })).toThrow(
      expect.objectContaining({ codigo: 'cobro_liquidado' }),
    );
    expect(undo([move('en_ruta')], { liquidacion_id: null, cod_cobrado: '5.00' }).estado).toBe('en_ruta');
  });
});
